export { createReadModel, projectInto, type InstalledProjection } from './install.js';
export { LibraryWriter, type CatalogRecord, type FolderRecord, type VideoFolderRecord } from './library-writer.js';
export { answerPlaylists } from './playlist-commands.js';
export { richCatalogs, seedRichLibrary } from './rich-library.js';
export { FIRST_SCAN_MS, scanned, type TrackTags } from './scanned.js';
