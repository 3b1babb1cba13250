import type { OperationRow, ServicesOfOperations } from '../operation.js';
import type { HasAuth } from '../../../auth/auth.js';
import type { HasConfig, HasLog, HasVersions } from '../../../server/needs.js';
import type { HasIdempotency } from '../idempotency/idempotency.js';
import { accountOperations } from './accounts.operations.js';
import { keyOperations } from './keys.operations.js';
import { genreOperations } from './genres.operations.js';
import { shoutOperations } from './shouts.operations.js';
import { smartlistOperations } from './smartlists.operations.js';
import { playlistOperations } from './playlists.operations.js';
import { ratingOperations } from './ratings.operations.js';
import { songOperations } from './songs.operations.js';
import { podcastOperations } from './podcasts.operations.js';
import { pluginOperations } from './plugins.operations.js';
import { relayOperations } from './relay.operations.js';
import { accessListOperations } from './access-list.operations.js';
import { catalogGroupOperations } from './catalog-groups.operations.js';
import { catalogOperations } from './catalogs.operations.js';
import { findingOperations } from './findings.operations.js';
import { connectionOperations } from './connection.operations.js';
import { deadLetterOperations } from './dead-letters.operations.js';
import { queueOperations } from './queues.operations.js';
import { scanOperations } from './scans.operations.js';
import { searchIndexOperations } from './search-indexes.operations.js';
import { webhookOperations } from './webhooks.operations.js';
import { auditOperations } from './audit.operations.js';
import { checkOperations } from './checks.operations.js';
import { loadOperations } from './load.operations.js';
import { logVerificationOperations } from './log-verifications.operations.js';
import { projectionOperations } from './projections.operations.js';
import { replicaOperations } from './replicas.operations.js';
import { serverFolderOperations } from './server-folders.operations.js';
import { sessionOperations } from './sessions.operations.js';
import { settingOperations } from './settings.operations.js';
import { sonicOperations } from './sonic.operations.js';
import { transcodingOperations } from './transcoding.operations.js';
import { backupOperations } from './backups.operations.js';

const rows = {
  ...relayOperations,
  ...pluginOperations,
  ...podcastOperations,
  ...genreOperations,
  ...playlistOperations,
  ...ratingOperations,
  ...songOperations,
  ...smartlistOperations,
  ...shoutOperations,
  ...keyOperations,
  ...accountOperations,
  ...backupOperations,
  ...transcodingOperations,
  ...sonicOperations,
  ...sessionOperations,
  ...settingOperations,
  ...replicaOperations,
  ...projectionOperations,
  ...checkOperations,
  ...loadOperations,
  ...logVerificationOperations,
  ...auditOperations,
  ...accessListOperations,
  ...catalogGroupOperations,
  ...catalogOperations,
  ...serverFolderOperations,
  ...connectionOperations,
  ...findingOperations,
  ...deadLetterOperations,
  ...queueOperations,
  ...scanOperations,
  ...searchIndexOperations,
  ...webhookOperations,
};

/** Names of operations: `operationId` in the document, `operation` in metrics. */
export type OperationName = keyof typeof rows;

/** Services that the handlers of all operations and the surface are given. */
export type ManageServices = ServicesOfOperations<(typeof rows)[OperationName]> &
  HasAuth &
  HasConfig &
  HasLog &
  HasVersions &
  HasIdempotency;

/** Rows of all operations. */
export const operations: Readonly<Record<OperationName, OperationRow<ManageServices>>> = rows;
