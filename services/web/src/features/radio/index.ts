export { stationsQuery } from './queries.js';
