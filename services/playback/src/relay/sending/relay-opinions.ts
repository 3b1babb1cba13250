import { retryPauseMs, type RetryPauses } from '@continuo/chassis';
import type { RelayOpinionTable, RelayService } from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';
import type { Submission } from '../listen.js';
import type { LinkKey } from './relay-journal.js';
import type { RelayedSongs, SongFacts } from './relayed-songs.js';

interface Tables {
  'playback.relay_opinion': RelayOpinionTable;
}

/** Migration that creates the table of favourites to send. */
export const relayOpinionMigration = {
  name: '20261121-relay-opinions',
  statements: [
    `create table relay_opinion (
      user_id integer not null,
      service text not null,
      song_id integer not null,
      loved boolean not null,
      position bigint not null,
      attempts integer not null default 0,
      next_at_ms bigint not null default 0,
      primary key (user_id, service, song_id)
    )`,
  ],
} as const;

/** Rating or flag of a song, and its position in the log. */
export interface Opinion {
  readonly userId: number;
  readonly songId: number;
  readonly loved: boolean;
  readonly position: number;
}

/** Favourites to send to scrobble services: of each song the latest state, until it was sent. */
export interface RelayOpinions {
  /** Notes an opinion for each service that the account is linked with; answers which these are. */
  add(opinion: Opinion): Promise<readonly RelayService[]>;
  due(link: LinkKey, nowMs: number, limit: number): Promise<readonly RelayOpinionTable[]>;
  /** When the next one is due; null when none waits. */
  nextAt(link: LinkKey): Promise<number | null>;
  /** Nothing when there is a later word by now. */
  end(opinion: RelayOpinionTable): Promise<void>;
  putOff(opinion: RelayOpinionTable, nextAtMs: number): Promise<void>;
  forget(link: LinkKey): Promise<void>;
}

/** Opinions in Postgres, beside the log. */
export const postgresRelayOpinions = (untyped: Kysely<unknown>): RelayOpinions => {
  const db = untyped as Kysely<Tables>;
  const the = (row: RelayOpinionTable) => ({ user_id: row.user_id, service: row.service, song_id: row.song_id, position: row.position });
  return {
    add: async ({ userId, songId, loved, position }) => {
      const { rows } = await sql<{ service: RelayService }>`
        insert into playback.relay_opinion as o (user_id, service, song_id, loved, position)
        select l.user_id, l.service, ${songId}, ${loved}, ${position} from playback.relay_link l where l.user_id = ${userId}
        on conflict (user_id, service, song_id) do update
          set loved = excluded.loved, position = excluded.position, attempts = 0, next_at_ms = 0
          where o.position < excluded.position
        returning o.service`.execute(db);
      return rows.map(({ service }) => service);
    },
    due: ({ user_id, service }, nowMs, limit) =>
      db
        .selectFrom('playback.relay_opinion')
        .selectAll()
        .where('user_id', '=', user_id)
        .where('service', '=', service)
        .where('next_at_ms', '<=', nowMs)
        .orderBy('position')
        .limit(limit)
        .execute(),
    nextAt: async ({ user_id, service }) => {
      const row = await db
        .selectFrom('playback.relay_opinion')
        .select((eb) => eb.fn.min('next_at_ms').as('next'))
        .where('user_id', '=', user_id)
        .where('service', '=', service)
        .executeTakeFirst();
      return row?.next ?? null;
    },
    end: async (row) => {
      await db
        .deleteFrom('playback.relay_opinion')
        .where((eb) => eb.and(the(row)))
        .execute();
    },
    putOff: async (row, nextAtMs) => {
      await db
        .updateTable('playback.relay_opinion')
        .set({ attempts: row.attempts + 1, next_at_ms: nextAtMs })
        .where((eb) => eb.and(the(row)))
        .execute();
    },
    forget: async ({ user_id, service }) => {
      await db.deleteFrom('playback.relay_opinion').where('user_id', '=', user_id).where('service', '=', service).execute();
    },
  };
};

/** Dependencies for sending ratings and flags. */
export interface OpinionDependencies {
  readonly opinions: RelayOpinions;
  readonly songs: RelayedSongs;
  readonly limits: RetryPauses & { readonly maxAttempts: number };
  readonly now: () => number;
}

const MINUTE_MS = 60_000;
const AT_ONCE = 20;
const MOST_PER_TURN = 100;

/**
 * Tells what of a link's opinions is due. They are an extra: one that a service does not take for long is given up, and plays never wait for them.
 * Answers the reason when the service does not know the account any more.
 */
export const tellOpinions = async (
  { opinions, songs, limits, now }: OpinionDependencies,
  link: LinkKey,
  say: (song: SongFacts, loved: boolean) => Promise<Submission>,
): Promise<{ readonly unauthorized: string } | undefined> => {
  for (let told = 0; told < MOST_PER_TURN;) {
    const rows = await opinions.due(link, now(), AT_ONCE);
    const { songs: known, knownUpTo } = await songs.byIds(rows.map(({ song_id }) => song_id));
    for (const row of rows) {
      const song = known.get(row.song_id);
      if (song === undefined && row.song_id > knownUpTo) {
        await opinions.putOff(row, now() + MINUTE_MS);
        continue;
      }
      const submission = song ? await say(song, row.loved) : undefined;
      if (submission?.kind === 'unauthorized') return { unauthorized: submission.reason };
      if (submission?.kind !== 'later' || row.attempts + 1 >= limits.maxAttempts) await opinions.end(row);
      else {
        await opinions.putOff(row, now() + retryPauseMs(row.attempts + 1, limits, submission.retryAfterMs, Math.random()));
        // It is likely to say the same of the others.
        return undefined;
      }
    }
    told += rows.length;
    if (rows.length < AT_ONCE) return undefined;
  }
  return undefined;
};
