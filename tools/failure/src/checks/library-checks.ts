import { sql } from 'kysely';
import type { Links } from '../cluster/cluster.js';
import { auditLibraryLog } from '../log/library-log.js';
import { lastPosition, readLog } from '../log/read-log.js';
import { until } from '../until.js';
import type { Finding } from './finding.js';
import { checkDeadLetters, checkRebuild } from './rebuild.js';
import { checkAgainstLog, checkTables } from './tables.js';

const LIBRARY_STREAM = 'EV_LIBRARY';
const SETTLE_MS = 120_000;

/** Waits until a projection, usually the catalogue, has read the whole log. @throws Error when it does not get there */
export const settled = ({ nats, db }: Links, projection = 'library-catalogue', stream = LIBRARY_STREAM): Promise<void> =>
  until(`${projection} has read the whole log`, SETTLE_MS, async () => {
    const found = await sql<{ position: number }>`
      select position from chassis.projection_checkpoint where name = ${projection} and state = 'live'`.execute(db);
    return found.rows[0]?.position === (await lastPosition(nats, stream));
  });

/** Everything that must hold for log and tables of the library whatever happened to them. */
export const checkLibrary = async ({ nats, db }: Links): Promise<Finding[]> => [
  ...(await checkTables(db)),
  ...(await checkAgainstLog(db, await auditLibraryLog(readLog(nats, LIBRARY_STREAM)))),
  await checkDeadLetters(nats),
  await checkRebuild(nats),
];

/** Position of the last event of the library. */
export const libraryPosition = ({ nats }: Links): Promise<number> => lastPosition(nats, LIBRARY_STREAM);
