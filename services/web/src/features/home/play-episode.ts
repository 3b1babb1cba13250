export { playEpisode } from '../programmes/index.js';
