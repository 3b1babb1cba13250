import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOW_MS, type CallParams } from '../../../test/servers/compat-server.js';
import { CompatWorld, names } from '../../../test/servers/compat-world.js';

let world: CompatWorld;

beforeAll(async () => {
  world = await CompatWorld.start();
});
afterAll(() => world.stop());

const sorted = (texts: readonly (string | undefined)[]): (string | undefined)[] => texts.toSorted((a = '', b = '') => a.localeCompare(b));

describe('lists of albums', () => {
  const list = async (params: CallParams): Promise<unknown[]> => names((await world.ask('getAlbumList2', params)).albumList2.album);

  it('come in the order that is asked for', async () => {
    expect(await list({ type: 'alphabeticalByName' })).toEqual(['[Unknown Album]', 'The Long Night', 'Ports', 'Сборник']);
    expect(await list({ type: 'alphabeticalByArtist' })).toEqual(['[Unknown Album]', 'Ports', 'The Long Night', 'Сборник']);
    expect(await list({ type: 'newest' })).toEqual(['Ports', '[Unknown Album]', 'Сборник', 'The Long Night']);
    expect(await list({ type: 'frequent' })).toEqual(['Сборник', 'The Long Night', 'Ports']);
    expect(await list({ type: 'recent' })).toEqual(['Ports', 'The Long Night', 'Сборник']);
    expect(await list({ type: 'byYear', fromYear: 1990, toYear: 2005 })).toEqual(['Ports', 'The Long Night']);
    expect(await list({ type: 'byYear', fromYear: 2018, toYear: 1999 })).toEqual(['Сборник', 'The Long Night', 'Ports']);
    expect(await list({ type: 'byGenre', genre: 'FOLK' })).toEqual(['The Long Night', 'Ports']);
    expect(await list({ type: 'byGenre', genre: 'Polka' })).toEqual([]);
    expect(new Set(await list({ type: 'random', size: 500 }))).toHaveProperty('size', 4);
    expect(await list({ type: 'highest' })).toEqual([]);
  });

  it('do not count a song that was only ever skipped as played', async () => {
    const skipped = { song_id: 4, play_count: 0, skip_count: 2, last_played_at_ms: null, last_skipped_at_ms: NOW_MS };
    await world.model.write.insertInto('playback.song_plays').values(skipped).execute();
    expect(await list({ type: 'recent' })).toEqual(['Ports', 'The Long Night', 'Сборник']);
    expect(await list({ type: 'frequent' })).toEqual(['Сборник', 'The Long Night', 'Ports']);
    expect((await world.ask('getSong', { id: 'so-4' })).song).toMatchObject({ playCount: 0 });
    expect((await world.ask('getSong', { id: 'so-4' })).song).not.toHaveProperty('played');
    await world.model.write.deleteFrom('playback.song_plays').where('song_id', '=', 4).execute();
  });

  it('are cut into pages and limited to a folder, and an unknown folder holds nothing', async () => {
    expect(await list({ type: 'alphabeticalByName', size: 2, offset: 1 })).toEqual(['The Long Night', 'Ports']);
    expect(await list({ type: 'alphabeticalByName', musicFolderId: 2 })).toEqual(['Ports']);
    expect(await list({ type: 'random', musicFolderId: 'mf-2' })).toEqual(['Ports']);
    for (const musicFolderId of [99, 'all', 'so-1']) expect(await list({ type: 'newest', musicFolderId })).toEqual([]);
  });

  it('refuse an unknown type and a missing condition', async () => {
    expect(await world.codeOf('getAlbumList2', { type: 'best' })).toBe(10);
    expect(await world.codeOf('getAlbumList2', {})).toBe(10);
    expect(await world.codeOf('getAlbumList2', { type: 'byYear', fromYear: 1 })).toBe(10);
    expect(await world.codeOf('getAlbumList2', { type: 'byGenre' })).toBe(10);
  });
});

describe('random songs', () => {
  const pick = async (params: CallParams): Promise<(string | undefined)[]> =>
    sorted(names((await world.ask('getRandomSongs', params)).randomSongs.song));

  it('are within the limits', async () => {
    expect(await pick({ size: 500 })).toHaveLength(5);
    expect(await pick({ size: 2 })).toHaveLength(2);
    expect(await pick({ genre: 'folk', size: 10 })).toEqual(['Harbour Song', 'Opening Æther', 'Second Watch']);
    expect(await pick({ genre: 'folk', toYear: 2000 })).toEqual(['Harbour Song']);
    expect(await pick({ fromYear: 2004, toYear: 2010 })).toEqual(['Opening Æther', 'Second Watch']);
    expect(await pick({ musicFolderId: 2 })).toEqual(['Harbour Song']);
    expect(await pick({ genre: 'polka' })).toEqual([]);
  });
});

