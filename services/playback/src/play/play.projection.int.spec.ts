import { openDatabase } from '@continuo/chassis';
import {
  mediaDownloaded,
  mediaPlayed,
  playbackStarted,
  playbackStopped,
  playsCleared,
  songId,
  songPlayed,
  songSkipped,
  userId,
  type PlayEvent,
  type RecordedEvent,
} from '@continuo/contracts';
import { testPostgres, type TestPostgres } from '@continuo/local-servers';
import fc from 'fast-check';
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { playsProjection } from './play.projection.js';
import type { PlayTables } from './play.tables.js';

const recorded = (event: PlayEvent, n: number): RecordedEvent => ({
  ...event,
  id: `event-${n}`,
  at: n,
  actor: 'system',
  correlationId: 'test',
  causationId: 'test',
  stream: 'EV_PLAYBACK',
  subject: 'ev.playback.00.plays.1',
  position: n + 1,
});

const who = { userId: fc.integer({ min: 1, max: 2 }).map((id) => userId.parse(id)), client: fc.constantFrom('web', 'phone') };
const play = { ...who, songId: fc.integer({ min: 1, max: 3 }).map((id) => songId.parse(id)), playedAtMs: fc.integer({ min: 1, max: 4 }) };
const until = fc.integer({ min: 10, max: 20 });

/** Few users, songs, clients and times, so that everything meets everything; also skips of plays that never were, doubled plays, and all forgotten. */
const events: fc.Arbitrary<RecordedEvent[]> = fc
  .array(
    fc.oneof(
      {
        arbitrary: fc
          .record({ ...play, playingUntilMs: until }, { requiredKeys: ['userId', 'client', 'songId', 'playedAtMs'] })
          .map((data) => songPlayed(data)),
        weight: 4,
      },
      { arbitrary: fc.record({ ...play, skippedAtMs: until }).map((data) => songSkipped(data)), weight: 2 },
      fc
        .record({
          ...who,
          objectType: fc.constantFrom('song' as const, 'video' as const),
          objectId: fc.integer({ min: 1, max: 3 }),
          startedAtMs: until,
          playingUntilMs: until,
        })
        .map((data) => playbackStarted(data)),
      fc
        .record(
          { ...who, objectId: fc.integer({ min: 1, max: 2 }), playedAtMs: play.playedAtMs, playingUntilMs: until },
          { requiredKeys: ['userId', 'client', 'objectId', 'playedAtMs'] },
        )
        .map((data) => mediaPlayed({ ...data, objectType: 'video' })),
      fc
        .record({ ...who, objectId: fc.integer({ min: 1, max: 2 }), downloadedAtMs: until })
        .map((data) => mediaDownloaded({ ...data, objectType: 'song' })),
      fc.record(who).map((data) => playbackStopped(data)),
      fc.record({ userId: who.userId }).map((data) => playsCleared(data)),
    ),
    { maxLength: 40 },
  )
  .map((list) => list.map((event, n) => recorded(event, n)));

let postgres: TestPostgres;
let db: Kysely<PlayTables>;

beforeAll(async () => {
  postgres = await testPostgres();
  db = openDatabase<PlayTables>({ url: postgres.url, poolSize: 1, applicationName: 'continuo-test' });
  await sql`create schema p`.execute(db);
  await sql`set search_path to p`.execute(db);
  for (const statement of playsProjection.ddl) await sql.raw(statement).execute(db);
});
afterAll(async () => {
  await db.destroy();
  await postgres.stop();
});

const allRows = async () => ({
  songs: await db.selectFrom('song_plays').selectAll().orderBy('song_id').execute(),
  userSongs: await db.selectFrom('user_song_plays').selectAll().orderBy('user_id').orderBy('song_id').execute(),
  plays: await db.selectFrom('play').selectAll().orderBy('id').execute(),
  cleared: await db.selectFrom('plays_cleared').selectAll().orderBy('user_id').execute(),
  media: await db.selectFrom('media_plays').selectAll().orderBy('object_id').orderBy('user_id').execute(),
  downloads: await db.selectFrom('download').selectAll().orderBy('id').execute(),
  playing: await db.selectFrom('now_playing').selectAll().orderBy('user_id').orderBy('client').execute(),
});
type Rows = Awaited<ReturnType<typeof allRows>>;

/** Applies the events to empty tables, cut where `cuts` say, and answers all rows. */
const rowsAfter = async (list: readonly RecordedEvent[], sizes: readonly number[]): Promise<Rows> => {
  await sql`truncate media_plays, download, song_plays, user_song_plays, play, now_playing, plays_cleared`.execute(db);
  let size = 0;
  for (let at = 0, n = 0; at < list.length; at += size, n += 1) {
    size = sizes[n % sizes.length] ?? 1;
    for (const query of playsProjection.project(list.slice(at, at + size), db)) await db.executeQuery(query.compile());
  }
  return allRows();
};

interface NaivePlay {
  readonly userId: number;
  readonly songId: number;
  readonly atMs: number;
  readonly client: string;
  skipped: boolean;
}

