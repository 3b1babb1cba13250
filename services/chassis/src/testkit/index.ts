export * from './aggregate-spec.js';
export { MeilisearchDouble } from './meilisearch/meilisearch-double.js';
export * from './recording-log.js';
export * from '../search-index/search-index.contract.js';
export * from './faulty-proxy.js';
