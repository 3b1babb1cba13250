export { videoFilterOf } from './filter.js';
