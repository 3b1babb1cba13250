export type * from './auth.js';
export { requireLevel } from './require-level.js';
