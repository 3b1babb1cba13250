export { optionsFrom, type StandaloneOptions } from './config.js';
export { readerLogin } from './reader-login.js';
export { greeting } from './output.js';
export { scanFolder, type ScanProgress } from './scan-folder.js';
export { startStandalone, type Standalone } from './standalone.js';
