export { explainError } from './explain.js';
export { formatTable, type Cell } from './output/table.js';
