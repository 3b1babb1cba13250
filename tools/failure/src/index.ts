export { rows } from './rows/table.js';
