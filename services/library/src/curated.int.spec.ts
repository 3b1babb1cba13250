import { hideGenre, mergeGenre, removeCatalog, showGenre, unmergeGenre, type GenreId } from '@continuo/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RunningLibrary, until } from '../test/running-library.js';
import { track } from '../test/tracks.js';

let library: RunningLibrary;
let { rows, send, record, verifyRebuild } = {} as RunningLibrary;

beforeAll(async () => {
  library = await RunningLibrary.start();
  ({ rows, send, record, verifyRebuild } = library);
  await record('One/CD', {
    tracks: [
      track('1.mp3', { disk: 1, album: { name: 'One', recordLabels: ['Own Label', 'Other'] }, genres: ['Punk'], license: CC_BY_SA }),
      track('2.mp3', {
        disk: 2,
        album: { name: 'One', recordLabels: ['Third'] },
        publisher: 'Third',
        genres: ['Punk', 'Rock'],
        license: 'All rights reserved',
      }),
    ],
  });
  await record('Two', {
    tracks: [track('3.mp3', { album: { name: 'Two', recordLabels: ['own  label'] }, genres: ['Rock'], license: 'cc by-sa 4.0' })],
  });
});

afterAll(() => library.stop());

const CC_BY_SA = 'https://creativecommons.org/licenses/by-sa/4.0/';

const idOf = async (name: string): Promise<GenreId> =>
  (await rows(sql<{ id: GenreId }>`select id from library.genre where name = ${name}`))[0]?.id as GenreId;
const genres = () => rows(sql`select name, song_count, album_count, artist_count, hidden from library.genre order by name`);
const genresOf = async (title: string) => {
  const [song] = await rows(sql<{ doc: string }>`select doc from library.song where title = ${title}`);
  return (JSON.parse(song?.doc ?? '') as { genres: { name: string }[] }).genres.map(({ name }) => name);
};
const versionOf = async (kind: string): Promise<number> =>
  (await rows(sql<{ version: number }>`select version from library.counter where kind = ${kind} and catalog_id = 0`))[0]?.version ?? 0;

describe('what tags name', () => {
  it('are labels, in any spelling one, with their albums and artists', async () => {
    expect(await rows(sql`select name, album_count, artist_count from library.label order by name`)).toEqual([
      { name: 'Other', album_count: 1, artist_count: 1 },
      { name: 'Own Label', album_count: 2, artist_count: 1 },
      { name: 'Third', album_count: 1, artist_count: 1 },
    ]);
  });

  it('are labels of the album, and of the songs that name them', async () => {
    const publishers = await rows(sql`select title, publisher from library.song order by title`);
    expect(publishers).toEqual([
      { title: '1', publisher: 'Own Label' },
      { title: '2', publisher: 'Third' },
      { title: '3', publisher: 'own  label' },
    ]);
  });

  it('are licences, linked or not', async () => {
    expect(await rows(sql`select name, external_link, song_count from library.license order by name`)).toEqual([
      { name: 'All rights reserved', external_link: '', song_count: 1 },
      { name: 'CC BY-SA 4.0', external_link: CC_BY_SA, song_count: 2 },
    ]);
  });

  it('are disks under ids of their own', async () => {
    expect(
      await rows(
        sql`select d.id - d.album_id * 256 as disk, d.song_count from library.album_disk d join library.album a on a.id = d.album_id where a.name = 'One' order by 1`,
      ),
    ).toEqual([
      { disk: 1, song_count: 1 },
      { disk: 2, song_count: 1 },
    ]);
  });

  it('fill folders up to the root', async () => {
    expect(await rows(sql`select path, song_count, duration_ms from library.folder order by path`)).toEqual([
      { path: '', song_count: 3, duration_ms: 540_000 },
      { path: 'One', song_count: 2, duration_ms: 360_000 },
      { path: 'One/CD', song_count: 2, duration_ms: 360_000 },
      { path: 'Two', song_count: 1, duration_ms: 180_000 },
    ]);
  });
});

