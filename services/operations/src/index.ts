export { copyServerArt } from './art/copy-server-art.js';
export { artConfigOf } from './art/server-art.js';
export { knownDataFolder } from './backup/data-folder.js';
export { syncPath } from './backup/format/files.js';
export { openBackupArchive } from './backup/backup-archive.js';
export { backupInThread, type BackupProgress } from './backup/backup-thread.js';
export {
  backupNames,
  backupsIn,
  deleteBackup,
  deleteOldest,
  isNameOfBackup,
  nameOf,
  summaryOf,
  type BackupSummary,
} from './backup/kept-backups.js';
export type { Report } from './backup/report.js';
export { readDeletions } from './backup/restore/deletions.js';
export { restoreBackup } from './backup/restore/restore-backup.js';
export { serversForRestore, type RestoreServers } from './backup/restore/servers.js';
export { secretsOf } from './backup/secrets.js';
export { deletedAccounts } from './backup/streams/backup-streams.js';
export { LEFT_OUT, STREAMS_IN_ORDER } from './backup/streams/known-streams.js';
export { takeBackup } from './backup/take-backup.js';
export { verifyBackup } from './backup/verify-backup.js';
export { environment, readSettings, type Settings } from './config.js';
export { locateServer, type Access } from './connect/locate.js';
export { OperatorError, type OperatorErrorKind } from './connect/operator-error.js';
export { natsSettingsOf, openNats, openSession, type Session } from './connect/session.js';
export { connectionFileOf, type StandaloneConnection } from './connection.js';
export { checkDatabase } from './doctor/database.check.js';
export { examineServer } from './doctor/examine.js';
export { describeFinding, type Finding } from './doctor/finding.js';
export { counted, formatBytes, formatCount, formatDuration } from './output/numbers.js';
export { requestRebuild } from './projections/rebuild.js';
export { projectionStates, type ProjectionState } from './projections/status.js';
export { rotate, rotateFile, type RotationReport } from './secrets/rotate.js';
export { secretSettings, secretsInFile } from './secrets/secret-settings.js';
export { findCatalogs, meantCatalogs, type FoundCatalog } from './catalogs/find-catalog.js';
export { matchPlaylistFile } from './playlists/match-playlist-file.js';
export { rebuildSearchIndex, searchIndexStates, type SearchIndexState } from './search/search-indexes.js';
export { failedSongs, findRun, knownSongs, latestRuns } from './sonic/runs.js';
export { batchFailures, findBatch, latestBatches, type WorkMark } from './transcoding/batches.js';
export { findMedia, mediaKinds, type MediaKind } from './transcoding/find-media.js';
export { deliveriesOf, deliveryOf, redeliver, webhooks, type DeliveryMark, type ListedWebhook } from './webhooks/webhooks.js';
export { auditPage, type AuditFilter, type AuditMark, type AuditPage } from './audit/audit-trail.js';
export type { AuditEntry } from './audit/backwards-reader.js';
export { deadLetters } from './dead-letters/dead-letters.js';
export { queueNames, queueState, queueStates, type QueueState } from './queues/queues.js';
export { verifyStream } from './log/verify-stream.js';
export { refusedPlays, retryRefusedPlays, type RefusedPlay, type RefusedPlayFilter } from './relay/refused-plays.js';
