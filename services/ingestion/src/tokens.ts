/** Injection tokens of the ingestion service. */
export const MAINTENANCE = Symbol('CatalogMaintenance');
export const AGGREGATES = Symbol('AggregateRunner');
export const SCAN_LEASES = Symbol('ScanLeases');
export const SCAN_START = Symbol('ScanStart');
export const PODCAST_VISITS = Symbol('PodcastVisits');
export const PODCAST_REFRESH = Symbol('PodcastRefresh');
export const PATTERN_FILING = Symbol('PatternFiling');
export const UPLOAD_INTAKE = Symbol('UploadIntake');
export const SCAN_WORKER = Symbol('ScanWorker');
export const DOWNLOAD_JOBS = Symbol('JobQueue');
export const DOWNLOAD_READS = Symbol('DownloadReads');
export const DOWNLOAD_WORKER = Symbol('DownloadWorker');
export const DOWNLOADS = Symbol('Downloads');
