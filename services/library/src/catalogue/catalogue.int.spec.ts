import { openDatabase } from '@continuo/chassis';
import {
  catalogAdded,
  catalogRemoved,
  folderDiscovered,
  folderSidecarsChanged,
  tracksAdded,
  tracksChanged,
  tracksMovedIn,
  tracksMovedOut,
  tracksRemoved,
  type AlbumId,
  type ArtistId,
  type CatalogId,
  type DomainEvent,
  type FolderId,
  type GenreId,
  type RecordedEvent,
  type RecordedTrack,
  type SongId,
} from '@continuo/contracts';
import { testPostgres, type TestPostgres } from '@continuo/local-servers';
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { track } from '../testkit/tracks.js';
import { catalogueProjection } from './catalogue.projection.js';

/** A small deterministic generator of pseudo-random whole numbers below a bound. */
const dice = (seed: number) => {
  let state = seed;
  return (bound: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
};

const artist = (n: number) => ({ id: (n + 1) as ArtistId, name: `Artist ${n}` });
const genre = (n: number) => ({ id: (n + 1) as GenreId, name: `Genre ${n}` });

/** A random but possible history: folders whose songs come, change, move and go, over two catalogs of which one may be removed. */
const history = (seed: number, length: number): RecordedEvent[] => {
  const roll = dice(seed);
  const events: DomainEvent[] = [
    catalogAdded({
      catalogId: 1 as CatalogId,
      name: 'one',
      type: 'local',
      gatherTypes: 'music',
      path: '/one',
      renamePattern: null,
      sortPattern: null,
    }),
  ];
  const holders = new Map<number, Map<number, string>>();
  let nextSong = 1;
  const makeTrack = (songId: number): RecordedTrack => {
    const {
      artists: _a,
      albumArtists: _b,
      album: _c,
      genres: _d,
      moods: _e,
      ...plain
    } = track(`${songId}.mp3`, { year: 1990 + roll(20), durationMs: 1000 * roll(300), disk: 1 + roll(2), track: roll(12) });
    return {
      ...plain,
      songId: songId as SongId,
      artistIds: [...new Set([roll(4), roll(4)])].map((n) => artist(n).id),
      albumId: (1 + roll(5)) as AlbumId,
      genreIds: [...new Set([roll(3), roll(3)])].map((n) => genre(n).id),
      moodIds: [],
    };
  };
  const data = (folderId: number, tracks: RecordedTrack[]) => ({
    folderId: folderId as FolderId,
    catalogId: 1 as CatalogId,
    path: `f${folderId}`,
    tracks,
    names: {
      artists: [0, 1, 2, 3].map(artist),
      genres: [0, 1, 2].map(genre),
      moods: [],
      albums: [...new Set(tracks.map((t) => t.albumId))].map((id) => ({
        id,
        name: `Album ${id}`,
        artistIds: [artist(roll(4)).id],
        releaseTypes: [],
        recordLabels: [],
        compilation: roll(2) === 0,
        ...(roll(2) ? { year: 1980 + roll(9) } : {}),
      })),
    },
  });
  while (events.length < length) {
    const folderId = 1 + roll(4);
    const held = holders.get(folderId);
    if (!held) {
      holders.set(folderId, new Map());
      events.push(
        folderDiscovered({
          folderId: folderId as FolderId,
          catalogId: 1 as CatalogId,
          path: `f${folderId}`,
          parentId: null,
          name: `f${folderId}`,
        }),
      );
      continue;
    }
    const [some] = [...held.keys()].slice(roll(Math.max(1, held.size)));
    const choice = roll(10);
    if (choice < 4 || some === undefined) {
      const tracks = Array.from({ length: 1 + roll(3) }, () => makeTrack(nextSong++));
      for (const t of tracks) held.set(t.songId, t.fileName);
      events.push(tracksAdded(data(folderId, tracks)));
    } else if (choice < 6) events.push(tracksChanged(data(folderId, [makeTrack(some)])));
    else if (choice < 8) {
      held.delete(some);
      events.push(
        tracksRemoved({
          folderId: folderId as FolderId,
          catalogId: 1 as CatalogId,
          songs: [{ songId: some as SongId, fileName: `${some}.mp3` }],
        }),
      );
    } else if (choice === 8) {
      const target = [...holders.keys()].find((id) => id !== folderId);
      if (target === undefined) continue;
      held.delete(some);
      holders.get(target)?.set(some, `${some}.mp3`);
      const origin = { songId: some as SongId, folderId: folderId as FolderId, fileName: `${some}.mp3` };
      events.push(tracksMovedIn({ ...data(target, [makeTrack(some)]), from: [origin] }));
      events.push(
        tracksMovedOut({ folderId: folderId as FolderId, catalogId: 1 as CatalogId, songs: [origin], toFolderId: target as FolderId }),
      );
    } else {
      const art = roll(2) ? { hash: String(roll(9)).repeat(64), mime: 'image/png', sizeBytes: 1 } : null;
      events.push(
        folderSidecarsChanged({
          folderId: folderId as FolderId,
          catalogId: 1 as CatalogId,
          files: [{ fileName: 'cover.png', sizeBytes: 1, mtimeMs: events.length, kind: 'art' }],
          art,
        }),
      );
    }
  }
  if (seed % 3 === 0) events.push(catalogRemoved({ catalogId: 1 as CatalogId, path: '/one' }));
  return events.map((event, index) => ({
    ...event,
    id: String(index),
    at: 1000 + index,
    actor: 'system',
    correlationId: 'c',
    causationId: 'c',
    stream: 'EV_LIBRARY',
    subject: 's',
    position: index + 1,
  }));
};

let postgres: TestPostgres;
let db: Kysely<unknown>;

/** Projects a history cut into batches of the given sizes, and answers every table's rows as text. */
const projectInBatches = async (
  schema: string,
  events: readonly RecordedEvent[],
  nextSize: () => number,
): Promise<Record<string, string[]>> => {
  await db.transaction().execute(async (tx) => {
    await sql`create schema ${sql.id(schema)}`.execute(tx);
    await sql`set local search_path to ${sql.id(schema)}, public`.execute(tx);
    for (const statement of catalogueProjection.ddl) await sql.raw(statement).execute(tx);
  });
  for (let start = 0; start < events.length;) {
    const batch = events.slice(start, start + nextSize());
    start += batch.length;
    await db.transaction().execute(async (tx) => {
      await sql`set local search_path to ${sql.id(schema)}, public`.execute(tx);
      for (const query of catalogueProjection.project(batch, tx)) await tx.executeQuery(query.compile());
    });
  }
  const tables: Record<string, string[]> = {};
  for (const table of [...catalogueProjection.publishes, 'touched_album', 'touched_artist']) {
    const found = await sql<{ row: string }>`select t::text as row from ${sql.id(schema)}.${sql.id(table)} as t order by 1`.execute(db);
    tables[table] = found.rows.map((row) => row.row);
  }
  return tables;
};

beforeAll(async () => {
  postgres = await testPostgres();
  db = openDatabase({ url: postgres.url, poolSize: 4, applicationName: 'spec' });
  await sql`create extension if not exists pg_trgm`.execute(db);
});

afterAll(async () => {
  await db.destroy();
  await postgres.stop();
});

describe('the catalogue projection', () => {
  it.each([1, 2, 3, 4, 5])('gives the same rows however the log is cut (history %i)', async (seed) => {
    const events = history(seed, 150);
    const roll = dice(seed + 100);
    const single = await projectInBatches(`one_${seed}`, events, () => 1);
    const whole = await projectInBatches(`whole_${seed}`, events, () => events.length);
    const mixed = await projectInBatches(`mixed_${seed}`, events, () => 1 + roll(40));
    expect(whole).toEqual(single);
    expect(mixed).toEqual(single);
    expect(single['touched_album']).toEqual([]);
    expect(single['touched_artist']).toEqual([]);
  });

  it('remembers the highest id of a song that came and went within one batch', async () => {
    const added = history(2, 40).filter((event) => event.type !== 'TracksRemoved' && event.type !== 'CatalogRemoved');
    const last = added.findLast((event) => event.type === 'TracksAdded') as RecordedEvent<ReturnType<typeof tracksAdded>>;
    const { folderId, catalogId, tracks } = last.data;
    const songs = tracks.map(({ songId, fileName }) => ({ songId, fileName }));
    const gone = tracksRemoved({ folderId, catalogId, songs });
    const events = [...added, { ...last, ...gone, position: 1000, at: 9999 }];
    expect(await projectInBatches('came_whole', events, () => events.length)).toEqual(
      await projectInBatches('came_single', events, () => 1),
    );
    const { rows } = await sql<{ max_id: number }>`select max_id from came_whole.counter where kind = 'song' and catalog_id = 0`.execute(
      db,
    );
    expect(rows[0]?.max_id).toBe(Math.max(...songs.map((song) => song.songId)));
  });

  it('keeps totals equal to what the tables hold', async () => {
    const events = history(7, 300);
    await projectInBatches('totals', events, () => 25);
    const counted = await sql<{ kind: string; kept: number; real: number }>`
      select c.kind, c.total as kept, case c.kind
        when 'song' then (select count(*) from totals.song) when 'album' then (select count(*) from totals.album where song_count > 0)
        when 'artist' then (select count(*) from totals.artist where song_count > 0 or album_count > 0)
        when 'genre' then (select count(*) from totals.genre where song_count > 0) end as real
      from totals.counter c where c.catalog_id = 0 and c.kind in ('song', 'album', 'artist', 'genre')`.execute(db);
    expect(counted.rows).toHaveLength(4);
    for (const row of counted.rows) expect(row.kept).toBe(row.real);
    const genres = await sql`
      select g.id from totals.genre g where g.song_count <> (select count(*) from totals.song_genre x where x.genre_id = g.id)
        or g.album_count <> (select count(*) from totals.album_genre x where x.genre_id = g.id)
        or g.artist_count <> (select count(*) from totals.artist_genre x where x.genre_id = g.id)`.execute(db);
    expect(genres.rows).toEqual([]);
  });
});
