import { sql, type Kysely } from 'kysely';
import type { ClientBase } from 'pg';

/** `cannot_connect_now` of Postgres (appendix A of its handbook), for connections that we turn down ourselves. */
const CANNOT_CONNECT_NOW = '57P03';
/** Rights, abilities and functions that managed servers and other databases may lack. */
const KEPT_SECRET: ReadonlySet<unknown> = new Set(['42501', '0A000', '42883']);

interface Timeline {
  /** Null on a standby. */
  readonly timeline: string | null;
}

/** Another one after a standby was promoted, or a backup restored to a moment. */
const TIMELINE = 'select case when pg_is_in_recovery() then null else left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline';

const refusal = (message: string): Error => Object.assign(new Error(message), { code: CANNOT_CONNECT_NOW });

/** Undefined where this account may not be told. */
const ifTold = async (answer: Promise<{ readonly rows: readonly Timeline[] }>): Promise<Timeline | undefined> => {
  try {
    return (await answer).rows[0];
  } catch (error) {
    if (KEPT_SECRET.has((error as { code?: unknown }).code)) return undefined;
    throw error;
  }
};

/** The timeline of the primary; undefined where this account may not be told. That answer would end a transaction: ask outside. */
export const clusterTimeline = async (db: Kysely<unknown>): Promise<string | undefined> =>
  (await ifTold(sql.raw<Timeline>(TIMELINE).execute(db)))?.timeline ?? undefined;

/**
 * Lets connections of one history through. After a fail-over the tables may be older than what this process remembers of them: ids that it took from sequences, positions of
 * projections. A connection to a standby is turned down too, because a promotion would not break it.
 * @param onOther called once when the primary has another history than with the first connection
 * @returns checks a connection. @throws Error that counts as a database which is unavailable
 */
export const oneHistory = (onOther: (fault: Error) => void): ((client: Pick<ClientBase, 'query'>) => Promise<void>) => {
  let first: string | undefined;
  let other: Error | undefined;
  return async (client) => {
    const told = await ifTold(client.query<Timeline>(TIMELINE));
    if (!told) return;
    if (told.timeline === null) throw refusal('this Postgres is a standby, which takes no writes');
    first ??= told.timeline;
    if (told.timeline === first) return;
    if (!other) {
      other = refusal(
        'Postgres has failed over: what this process remembers of its tables may never have reached it; the next start reads them again',
      );
      onOther(other);
    }
    throw other;
  };
};
