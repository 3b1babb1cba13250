export { startStandalone, type Standalone } from './standalone.js';
export type { StandaloneOptions } from './config.js';
export { optionsFrom } from './config.js';
