export { genresQuery } from './queries.js';
