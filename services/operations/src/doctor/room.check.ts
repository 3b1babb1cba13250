import { sql, type Kysely } from 'kysely';
import type { Session } from '../connect/session.js';
import { ok, reasonOf, warning, fault, type Finding } from './finding.js';

/** Shares of what there is from which somebody should make room. */
const MUCH = 0.85;
const TOO_MUCH = 0.97;

const gigabytes = (bytes: number): string => `${(bytes / 1024 ** 3).toFixed(2)} GB`;

/** Judges the use of a bounded resource. */
export const judgeUse = (
  subject: string,
  used: number,
  most: number,
  words: { readonly detail: string; readonly remedy: string },
): Finding => {
  if (most > 0 && used / most >= TOO_MUCH) return fault(subject, words.detail, words.remedy);
  return most > 0 && used / most >= MUCH ? warning(subject, words.detail, words.remedy) : ok(subject, words.detail);
};

/** Room that NATS has left for streams. */
export const checkJetStreamRoom = async ({ manager }: Pick<Session, 'manager'>): Promise<Finding> => {
  try {
    const { storage, limits } = await manager.getAccountInfo();
    const most = limits.max_storage;
    const detail =
      most > 0
        ? `${gigabytes(storage)} of ${gigabytes(most)} used by streams`
        : `${gigabytes(storage)} used by streams, no limit but the disk`;
    return judgeUse('NATS room', storage, most, {
      detail,
      remedy: 'give NATS a larger disk and raise max_file_store; logs are never thrown away',
    });
  } catch (error) {
    return warning('NATS room', `cannot be told: ${reasonOf(error)}`, 'does the login of NATS have JetStream?');
  }
};

interface Use {
  readonly connections: string;
  readonly most: string;
  readonly bytes: string;
}

/** Connections that Postgres has left, and the size of the database. */
export const checkDatabaseRoom = async (db: Kysely<never>): Promise<Finding> => {
  const { rows } = await sql<Use>`
    select (select count(*) from pg_stat_activity where backend_type = 'client backend') as connections,
      current_setting('max_connections') as most, pg_database_size(current_database()) as bytes`.execute(db);
  const [used, most] = [Number(rows[0]?.connections ?? 0), Number(rows[0]?.most ?? 0)];
  const detail = `${used} of ${most} connections, ${gigabytes(Number(rows[0]?.bytes ?? 0))} of tables`;
  return judgeUse('Postgres room', used, most, { detail, remedy: 'raise max_connections, or lower DATABASE_POOL_SIZE of the services' });
};
