import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { seedSyntheticLibrary } from '../../../test/library/synthetic-library.js';
import type { ReadDatabase } from './database.js';
import { nowPlaying } from '../../features/playback/now-playing.reads.js';
import { randomSong, randomSongIn, randomSongOfOpinion } from '../songs/random-song.reads.js';
import { similarArtistIds, similarSongIds, songIdsLikeArtist } from '../songs/similar.reads.js';
import { songNamed } from '../songs/song-match.reads.js';
import type { Viewer } from '../visibility/viewer.js';

/** Large enough that looking at all songs would show, small enough to be filled in seconds. */
const SONGS = 20_000;
const viewer: Viewer = { userId: 1, catalogs: 'all' };
let model: TestReadModel;

beforeAll(async () => {
  model = await testReadModel();
  await seedSyntheticLibrary(model.write as unknown as Kysely<unknown>, SONGS);
}, 120_000);
afterAll(() => model.close());

/** Rows that the tables gave to statements so far, by whole scans and by index. */
const rowsRead = async (): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::float8 as n from pg_stat_user_tables`.execute(model.read);
  return rows[0]?.n ?? 0;
};

/** Returns the rows that a read visits. */
const cost = async (read: (db: ReadDatabase) => Promise<unknown>): Promise<number> => {
  const before = await rowsRead();
  await model.read.connection().execute(async (connection) => {
    await read(connection);
    await sql`select pg_stat_force_next_flush()`.execute(connection);
  });
  return (await rowsRead()) - before;
};

it('sees a scan of all songs', async () => {
  const rows = await cost((db) => sql`select count(comment) from library.song`.execute(db));
  expect(rows).toBeGreaterThanOrEqual(SONGS);
});

describe('looks at a bounded part of the library for', () => {
  const middle = SONGS / 2;
  it.each<[string, number, (db: ReadDatabase) => Promise<unknown>]>([
    ['songs like a song', 9000, (db) => similarSongIds(db, middle, viewer, 50)],
    ['songs like a song in some catalogs', 9000, (db) => similarSongIds(db, middle, { userId: 1, catalogs: [1, 2] }, 50)],
    // Each of these artists has all forty genres; which table is asked first, and so how many rows, is the planner's choice.
    ['artists like an artist', 30_000, (db) => similarArtistIds(db, 100, viewer, 10)],
    ['songs like an artist', 30_000, (db) => songIdsLikeArtist(db, 100, viewer, { limit: 50 })],
    ['a song by its names', 100, (db) => songNamed(db, { title: 'Song', artist: 'Artist', album: 'Album' }, viewer)],
    ['a random song', 5000, (db) => randomSong(db, viewer)],
    ['a random song of a genre', 3000, (db) => randomSongIn(db, 'genre', 1, viewer)],
    ['a random song of an artist', 500, (db) => randomSongIn(db, 'artist', 7, viewer)],
    ['a random song of an album', 100, (db) => randomSongIn(db, 'album', 7, viewer)],
    ['a random favourite', 1000, (db) => randomSongOfOpinion(db, { flagged: true }, viewer)],
    ['what is playing', 100, (db) => nowPlaying(db, viewer, { nowMs: Date.now() })],
  ])('%s', async (_, most, read) => {
    expect(await cost(read)).toBeLessThan(most);
  });
});
