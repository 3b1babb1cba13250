import { createHash } from 'node:crypto';
import { albumDiskIdOf } from '@continuo/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { albumDiskArt, albumDisksByIds } from '../../reads/library/album-disks.reads.js';
import { kinds } from '../../kinds/index.js';
import { childIds } from '../../reads/library/children.reads.js';
import { serverCounts } from '../../reads/library/counts.reads.js';
import { deletedSongsByIds } from '../../reads/songs/deleted-songs.reads.js';
import {
  folderById,
  folderByPath,
  folderItemsByRows,
  folderLike,
  folderPicture,
  wholeDurationMs,
} from '../../reads/library/folders.reads.js';
import { genresByIds } from '../../reads/library/genres.reads.js';
import { labelArt, labelsByIds } from '../../reads/library/labels.reads.js';
import { licensesByIds } from '../../reads/library/licenses.reads.js';
import { namesByIds } from '../../kinds/names.reads.js';
import type { Viewer } from '../../reads/visibility/viewer.js';
import { FIRST_ADDED_MS, seedFixtureLibrary, type FixtureSong } from '../../../test/library/fixture-library.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { seedTestAccounts, startTestGateway, testAccounts, type TestGateway } from '../../../test/servers/test-gateway.js';
import { albumsWithSongs, artistsWith, firstOf } from './expansion.js';

let model: TestReadModel;
let gateway: TestGateway;

const SONGS = 6200;

/** Many songs of one artist on many albums, and a few of others in a second catalog. */
const many: readonly FixtureSong[] = Array.from({ length: SONGS }, (_, index) => ({
  title: `The Song ${index}`,
  album: `Album ${Math.floor(index / 25)}`,
  artists: ['A Prolific One'],
  disk: (index % 2) + 1,
  track: Math.floor((index % 25) / 2) + 1,
  genres: ['Endless'],
  folder: `Prolific/${Math.floor(index / 25)}`,
  fileName: `${String(index % 25).padStart(2, '0')}.mp3`,
  albumDoc: { recordLabels: ['Big & Loud'] },
}));
const few: readonly FixtureSong[] = ['Ebb', 'Flow'].map((title, index) => ({
  title,
  album: 'Tides',
  artists: index === 0 ? ['Mira'] : ['Mira', 'A Prolific One'],
  albumArtists: ['Mira'],
  genres: ['Calm', 'Endless'],
  folder: 'Mira/Tides [50%_\\]',
  fileName: `${title}.flac`,
  track: index + 1,
  catalogId: 2,
  doc: { license: 'https://creativecommons.org/licenses/by/4.0/' },
  albumDoc: { recordLabels: ['Quay'] },
}));

beforeAll(async () => {
  model = await testReadModel();
  await seedFixtureLibrary(model.write, [...many, ...few]);
  await seedTestAccounts(model.write);
  const gone = { title: 'Gone', album_id: 1, artist_id: 1, added_at_ms: FIRST_ADDED_MS, updated_at_ms: FIRST_ADDED_MS };
  await model.write
    .insertInto('library.deleted_song')
    .values(
      [1, 2].map((catalog) => ({
        ...gone,
        song_id: 9000 + catalog,
        catalog_id: catalog,
        file: `/x/${catalog}`,
        deleted_at_ms: FIRST_ADDED_MS,
      })),
    )
    .execute();
  gateway = await startTestGateway(model.read, { settings: { PUBLIC_URL: 'http://server.example' } });
}, 300_000);
afterAll(async () => {
  await gateway.stop();
  await model.close();
});

type Json = Record<string, unknown>;
type Named = { id: string; name: string };

const ask = async (query: string, version = '8.0.0', format = 'json'): Promise<string> => {
  const url = `/server/${format}.server.php?version=${version}&${query}`;
  const answer = await gateway.app.inject({ url, headers: { authorization: `Bearer ${testAccounts.admin.token}` } });
  expect(answer.statusCode).toBe(200);
  return answer.body;
};
const json = async <T = Json>(query: string, version?: string): Promise<T> => JSON.parse(await ask(query, version)) as T;
const errorOf = async (query: string, version?: string): Promise<[string, string]> => {
  const { error } = await json<{ error: { errorCode: string; errorType: string } }>(query, version);
  return [error.errorCode, error.errorType];
};

