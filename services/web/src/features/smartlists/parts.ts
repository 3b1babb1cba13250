export { SearchSentences } from './components/search-sentences.js';
