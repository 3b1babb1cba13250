import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedFixtureLibrary, type FixtureSong } from '../../../test/library/fixture-library.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { similarArtistIds, similarSongIds, songIdsLikeArtist } from './similar.reads.js';
import type { Viewer } from '../visibility/viewer.js';

const viewer: Viewer = { userId: 1, catalogs: 'all' };
let model: TestReadModel;

const song = (title: string, artist: string, more: Partial<FixtureSong> = {}): FixtureSong => ({
  title,
  album: `${artist} album`,
  artists: [artist],
  folder: artist,
  fileName: `${title}.mp3`,
  catalogId: 1,
  year: 1990,
  ...more,
});

/** Everything is Pop, little is Dub: sharing Dub says more. */
const library = [
  song('base', 'Ann', { genres: ['Pop', 'Dub'], moods: ['calm'] }),
  song('twin', 'Ben', { genres: ['Pop', 'Dub'], moods: ['calm'] }),
  song('dub', 'Cat', { genres: ['Dub'], year: 1991 }),
  song('pop near', 'Dan', { genres: ['Pop'], year: 1990 }),
  song('pop far', 'Eve', { genres: ['Pop'], year: 1950 }),
  song('nothing', 'Fay', { genres: ['Noise'], year: 0 }),
  ...Array.from({ length: 12 }, (_, n) => song(`pop ${n}`, `Filler ${n}`, { genres: ['Pop'], year: 0 })),
  ...Array.from({ length: 8 }, (_, n) => song(`wide ${n}`, 'Wide', { genres: ['Pop', `Rare ${n}`], year: 0 })),
  song('elsewhere', 'Gus', { genres: ['Pop', 'Dub'], moods: ['calm'], catalogId: 2 }),
];

beforeAll(async () => {
  model = await testReadModel();
  await seedFixtureLibrary(model.write, library);
});
afterAll(() => model.close());

const named = async (table: 'song' | 'artist', ids: readonly number[] | undefined): Promise<string[] | undefined> => {
  if (!ids) return undefined;
  const column = sql.ref(table === 'song' ? 'title' : 'name');
  const { rows } = await sql<{ id: number; name: string }>`select id, ${column} as name from ${sql.table(`library.${table}`)}`.execute(
    model.read,
  );
  return ids.map((id) => rows.find((row) => row.id === id)?.name ?? '?');
};
const idOf = async (table: 'song' | 'artist', name: string): Promise<number> => {
  const column = sql.ref(table === 'song' ? 'title' : 'name');
  const { rows } = await sql<{ id: number }>`select id from ${sql.table(`library.${table}`)} where ${column} = ${name}`.execute(model.read);
  return rows[0]?.id ?? 0;
};

describe('songs like a song', () => {
  it('share what is rare, then more, and are of a near year', async () => {
    const ids = await similarSongIds(model.read, await idOf('song', 'base'), viewer, 5);
    expect(await named('song', ids)).toEqual(['twin', 'elsewhere', 'dub', 'pop near', 'pop far']);
  });
  it('come in the same order each time, whatever their number', async () => {
    const id = await idOf('song', 'base');
    const all = await similarSongIds(model.read, id, viewer, 100);
    expect(await similarSongIds(model.read, id, viewer, 100)).toEqual(all);
    expect(await similarSongIds(model.read, id, viewer, 3)).toEqual(all?.slice(0, 3));
    expect(await named('song', all)).not.toContain('nothing');
    expect(all).not.toContain(id);
  });
  it('are none for a song without anything in common, and unknown for one that is not seen', async () => {
    expect(await similarSongIds(model.read, await idOf('song', 'nothing'), viewer, 5)).toEqual([]);
    expect(await similarSongIds(model.read, 999, viewer, 5)).toBeUndefined();
    const blind: Viewer = { userId: 1, catalogs: [1] };
    expect(await similarSongIds(model.read, await idOf('song', 'elsewhere'), blind, 5)).toBeUndefined();
    expect(await named('song', await similarSongIds(model.read, await idOf('song', 'base'), blind, 50))).not.toContain('elsewhere');
  });
});

describe('artists like an artist', () => {
  it('have the same genres in the same measure', async () => {
    const ids = await similarArtistIds(model.read, await idOf('artist', 'Ann'), viewer, 3);
    expect((await named('artist', ids))?.toSorted()).toEqual(['Ben', 'Cat', 'Gus']);
  });
  it('share what makes up much of them, however many rarer genres they have', async () => {
    const wide = await idOf('artist', 'Wide');
    expect(await named('artist', await similarArtistIds(model.read, wide, viewer, 50))).toContain('Ann');
  });
  it('are those that the viewer sees', async () => {
    const blind: Viewer = { userId: 1, catalogs: [1] };
    expect(await named('artist', await similarArtistIds(model.read, await idOf('artist', 'Ann'), blind, 30))).not.toContain('Gus');
    expect(await similarArtistIds(model.read, await idOf('artist', 'Gus'), blind, 3)).toBeUndefined();
    expect(await similarArtistIds(model.read, await idOf('artist', 'Fay'), viewer, 3)).toEqual([]);
  });
  it('give songs, one of each in turn, the own first', async () => {
    const ids = await songIdsLikeArtist(model.read, await idOf('artist', 'Ann'), viewer, { limit: 3 });
    expect((await named('song', ids))?.[0]).toBe('base');
    expect(ids).toHaveLength(3);
    expect(await songIdsLikeArtist(model.read, 999, viewer, { limit: 3 })).toBeUndefined();
  });
});
