/** Injection tokens of the ingestion service. */
export const MAINTENANCE = Symbol('CatalogMaintenance');
export const AGGREGATES = Symbol('AggregateRunner');
export const SCAN_LEASES = Symbol('ScanLeases');
export const SCAN_START = Symbol('ScanStart');
export const PODCAST_VISITS = Symbol('PodcastVisits');
export const SCAN_WORKER = Symbol('ScanWorker');