const elsewhere: Viewer = { userId: 1, catalogs: [2] };
const everywhere: Viewer = { userId: 1, catalogs: 'all' };
const nowhere: Viewer = { userId: 1, catalogs: [] };

describe('a walk', () => {
  it('leads from the root to every song', async () => {
    const root = await json<{ browse: Named[]; child_type: string }>('action=browse');
    expect(root.browse.map(({ name }) => name)).toEqual(['Music 1', 'Music 2']);
    const seen: string[] = [];
    for (const catalog of root.browse) {
      const artists = await json<{ browse: Named[] }>(`action=browse&type=catalog&filter=${catalog.id}`);
      for (const artist of artists.browse) {
        const albums = await json<{ browse: Named[]; total_count: number }>(
          `action=browse&type=artist&filter=${artist.id}&catalog=${catalog.id}&limit=3`,
        );
        for (const album of albums.browse) {
          const songs = await json<{ browse: Named[]; parent_type: string }>(
            `action=browse&type=album&filter=${album.id}&catalog=${catalog.id}`,
          );
          seen.push(...songs.browse.map(({ id }) => id));
        }
      }
    }
    expect(new Set(seen).size).toBe(3 * 25 + 2);
  });
  it('shows what belongs to the named catalog alone', async () => {
    const artist = (await json<{ browse: Named[] }>('action=browse&type=catalog&filter=1')).browse[0]?.id;
    expect(await json(`action=browse&type=artist&filter=${artist}&catalog=2`)).toMatchObject({ total_count: 0, browse: [] });
    expect(await json(`action=browse&type=album_artist&filter=${artist}&catalog=1`)).toMatchObject({
      total_count: SONGS / 25,
      parent_type: 'artist',
    });
  });
  it.each([
    ['type=nothing', '4710', 'type'],
    ['type=artist', '4710', 'system'],
    ['type=catalog', '4710', 'system'],
    ['type=artist&filter=999', '4704', 'filter'],
    ['type=artist&filter=x', '4704', 'filter'],
    ['type=catalog&filter=9', '4704', 'filter'],
    ['type=catalog&catalog=9', '4704', 'catalog'],
    ['type=artist&filter=1&catalog=9', '4704', 'catalog'],
    ['type=constructor&filter=1', '4710', 'type'],
    ['type=podcast&filter=1', '4704', 'filter'],
  ])('refuses %s', async (query, code, type) => expect(await errorOf(`action=browse&${query}`)).toEqual([code, type]));
  it('wants the catalog all the way in version 6', async () => {
    expect(await errorOf('action=browse&type=artist&filter=1', '6.0.0')).toEqual(['4710', 'system']);
    expect(await errorOf('action=browse&type=album_disk&filter=257&catalog=1', '6.0.0')).toEqual(['4710', 'type']);
  });
  it('goes on in podcasts where a catalog has them', async () => {
    await sql`update library.catalog set gather_types = 'podcast' where id = 2`.execute(model.write);
    expect(await json('action=browse&type=catalog&filter=2')).toMatchObject({ total_count: 0, child_type: 'podcast' });
    expect(await json('action=browse')).toMatchObject({ total_count: 2 });
    await sql`update library.catalog set gather_types = 'music' where id = 2`.execute(model.write);
  });
});

/** The hash of a list of names as the specification has it. */
const pairsMd5 = (items: readonly Named[]): string => {
  const pairs = items.map(({ id, name }, place) => `i:${place};a:2:{s:2:"id";i:${id};s:4:"name";s:${Buffer.byteLength(name)}:"${name}";}`);
  return createHash('md5')
    .update(`a:${items.length}:{${pairs.join('')}}`)
    .digest('hex');
};

