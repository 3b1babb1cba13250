import { songId, songPlayed, userId, type RecordedEvent, type SongPlaysTable, type UserSongPlaysTable } from '@continuo/contracts';
import { testPostgres, type TestPostgres } from '@continuo/local-servers';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { playsProjection } from './play.projection.js';

interface Tables {
  song_plays: SongPlaysTable;
  user_song_plays: UserSongPlaysTable;
}

/** A reproducible stream of plays: few users and songs, times out of order. */
const eventsOf = (total: number): RecordedEvent[] =>
  Array.from({ length: total }, (_, n) => ({
    ...songPlayed({
      userId: userId.parse(1 + ((n * 7) % 3)),
      songId: songId.parse(1 + ((n * 31) % 40)),
      playedAtMs: 1_700_000_000_000 + ((n * 7919) % 5000),
      client: 'test',
    }),
    id: `event-${n}`,
    at: n,
    actor: 'system',
    correlationId: 'test',
    causationId: 'test',
    stream: 'EV_PLAYBACK',
    subject: 'ev.playback.00.plays.1',
    position: n + 1,
  }));

let postgres: TestPostgres;
let pool: Pool;
let db: Kysely<Tables>;

beforeAll(async () => {
  postgres = await testPostgres();
  pool = new Pool({ connectionString: postgres.url, max: 1 });
  db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
});
afterAll(async () => {
  await db.destroy();
  await postgres.stop();
});

/** Applies the events in batches to fresh tables and answers all rows. */
const rowsAfter = async (events: readonly RecordedEvent[], batchSize: number): Promise<unknown> => {
  await sql`drop schema if exists p cascade`.execute(db);
  await sql`create schema p`.execute(db);
  await sql`set search_path to p`.execute(db);
  for (const statement of playsProjection.ddl) await sql.raw(statement).execute(db);
  for (let at = 0; at < events.length; at += batchSize) {
    for (const query of playsProjection.project(events.slice(at, at + batchSize), db)) {
      const { sql: text, parameters } = query.compile();
      await pool.query(text, [...parameters]);
    }
  }
  return {
    songs: await db.selectFrom('song_plays').selectAll().orderBy('song_id').execute(),
    userSongs: await db.selectFrom('user_song_plays').selectAll().orderBy('user_id').orderBy('song_id').execute(),
  };
};

describe('playback-plays', () => {
  it('gives the same rows however the log is cut into batches', async () => {
    const events = eventsOf(500);
    const whole = await rowsAfter(events, 500);
    for (const size of [1, 7, 100]) expect(await rowsAfter(events, size)).toEqual(whole);
  });

  it('counts by song and by user and song, and keeps the latest time', async () => {
    await rowsAfter(eventsOf(500), 64);
    const [total] = await db
      .selectFrom('song_plays')
      .select(({ fn }) => fn.sum('play_count').as('plays'))
      .execute();
    const [byUser] = await db
      .selectFrom('user_song_plays')
      .select(({ fn }) => fn.sum('play_count').as('plays'))
      .execute();
    expect([Number(total?.plays), Number(byUser?.plays)]).toEqual([500, 500]);
    const latest = Math.max(...eventsOf(500).map(({ data }) => (data as { playedAtMs: number }).playedAtMs));
    const [row] = await db
      .selectFrom('song_plays')
      .select(({ fn }) => fn.max('last_played_at_ms').as('at'))
      .execute();
    expect(Number(row?.at)).toBe(latest);
  });

  it('skips events that it does not know', () => {
    const unknown = { ...eventsOf(1)[0], type: 'SongHummed' } as RecordedEvent;
    expect(playsProjection.project([unknown], db)).toEqual([]);
  });
});
