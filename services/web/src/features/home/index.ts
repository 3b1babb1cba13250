export { HomeView } from './components/home-view.js';