describe('a list of names', () => {
  it('is one list in whatever pages it comes, under one hash of all ids and names', async () => {
    const whole = await json<{ md5: string; total_count: number; list: Named[] }>('action=list&type=song&limit=none');
    expect(whole.list).toHaveLength(SONGS + 2);
    expect(whole.total_count).toBe(SONGS + 2);
    expect(whole.md5).toBe(pairsMd5(whole.list));
    const page = await json<{ md5: string; list: Named[] }>('action=list&type=song&offset=5990&limit=50');
    expect(page.list).toEqual(whole.list.slice(5990, 6040));
    expect(page.md5).toBe(whole.md5);
  });
  it('tells the article of a song', async () => {
    const { list } = await json<{ list: Json[] }>('action=list&type=song&filter=the%20song%2042&exact=1');
    expect(list).toEqual([{ id: '43', name: 'The Song 42', prefix: 'The', basename: 'Song 42' }]);
  });
  it('has the roles of artists', async () => {
    const names = async (type: string) =>
      (await json<{ list: Named[] }>(`action=list&type=${type}&cond=catalog,2`)).list.map(({ name }) => name);
    expect(await names('artist')).toEqual(['Mira', 'A Prolific One']);
    expect(await names('song_artist')).toEqual(['Mira', 'A Prolific One']);
    const browsed = await json<{ browse: Named[] }>('action=browse&type=catalog&filter=2');
    expect(browsed.browse.map(({ name }) => name)).toEqual(['Mira']);
  });
  it('changes its hash with a name', async () => {
    const before = await json('action=list&type=album&filter=tides');
    await sql`update library.album set name = 'Tides!' where name = 'Tides'`.execute(model.write);
    await sql`update library.counter set version = version + 1 where kind = 'album'`.execute(model.write);
    const after = await json('action=list&type=album&filter=tides');
    expect(after['total_count']).toBe(1);
    expect(after['md5']).not.toBe(before['md5']);
  });
});

describe('an index', () => {
  it('flows', async () => {
    const { song } = await json<{ song: string[] }>('action=index&type=song&limit=none');
    expect(new Set(song).size).toBe(SONGS + 2);
    const xml = await ask('action=index&type=song&limit=none', '8.0.0', 'xml');
    expect(xml.match(/<song id="\d+"\/>/g)).toHaveLength(SONGS + 2);
  });
  it('has the children of each, so many at most', async () => {
    const { album } = await json<{ album: Record<string, Json[]> }>('action=index&type=album&include=1&limit=none');
    expect(Object.values(album).flat()).toHaveLength(SONGS + 2);
    const { album_disk: disks } = await json<{ album_disk: Record<string, Json[]> }>('action=index&type=album_disk&include=1&cond=album,1');
    expect(Object.keys(disks).map(Number)).toEqual([albumDiskIdOf(1, 1), albumDiskIdOf(1, 2)]);
    expect(Object.values(disks).map((songs) => songs.length)).toEqual([13, 12]);
  });
  it('is empty under the name of its type', async () => {
    expect(await json('action=index&type=album_artist&filter=nobody')).toMatchObject({ total_count: 0, album_artist: [] });
    expect(await json('action=list&type=album&offset=100000')).toMatchObject({ list: [] });
  });
});

describe('what objects include', () => {
  it('comes in steps that are as the objects one by one', async () => {
    const reader = { services: gateway.services, viewer: everywhere };
    const ids = Int32Array.from({ length: SONGS / 25 + 1 }, (_, index) => index + 1);
    let steps = 0;
    const tracks: number[] = [];
    for await (const albums of albumsWithSongs(reader, ids)) {
      steps += 1;
      tracks.push(...albums.flatMap((album) => (album.tracks ?? []).map(({ view }) => view.doc.id)));
      for (const { tracks: own = [] } of albums) expect(own.map(({ position }) => position)).toEqual(own.map((_, index) => index + 1));
    }
    expect(steps).toBeGreaterThan(1);
    expect(new Set(tracks).size).toBe(SONGS + 2);
    const { album } = await json<{ album: { tracks: Json[] }[] }>('action=albums&include=songs&limit=none');
    expect(album.flatMap((one) => one.tracks)).toHaveLength(SONGS + 2);
    const one = await json<{ tracks: Json[] }>('action=album&filter=3&include=songs');
    expect(one.tracks).toHaveLength(25);
  });
  it('stops where a page of its own would', async () => {
    const reader = { services: gateway.services, viewer: everywhere };
    const artist = await firstOf(artistsWith(reader, Int32Array.of(1), { albums: true, songs: true }));
    expect([artist?.songs?.length, artist?.albums?.length]).toEqual([5000, SONGS / 25 + 1]);
    const xml = await ask('action=label_artists&filter=1&include=songs', '8.0.0', 'xml');
    expect(xml.match(/<song id/g)).toHaveLength(5000);
  });
});

