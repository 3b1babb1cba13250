export { fileFormats, formatNames, type FormatName } from './files/formats.js';
export { generateFiles, type GenerateFiles } from './files/generate-files.js';
export type { Manifest } from './files/manifest.js';
export { generateEvents, type GenerateEvents } from './events/generate-events.js';
export { generateCorpus, type CorpusManifest, type ManifestSong } from './corpus/corpus.js';
export type { ExpectedSong } from './corpus/expected.js';
export { soundNames } from './corpus/sounds.js';
