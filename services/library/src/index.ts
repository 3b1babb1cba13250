export { catalogueProjection } from './catalogue/catalogue.projection.js';
export { libraryService } from './library.service.js';
// For tools that write a library without a server (tools/read-model).
export { FolderController } from './folder/folder.controller.js';
export { CatalogueReadiness } from './identity/catalogue-readiness.js';
export { IdentityRegistry } from './identity/identity-registry.js';
export { PlaylistController } from './playlist/playlist.controller.js';
export { VideoController } from './video/video.controller.js';