describe('folders', () => {
  const path = '/music/2/Mira/Tides [50%_\\]';
  const folder = async (query: string) =>
    (await json<{ folder: { id: string; items: Json[]; time: number; parent: string | null } }>(`action=folders&${query}`)).folder;
  it('are found by id, path, names and loosely', async () => {
    const byPath = await folder(`filter=${encodeURIComponent(path)}`);
    expect(byPath.items.map((item) => item['title'])).toEqual(['Ebb.flac', 'Flow.flac']);
    expect(byPath.time).toBe(363);
    for (const filter of [byPath.id, `${path}/`, path.slice(1), path.replace('/music/2', '/Music 2')])
      expect((await folder(`filter=${encodeURIComponent(filter)}`)).id).toBe(byPath.id);
    expect((await folder(`exact=0&filter=${encodeURIComponent('tides [50%_\\')}`)).id).toBe(byPath.id);
    expect((await folder(`exact=0&filter=mira`)).items).toHaveLength(1);
  });
  it('lead up to the virtual root, whose time is the sum', async () => {
    let current = await folder(`filter=${encodeURIComponent(path)}`);
    const seen = [current.id];
    while (current.parent !== null) {
      current = await folder(`filter=${current.parent}`);
      seen.push(current.id);
    }
    expect(seen.at(-1)).toBe('-1');
    expect(current.time).toBe(Math.round(((SONGS + 2) * 181_400) / 1000));
    expect(current.items.map((item) => item['title'])).toEqual(['Music 1', 'Music 2']);
  });
  it('page and order, folders first', async () => {
    const prolific = await folder('filter=/music/1/Prolific&limit=2&offset=1&sort=id,DESC');
    expect(prolific.items).toHaveLength(2);
    expect(await json('action=folders&filter=/music/1/Prolific&limit=2')).toMatchObject({ total_count: SONGS / 25 });
  });
  it.each(['999999', '-2', '/music/1/none', '/music/1/../2', '%25', "'", '\\', '/'.repeat(3) + 'x', '12345678901234567890'])(
    'does not know %s',
    async (filter) => expect(await errorOf(`action=folders&filter=${filter}`)).toEqual(['4704', 'filter']),
  );
  it('are reached by REST', async () => {
    const rest = async (url: string) => {
      const answer = await gateway.app.inject({ url, headers: { authorization: `Bearer ${testAccounts.admin.token}` } });
      return JSON.parse(answer.body) as { folder: { id: string; path: string } };
    };
    expect((await rest('/rest/8/json/folders')).folder.id).toBe('-1');
    expect((await rest('/rest/8/json/folders/music/2/Mira')).folder.path).toBe('/music/2/Mira');
    const { folder: mira } = await rest('/rest/8/json/folders/music/2/Mira');
    expect((await rest(`/rest/8/json/folders/${mira.id}`)).folder.path).toBe('/music/2/Mira');
  });
});

describe('genres', () => {
  it('tell that they are hidden, and what they were merged into', async () => {
    const [endless, calm] = [1, 2];
    await sql`insert into library.genre_merge (genre_id, into_id) values (${calm}, ${endless})`.execute(model.write);
    await sql`update library.genre set hidden = true where id = ${calm}`.execute(model.write);
    expect(await json('action=genre&filter=2')).toMatchObject({ name: 'Calm', is_hidden: true, merge: [{ id: '1', name: 'Endless' }] });
    expect(await json('action=genre&filter=1')).toMatchObject({ is_hidden: false, merge: [] });
    expect(await ask('action=genre&filter=2', '8.0.0', 'xml')).toContain(
      '<is_hidden>1</is_hidden><merge id="1"><![CDATA[Endless]]></merge>',
    );
    expect(await ask('action=genre&filter=2', '5.0.0', 'xml')).not.toContain('merge');
  });
});

