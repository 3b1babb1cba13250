import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedFixtureLibrary, type FixtureSong } from '../../../test/library/fixture-library.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { createRankings, type RankedKind, type RankingQuery } from './rankings.js';
import type { Viewer } from '../visibility/viewer.js';

const everybody: Viewer = { userId: 1, catalogs: 'all' };
let model: TestReadModel;

const SONGS = 8;
const library: FixtureSong[] = Array.from({ length: SONGS }, (_, n) => ({
  title: `song ${n}`,
  album: `album ${n % 3}`,
  artists: n % 4 === 0 ? ['Ann', 'Ben'] : [n % 2 === 0 ? 'Ann' : 'Cat'],
  albumArtists: ['Ann'],
  disk: 1 + (n % 2),
  folder: `folder ${n % 3}`,
  fileName: `${n}.mp3`,
  catalogId: 1 + (n % 3 === 2 ? 1 : 0),
}));

interface SongRow {
  readonly id: number;
  readonly catalog: number;
  readonly album: number;
  readonly album_disk: number;
  readonly artist: readonly number[];
}
let songs: SongRow[] = [];

beforeAll(async () => {
  model = await testReadModel();
  await seedFixtureLibrary(model.write, library);
  const { rows } = await sql<SongRow>`
    select s.id, s.catalog_id as catalog, s.album_id as album, (s.album_id * 256 + s.disk)::int as album_disk,
      array(select artist_id::int from library.song_artist where song_id = s.id) as artist from library.song s order by s.id`.execute(
    model.read,
  );
  songs = rows;
});
afterAll(() => model.close());

interface Play {
  readonly user: number;
  readonly song: number;
  readonly at: number;
  readonly skipped: boolean;
}

/** Writes plays as the projection would. */
const seedPlays = async (plays: readonly Play[]): Promise<void> => {
  for (const table of ['play', 'song_plays', 'user_song_plays'])
    await sql`delete from ${sql.table(`playback.${table}`)}`.execute(model.write);
  const rows = plays.map(({ user, song, at, skipped }, n) => ({ id: n + 1, user_id: user, song_id: song, at_ms: at, skipped }));
  await sql`insert into playback.play (id, user_id, song_id, at_ms, skipped, client)
    select id, user_id, song_id, at_ms, skipped, 'spec' from json_to_recordset(${JSON.stringify(rows)})
      as x(id bigint, user_id int, song_id int, at_ms bigint, skipped boolean)`.execute(model.write);
  const counts = sql`count(*) filter (where not skipped), count(*) filter (where skipped),
    max(at_ms) filter (where not skipped), max(at_ms) filter (where skipped) from playback.play`;
  await sql`insert into playback.song_plays (song_id, play_count, skip_count, last_played_at_ms, last_skipped_at_ms) select song_id, ${counts} group by song_id`.execute(
    model.write,
  );
  await sql`insert into playback.user_song_plays (user_id, song_id, play_count, skip_count, last_played_at_ms, last_skipped_at_ms) select user_id, song_id, ${counts} group by user_id, song_id`.execute(
    model.write,
  );
};

const ownersOf = (song: SongRow, kind: RankedKind): readonly number[] =>
  kind === 'song' ? [song.id] : kind === 'artist' ? song.artist : kind === 'album' || kind === 'album_disk' ? [song[kind]] : [];

/** The same by definition. */
const naive = (plays: readonly Play[], { kind, ranking, userId, sinceMs = 0 }: RankingQuery, viewer: Viewer): number[] => {
  const totals = new Map<number, { plays: number; at: number }>();
  for (const play of plays) {
    const song = songs.find(({ id }) => id === play.song);
    const isSeen = song && (viewer.catalogs === 'all' || viewer.catalogs.includes(song.catalog));
    if (!isSeen || play.skipped || (userId !== undefined && play.user !== userId)) continue;
    if (ranking === 'frequent' && play.at < sinceMs) continue;
    for (const owner of ownersOf(song, kind)) {
      const known = totals.get(owner) ?? { plays: 0, at: 0 };
      totals.set(owner, { plays: known.plays + 1, at: Math.max(known.at, play.at) });
    }
  }
  const byTime = (one: { at: number }, other: { at: number }): number => (ranking === 'forgotten' ? one.at - other.at : other.at - one.at);
  const byCount = ranking === 'frequent' || ranking === 'popular';
  return [...totals]
    .toSorted(([oneId, one], [otherId, other]) => (byCount ? other.plays - one.plays : 0) || byTime(one, other) || oneId - otherId)
    .map(([id]) => id);
};

