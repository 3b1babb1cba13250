export { administrator, Journey } from './journey.js';