describe('what a viewer may not see', () => {
  it('is in none of the reads', async () => {
    const db = model.read;
    const tides = SONGS / 25 + 1;
    const ids = [1, 2, tides, SONGS + 1];
    const named = async (kind: Parameters<typeof namesByIds>[1], wanted = ids) =>
      (await namesByIds(db, kind, wanted, elsewhere)).map(({ id }) => id);
    expect(await named('song')).toEqual([SONGS + 1]);
    expect(await named('album')).toEqual([tides]);
    expect(await named('album_disk', [albumDiskIdOf(1, 1), albumDiskIdOf(tides, 1)])).toEqual([albumDiskIdOf(tides, 1)]);
    expect(await named('artist', [1, 2])).toEqual([1, 2]);
    expect(await named('catalog', [1, 2])).toEqual([2]);
    expect(await namesByIds(db, 'artist', [1, 2], nowhere)).toEqual([]);
    expect((await albumDisksByIds(db, [albumDiskIdOf(1, 1)], elsewhere)).length).toBe(0);
    expect(await albumDiskArt(db, albumDiskIdOf(1, 1), elsewhere)).toBeUndefined();
    expect(await albumDiskArt(db, albumDiskIdOf(tides, 1), elsewhere)).toBeNull();
    expect((await deletedSongsByIds(db, [9001, 9002], elsewhere)).map(({ id }) => id)).toEqual([9002]);
    expect((await licensesByIds(db, [1], nowhere)).length).toBe(0);
    expect((await licensesByIds(db, [1], elsewhere)).length).toBe(1);
  });
  it('counts for nothing', async () => {
    const db = model.read;
    const { lists } = gateway.services;
    expect(await serverCounts({ db, lists }, everywhere)).toMatchObject({ labels: 2, licenses: 1 });
    expect(await serverCounts({ db, lists }, elsewhere)).toMatchObject({ labels: 1, licenses: 1 });
    expect(await serverCounts({ db, lists }, nowhere)).toMatchObject({ labels: 0, licenses: 0 });
    expect(await json('action=ping')).toMatchObject({ labels: 2, licenses: 1 });
    expect((await labelsByIds(db, [1, 2], elsewhere)).map(({ name, artistCount }) => [name, artistCount])).toEqual([['Quay', 1]]);
    expect((await labelsByIds(db, [1, 2], everywhere)).map(({ name, artistCount }) => [name, artistCount])).toEqual([
      ['Big & Loud', 1],
      ['Quay', 1],
    ]);
    expect(await labelArt(db, 1, elsewhere)).toBeUndefined();
    expect(await genresByIds(db, [1], elsewhere)).toMatchObject([{ songCount: 2, albumCount: 1, artistCount: 2 }]);
    expect(await genresByIds(db, [1], nowhere)).toEqual([]);
    expect(await wholeDurationMs(db, elsewhere)).toBe(2 * 181_400);
    const { songs, albums, albumsAsSongArtist, albumsAsAlbumArtist } = kinds.artist.children;
    for (const relation of [songs, albums, albumsAsSongArtist]) expect((await childIds(db, relation, [1], elsewhere))(1)).toHaveLength(1);
    expect((await childIds(db, albumsAsAlbumArtist, [1], elsewhere))(1)).toHaveLength(0);
  });
  it('has no folders', async () => {
    const db = model.read;
    const hidden = await folderByPath(db, '/music/1/Prolific', everywhere);
    expect(hidden).toBeDefined();
    const id = hidden?.id ?? 0;
    expect(await folderById(db, id, elsewhere)).toBeUndefined();
    expect(await folderByPath(db, '/music/1/Prolific', elsewhere)).toBeUndefined();
    expect(await folderLike(db, 'prolific', elsewhere)).toBeUndefined();
    expect(await folderPicture(db, id, elsewhere)).toBeUndefined();
    expect(await folderItemsByRows(db, [-id, 1, SONGS + 1], elsewhere)).toMatchObject([{ kind: 'song', id: SONGS + 1 }]);
  });
});
