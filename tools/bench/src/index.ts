export { fileFormats, formatNames, type FormatName } from './files/formats.js';
export { generateFiles, type GenerateFiles } from './files/generate-files.js';
export type { Manifest } from './files/manifest.js';
export { generateEvents, type GenerateEvents } from './events/generate-events.js';