describe('folders', () => {
  it('can be walked from the top to the songs and back', async () => {
    const { indexes } = await world.ask('getIndexes');
    expect(indexes.index.map((group: { name: string }) => group.name)).toEqual(['A', 'H', '#']);
    expect(names(indexes.child)).toEqual(['untitled take']);
    const [{ artist }] = indexes.index.filter((group: { name: string }) => group.name === 'H');
    const top = (await world.ask('getMusicDirectory', { id: artist[0].id })).directory;
    expect(top).toMatchObject({ name: 'Harbour Lights', child: [{ isDir: true, title: 'The Long Night', parent: artist[0].id }] });
    const inner = (await world.ask('getMusicDirectory', { id: top.child[0].id })).directory;
    expect(names(inner.child)).toEqual(['Opening Æther', 'Second Watch']);
    expect(inner.child[0].parent).toBe(inner.id);
    expect((await world.ask('getMusicDirectory', { id: inner.parent })).directory.name).toBe('Harbour Lights');
  });

  it('that do not exist are not found', async () => {
    for (const id of ['fo-999', 'ar-999', 'al-999', 'mf-9', '9', 'pl-1', 'nonsense'])
      expect({ id, code: await world.codeOf('getMusicDirectory', { id }) }).toEqual({ id, code: 70 });
  });
});

describe('people who only took part in songs', () => {
  const contributors = async (): Promise<{ role: string; subRole?: string; artist: { id: string; name: string } }[]> =>
    (await world.ask('getSong', { id: 'so-1' })).song.contributors;
  const idOf = async (name: string): Promise<string> => (await contributors()).find(({ artist }) => artist.name === name)?.artist.id ?? '';

  it('are named with what they do', async () => {
    expect((await contributors()).map(({ role, subRole, artist }) => [role, subRole, artist.name])).toEqual([
      ['composer', undefined, 'Zoë Quill'],
      ['composer', undefined, 'A. Nother'],
      ['lyricist', undefined, 'Zoë Quill'],
      ['mixer', undefined, 'Somebody Else'],
      ['performer', 'concertina', 'The Harbour Lights'],
    ]);
    expect(await idOf('Zoë Quill')).toBe('ar-2');
  });

  it('have a page of their own with the albums of these songs, and are in no list', async () => {
    const { artist } = await world.ask('getArtist', { id: await idOf('Somebody Else') });
    expect(artist).toMatchObject({ name: 'Somebody Else', albumCount: 1, roles: ['mixer'], album: [{ name: 'The Long Night' }] });
    expect((await world.ask('getArtist', { id: 'ar-2' })).artist.roles).toEqual(['artist', 'composer', 'lyricist']);
    const listed = JSON.stringify([
      await world.ask('getArtists'),
      (await world.ask('search3', { query: '', artistCount: 500 })).searchResult3.artist,
    ]);
    for (const name of ['Somebody Else', 'A. Nother']) expect(listed).not.toContain(name);
  });

  it('can be favourites, and have a picture that stands for theirs', async () => {
    const id = await idOf('A. Nother');
    expect((await world.server.call('getCoverArt', { id })).type).toBe('image/png');
    await world.model.write
      .insertInto('social.user_flag')
      .values({ user_id: 1, kind: 'artist', object_id: Number(id.slice(3)), flagged_at_ms: NOW_MS })
      .execute();
    expect(names((await world.ask('getStarred2')).starred2.artist)).toContain('A. Nother');
  });
});

describe('top songs', () => {
  const top = async (params: CallParams) => names((await world.ask('getTopSongs', params)).topSongs.song);

  it('are those of an artist that are played most', async () => {
    expect(await top({ artist: 'the harbour lights' })).toEqual(['Opening Æther']);
    expect(await top({ id: 'ar-2' })).toEqual(['Opening Æther']);
    expect(await top({ id: 'ar-3', artist: 'The Harbour Lights' })).toEqual(['Ещё один день']);
    expect(await top({ artist: 'Nobody' })).toEqual([]);
  });

  it('need an artist who exists', async () => {
    expect(await world.codeOf('getTopSongs')).toBe(10);
    expect(await world.codeOf('getTopSongs', { id: 'ar-999' })).toBe(70);
  });
});
