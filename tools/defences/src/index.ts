export type { Defence } from './defence.js';
export { defences } from './table/index.js';
