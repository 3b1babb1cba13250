export { createReadModel, projectInto, type InstalledProjection } from './install.js';
export { LibraryWriter, type CatalogRecord, type FolderRecord } from './library-writer.js';
