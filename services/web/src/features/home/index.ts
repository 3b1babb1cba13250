export { HomeView, prefetchHome } from './components/home-view.js';
