export { catalogueProjection } from './catalogue/catalogue.projection.js';
export { libraryService } from './library.service.js';
