export { peopleQuery } from './queries.js';
