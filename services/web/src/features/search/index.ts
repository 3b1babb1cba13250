export { SearchView } from './components/search-view.js';