const plays: fc.Arbitrary<Play[]> = fc.array(
  fc.record({
    user: fc.integer({ min: 1, max: 2 }),
    // One song more than there are: a deleted one.
    song: fc.integer({ min: 1, max: SONGS + 1 }),
    at: fc.integer({ min: 1, max: 50 }),
    skipped: fc.boolean(),
  }),
  { maxLength: 40 },
);
const query = fc.record(
  {
    kind: fc.constantFrom<RankedKind>('song', 'album', 'album_disk', 'artist'),
    ranking: fc.constantFrom('frequent' as const, 'popular' as const, 'recent' as const, 'forgotten' as const),
    userId: fc.integer({ min: 1, max: 3 }),
  },
  { requiredKeys: ['kind', 'ranking'] },
);
const viewers = fc.constantFrom<Viewer>(everybody, { userId: 1, catalogs: [1] }, { userId: 1, catalogs: [] });

describe('rankings', () => {
  it('are those of a plain list of plays', async () => {
    await fc.assert(
      fc.asyncProperty(plays, query, viewers, async (list, wanted, viewer) => {
        await seedPlays(list);
        const found = await createRankings(model.read, 1e6).ids(wanted, viewer);
        expect([...found.ids]).toEqual(naive(list, wanted, viewer));
      }),
      { numRuns: 120 },
    );
  });

  it('leave out what was played before the window', async () => {
    const [first, second] = [songs[0]?.id ?? 0, songs[1]?.id ?? 0];
    const step = 60_000;
    await seedPlays([first, first, second].map((song, n) => ({ user: 1, song, at: (n + 1) * step, skipped: false })));
    const wanted = { kind: 'song', ranking: 'frequent', sinceMs: 3 * step + 5 } as const;
    expect([...(await createRankings(model.read, 1e6).ids(wanted, everybody)).ids]).toEqual([second]);
  });

  it('follow the plays, and are the same list until there are more', async () => {
    const rankings = createRankings(model.read, 1e6);
    const wanted = { kind: 'album', ranking: 'recent' } as const;
    const list = [{ user: 1, song: songs[0]?.id ?? 0, at: 1, skipped: false }];
    await seedPlays(list);
    const first = await rankings.ids(wanted, everybody);
    expect(await rankings.ids(wanted, everybody)).toBe(first);
    await seedPlays([...list, { user: 1, song: songs[1]?.id ?? 0, at: 2, skipped: false }]);
    expect([...(await rankings.ids(wanted, everybody)).ids]).toEqual([songs[1]?.album, songs[0]?.album]);
  });

  it('know ratings and favourites, of everybody and of one', async () => {
    const rankings = createRankings(model.read, 1e6);
    const [one = 0, two = 0, three = 0] = songs.map(({ id }) => id);
    await sql`insert into social.rating_average (kind, object_id, rating_count, rating_sum) values
      ('song', ${one}, 2, 6), ('song', ${two}, 1, 5), ('song', ${three}, 4, 12), ('song', 999, 1, 5), ('album', ${one}, 1, 5)`.execute(
      model.write,
    );
    await sql`insert into social.rating (user_id, kind, object_id, rating, rated_at_ms) values (1, 'song', ${one}, 2, 1), (1, 'song', ${three}, 4, 2)`.execute(
      model.write,
    );
    await sql`insert into social.user_flag (user_id, kind, object_id, flagged_at_ms) values (1, 'song', ${one}, 5), (1, 'song', ${two}, 9), (2, 'song', ${three}, 1)`.execute(
      model.write,
    );
    const ids = async (wanted: RankingQuery, viewer = everybody) => [...(await rankings.ids(wanted, viewer)).ids];
    expect(await ids({ kind: 'song', ranking: 'highest' })).toEqual([two, three, one]);
    expect(await ids({ kind: 'song', ranking: 'highest', userId: 1 })).toEqual([three, one]);
    expect(await ids({ kind: 'song', ranking: 'flagged' })).toEqual([two, one]);
    expect(await ids({ kind: 'song', ranking: 'flagged', userId: 2 })).toEqual([three]);
    expect(await ids({ kind: 'song', ranking: 'flagged' }, { userId: 1, catalogs: [] })).toEqual([]);
    expect(await ids({ kind: 'album', ranking: 'highest' })).toEqual([one]);
    expect(await ids({ kind: 'artist', ranking: 'highest' })).toEqual([]);
  });

  it('keep what is best rated until something of the kind is rated', async () => {
    const rankings = createRankings(model.read, 1e6);
    const wanted = { kind: 'album_disk', ranking: 'highest' } as const;
    const disk = songs[0]?.album_disk ?? 0;
    expect(await rankings.ids(wanted, everybody)).not.toBe(await rankings.ids(wanted, everybody));
    await sql`insert into social.rating_version values ('album_disk', 5)`.execute(model.write);
    const first = await rankings.ids(wanted, everybody);
    expect(await rankings.ids(wanted, everybody)).toBe(first);
    await sql`insert into social.rating_average (kind, object_id, rating_count, rating_sum) values ('album_disk', ${disk}, 1, 5)`.execute(
      model.write,
    );
    await sql`update social.rating_version set position = 6 where kind = 'album_disk'`.execute(model.write);
    expect([...(await rankings.ids(wanted, everybody)).ids]).toEqual([disk]);
    expect([...(await rankings.ids(wanted, { userId: 1, catalogs: [] })).ids]).toEqual([]);
  });
});
