export { useFound } from './use-found.js';
