export { killBatches, type KillBatches } from './batches/kill-batches.js';
export { failures, type Report } from './report/report.js';
export { killScan, type KillScan } from './scans/kill-scan.js';
export { killWrites, type KillWrites } from './writes/kill-writes.js';