/** The same by definition: a list of plays, each skip taking the latest one that it names, and what is forgotten taking all of a user. */
const naivePlays = (list: readonly RecordedEvent[]): NaivePlay[] => {
  let all: NaivePlay[] = [];
  for (const event of list as readonly (PlayEvent & { position: number })[]) {
    if (event.type === 'PlaysCleared') all = all.filter((one) => one.userId !== event.data.userId);
    if (event.type !== 'SongPlayed' && event.type !== 'SongSkipped') continue;
    const { userId: user, songId: song, playedAtMs: atMs, client } = event.data;
    if (event.type === 'SongPlayed') all.push({ userId: user, songId: song, atMs, client, skipped: false });
    const named = all.findLast(
      (one) => !one.skipped && one.userId === user && one.songId === song && one.atMs === atMs && one.client === client,
    );
    if (event.type === 'SongSkipped' && named) named.skipped = true;
  }
  return all;
};

const latest = (times: readonly number[]): number | null => (times.length === 0 ? null : Math.max(...times));

const naiveCounts = (of: readonly NaivePlay[]) => {
  const [skips, counted] = [of.filter((one) => one.skipped), of.filter((one) => !one.skipped)];
  return {
    plays: counted.length,
    skips: skips.length,
    lastPlayed: latest(counted.map((one) => one.atMs)),
    lastSkipped: latest(skips.map((one) => one.atMs)),
  };
};

const countsOf = (row: Rows['songs'][number]) => ({
  plays: row.play_count,
  skips: row.skip_count,
  lastPlayed: row.last_played_at_ms,
  lastSkipped: row.last_skipped_at_ms,
});

describe('playback-plays', () => {
  it('gives the same rows however the log is cut into batches', async () => {
    await fc.assert(
      fc.asyncProperty(events, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }), async (list, sizes) => {
        expect(await rowsAfter(list, sizes)).toEqual(await rowsAfter(list, [1000]));
      }),
      { numRuns: 60 },
    );
  });

  it('counts what a list of plays counts, by song and by user and song', async () => {
    await fc.assert(
      fc.asyncProperty(events, fc.integer({ min: 1, max: 9 }), async (list, size) => {
        const rows = await rowsAfter(list, [size]);
        const all = naivePlays(list);
        expect(rows.plays.map((row) => row.skipped)).toEqual(all.map((one) => one.skipped));
        for (const row of rows.songs) expect(countsOf(row)).toEqual(naiveCounts(all.filter((one) => one.songId === row.song_id)));
        for (const row of rows.userSongs)
          expect(countsOf(row)).toEqual(naiveCounts(all.filter((one) => one.songId === row.song_id && one.userId === row.user_id)));
        expect(rows.songs).toHaveLength(new Set(all.map((one) => one.songId)).size);
        expect(rows.userSongs).toHaveLength(new Set(all.map((one) => `${one.userId}/${one.songId}`)).size);
      }),
      { numRuns: 60 },
    );
  });

  it('adds up videos by user, and keeps downloads apart from plays', async () => {
    const [one, two] = [userId.parse(1), userId.parse(2)];
    const video = (user: typeof one, playedAtMs: number) =>
      mediaPlayed({ userId: user, client: 'web', objectType: 'video', objectId: 9, playedAtMs, playingUntilMs: 9000 });
    const list = [
      video(one, 2000),
      video(one, 1000),
      video(two, 3000),
      mediaDownloaded({ userId: one, client: 'web', objectType: 'song', objectId: 7, downloadedAtMs: 4000 }),
      playsCleared({ userId: two }),
    ].map((event, n) => recorded(event, n));
    const rows = await rowsAfter(list, [2]);
    expect(rows.media).toEqual([{ object_type: 'video', object_id: 9, user_id: 1, play_count: 2, last_played_at_ms: 2000 }]);
    expect(rows.downloads.map(({ id, object_id, at_ms }) => [id, object_id, at_ms])).toEqual([[4, 7, 4000]]);
    expect([rows.songs, rows.plays]).toEqual([[], []]);
    expect(rows.playing.map((row) => [row.user_id, row.object_type, row.expires_at_ms])).toEqual([
      [1, 'video', 9000],
      [2, 'video', 9000],
    ]);
  });

  it('shows what each client began last, and nothing once it has stopped', async () => {
    const user = userId.parse(1);
    const [song, video] = [songId.parse(7), 9];
    const list = [
      songPlayed({ userId: user, songId: song, playedAtMs: 1000, client: 'web', playingUntilMs: 5000 }),
      songPlayed({ userId: user, songId: songId.parse(8), playedAtMs: 2000, client: 'web' }),
      playbackStarted({ userId: user, client: 'phone', objectType: 'video', objectId: video, startedAtMs: 1, playingUntilMs: 2 }),
      playbackStarted({ userId: user, client: 'car', objectType: 'song', objectId: 7, startedAtMs: 1, playingUntilMs: 2 }),
      playbackStopped({ userId: user, client: 'car' }),
    ].map((event, n) => recorded(event, n));
    const { playing } = await rowsAfter(list, [2]);
    expect(playing.map((row) => [row.client, row.object_type, row.object_id, row.expires_at_ms])).toEqual([
      ['phone', 'video', video, 2],
      ['web', 'song', 7, 5000],
    ]);
  });

  it('passes over events that it does not know', () => {
    const unknown = { ...recorded(playbackStopped({ userId: userId.parse(1), client: 'web' }), 0), type: 'SongHummed' };
    expect(playsProjection.project([unknown], db)).toEqual([]);
  });
});