describe('genres', () => {
  it('are hidden and shown', async () => {
    const version = await versionOf('genre');
    await send(hideGenre, { genreId: await idOf('Rock') });
    expect(await genres()).toContainEqual({ name: 'Rock', song_count: 2, album_count: 2, artist_count: 1, hidden: true });
    expect(await rows(sql`select total from library.counter where kind = 'genre' and catalog_id = 0`)).toEqual([{ total: 1 }]);
    expect(await versionOf('genre')).toBeGreaterThan(version);
    await send(showGenre, { genreId: await idOf('Rock') });
    expect(await genres()).toContainEqual({ name: 'Rock', song_count: 2, album_count: 2, artist_count: 1, hidden: false });
    const end = await library.logEnd();
    await send(showGenre, { genreId: await idOf('Rock') });
    expect(await library.logEnd()).toBe(end);
  });

  it('are merged for songs that are there and songs that come', async () => {
    const [punk, rock] = [await idOf('Punk'), await idOf('Rock')];
    await send(mergeGenre, { genreId: punk, intoIds: [rock] });
    await record('Two', { tracks: [track('4.mp3', { album: { name: 'Two' }, genres: ['Punk', 'Jazz'] })] });
    expect(await genres()).toEqual([
      { name: 'Jazz', song_count: 1, album_count: 1, artist_count: 1, hidden: false },
      { name: 'Punk', song_count: 0, album_count: 0, artist_count: 0, hidden: true },
      { name: 'Rock', song_count: 4, album_count: 2, artist_count: 1, hidden: false },
    ]);
    expect([await genresOf('1'), await genresOf('2'), await genresOf('4')]).toEqual([['Rock'], ['Rock'], ['Rock', 'Jazz']]);
    await send(unmergeGenre, { genreId: punk });
    expect([await genresOf('1'), await genresOf('2'), await genresOf('4')]).toEqual([['Punk'], ['Punk', 'Rock'], ['Punk', 'Jazz']]);
    await send(mergeGenre, { genreId: punk, intoIds: [rock] });
  });

  it('refuse what cannot be', async () => {
    const [punk, rock] = [await idOf('Punk'), await idOf('Rock')];
    await expect(send(mergeGenre, { genreId: rock, intoIds: [punk] })).rejects.toMatchObject({ code: 'input.invalid' });
    await expect(send(mergeGenre, { genreId: rock, intoIds: [rock] })).rejects.toMatchObject({ code: 'input.invalid' });
    await expect(send(mergeGenre, { genreId: rock, intoIds: [9999] })).rejects.toMatchObject({ code: 'genre.not-found' });
    await expect(send(hideGenre, { genreId: 9999 })).rejects.toMatchObject({ code: 'genre.not-found' });
  });
});

describe('after a deletion', () => {
  it('remembers the song and where it lay', async () => {
    const [song] = await rows(sql<{ id: number; album_id: number }>`select id, album_id from library.song where title = '4'`);
    await record('Two', { goneFiles: ['4.mp3'] });
    expect(await rows(sql`select song_id, title, file, album_id from library.deleted_song`)).toEqual([
      { song_id: song?.id, title: '4', file: `${library.root}/Two/4.mp3`, album_id: song?.album_id },
    ]);
    expect(await rows(sql`select total from library.counter where kind = 'deleted_song' and catalog_id = 0`)).toEqual([{ total: 1 }]);
  });

  it('is rebuilt to equal tables, and gives the same ids after a loss of Postgres', async () => {
    expect(await verifyRebuild()).toEqual([]);
    const before = await rows(
      sql`select 'label' as kind, id, name from library.label union all select 'license', id, name from library.license order by 1, 2`,
    );
    await library.losePostgres();
    await until(async () => (await rows(sql`select 1 from library.song`)).length === 3);
    await record('Three', { tracks: [track('5.mp3', { album: { name: 'Three', recordLabels: ['OTHER', 'Fresh'] }, license: CC_BY_SA })] });
    const after = await rows<{ kind: string; name: string }>(
      sql`select 'label' as kind, id, name from library.label union all select 'license', id, name from library.license order by 1, 2`,
    );
    expect(after.filter(({ name }) => name !== 'Fresh')).toEqual(before);
    expect(after).toHaveLength(before.length + 1);
  });

  it('remembers all songs of a removed catalog', async () => {
    await send(removeCatalog, { catalogId: library.catalogId });
    expect(await rows(sql`select title, replace(file, ${library.root}, '') as file from library.deleted_song order by song_id`)).toEqual([
      { title: '1', file: '/One/CD/1.mp3' },
      { title: '2', file: '/One/CD/2.mp3' },
      { title: '3', file: '/Two/3.mp3' },
      { title: '4', file: '/Two/4.mp3' },
      { title: '5', file: '/Three/5.mp3' },
    ]);
    const kinds = sql`select kind, total from library.counter where kind in ('label', 'license', 'folder', 'genre') and total <> 0`;
    expect(await rows(kinds)).toEqual([]);
    expect(await rows(sql`select 1 from library.album_disk`)).toEqual([]);
    expect(await verifyRebuild()).toEqual([]);
  });
});
