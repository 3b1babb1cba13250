import { randomUUID } from 'node:crypto';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addCatalog, removeCatalog, type FolderId, type SongId } from '@continuo/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CatalogueReadiness } from './identity/catalogue-readiness.js';
import { IdentityRegistry } from './identity/identity-registry.js';
import { restoreIdentities } from './identity/restore.js';
import { RunningLibrary } from '../test/running-library.js';
import { track } from '../test/tracks.js';

let library: RunningLibrary;
let { rows, projected, send, record, verifyRebuild, logEnd } = {} as RunningLibrary;

beforeAll(async () => {
  library = await RunningLibrary.start();
  ({ rows, projected, send, record, verifyRebuild, logEnd } = library);
});

afterAll(() => library.stop());

describe('the library', () => {
  it('refuses a catalog that overlaps with another, or whose folder is not there', async () => {
    await expect(send(addCatalog, { name: 'again', path: library.root })).rejects.toMatchObject({ code: 'catalog.path-taken' });
    await expect(send(addCatalog, { name: 'gone', path: join(library.root, 'missing') })).rejects.toMatchObject({
      code: 'catalog.path-unusable',
    });
  });

  it('answers a repeated command as the first time', async () => {
    const path = await realpath(await mkdtemp(join(tmpdir(), 'continuo-library-again-')));
    const [commandId, context] = [randomUUID(), { actor: 'system', correlationId: randomUUID(), causationId: 'spec' }];
    const add = () => library.deps.commands.send(addCatalog, { name: 'twice', path }, context, { commandId });
    const first = await add();
    await projected(first.positions);
    const second = await add();
    expect(second.result).toEqual(first.result);
    expect(await rows(sql`select id from library.catalog where path = ${path}`)).toEqual([{ id: first.result.catalogId }]);
    await expect(send(addCatalog, { name: 'other', path })).rejects.toMatchObject({ code: 'catalog.path-taken' });
    await send(removeCatalog, { catalogId: first.result.catalogId });
    await rm(path, { recursive: true });
  });

  it('takes commands although log or tables were away when it prepared itself', async () => {
    let faults = 2;
    const lastPosition = (): Promise<number> =>
      faults-- > 0 ? Promise.reject(new Error('away')) : library.deps.eventStore.lastPosition('library');
    const readiness = new CatalogueReadiness(library.deps.db, { ...library.deps.eventStore, lastPosition }, library.deps.log);
    const preparing = readiness.prepare();
    await preparing;
    await readiness.ready();
    expect(faults).toBeLessThan(0);
  });

  it('gives enough ids to everybody who asks at the same time, and leaves none out between them', async () => {
    for (let round = 0; round < 20; round++) {
      const registry = new IdentityRegistry(library.deps.db);
      const taken = await Promise.all([150, 150, 100, 350, 20].map((count) => registry.freshIds('song', count)));
      expect(taken.map((ids) => ids.length)).toEqual([150, 150, 100, 350, 20]);
      const ids = taken.flat().toSorted((one, other) => one - other);
      expect(ids).toEqual(Array.from({ length: 770 }, (_, at) => (ids[0] as number) + at));
    }
  });

  it('shows songs, albums, artists and genres of a recorded folder', async () => {
    const mbid = '11111111-2222-3333-4444-555555555555';
    const outcome = await record('Testers/First Light', {
      tracks: [
        track('01.mp3', { track: 1, title: 'The Opening', genres: ['Rock', 'Pop'] }),
        track('02.mp3', {
          track: 2,
          title: 'Élan',
          artists: [{ name: 'The Testers', mbid }, { name: 'Guest' }],
          lyrics: [
            { language: 'eng', synced: false, source: 'tag', lines: [{ text: 'la' }] },
            { language: 'eng', synced: true, source: 'file', lines: [{ startMs: 61_239, text: 'la' }, { text: 'ti' }] },
          ],
        }),
      ],
      sidecars: {
        files: [{ fileName: 'cover.jpg', sizeBytes: 5, mtimeMs: 1, kind: 'art' }],
        art: { hash: 'a'.repeat(64), mime: 'image/jpeg', sizeBytes: 5 },
      },
    });
    expect(outcome.result).toEqual({ songsAdded: 2, songsChanged: 0, songsMoved: 0, songsRemoved: 0 });
    const songs = await rows(
      sql<{ title: string; title_sort: string; doc: string }>`select title, title_sort, doc from library.song order by track`,
    );
    expect(songs.map((song) => song.title_sort)).toEqual(['opening', 'elan']);
    expect(JSON.parse(songs[1]?.doc ?? '')).toMatchObject({
      title: 'Élan',
      lyrics: '[01:01.23]la\nti',
      path: 'Testers/First Light/02.mp3',
      album: { name: 'First Light' },
      artists: [{ basename: 'Testers', prefix: 'The' }, { name: 'Guest' }],
    });
    const [album] = await rows(
      sql<Record<string, unknown>>`select name, song_count, disk_count, duration_ms, year, art_hash, doc from library.album`,
    );
    expect(album).toMatchObject({
      name: 'First Light',
      song_count: 2,
      disk_count: 1,
      duration_ms: 360_000,
      year: 2001,
      art_hash: 'a'.repeat(64),
    });
    expect(JSON.parse(String(album?.['doc']))).toMatchObject({
      artists: [{ name: 'The Testers', mbid }],
      songArtists: [{ name: 'Guest' }, { name: 'The Testers' }],
      genres: [{ name: 'Rock' }, { name: 'Pop' }],
    });
    // A name that was met without a MusicBrainz id takes the first one that comes with it: one artist, not two.
    const artists = await rows(sql<Record<string, unknown>>`select name, mbid, song_count, album_count from library.artist order by name`);
    expect(artists).toEqual([
      { name: 'Guest', mbid: null, song_count: 1, album_count: 0 },
      { name: 'The Testers', mbid, song_count: 2, album_count: 1 },
    ]);
    expect(await rows(sql`select name, song_count, album_count, artist_count from library.genre order by name`)).toEqual([
      { name: 'Pop', song_count: 1, album_count: 1, artist_count: 1 },
      { name: 'Rock', song_count: 2, album_count: 1, artist_count: 2 },
    ]);
    const totals = await rows(
      sql<{ kind: string; total: number }>`select kind, total from library.counter where catalog_id = 0 and total > 0 order by kind`,
    );
    expect(totals).toEqual([
      { kind: 'album', total: 1 },
      { kind: 'artist', total: 2 },
      { kind: 'folder', total: 3 },
      { kind: 'genre', total: 2 },
      { kind: 'song', total: 2 },
    ]);
    expect(await rows(sql`select path, parent_id is null as top from library.folder order by path`)).toEqual([
      { path: '', top: true },
      { path: 'Testers', top: false },
      { path: 'Testers/First Light', top: false },
    ]);
  });

  it('writes nothing when the same content is recorded again', async () => {
    const end = await logEnd();
    const again = await record('Testers/First Light', {
      tracks: [track('01.mp3', { track: 1, title: 'The Opening', genres: ['Rock', 'Pop'] })],
    });
    expect(await logEnd()).toBe(end);
    expect(again.result.songsAdded + again.result.songsChanged).toBe(0);
  });

  it('keeps the id of a retagged, renamed and moved song', async () => {
    const idOf = async (file: string): Promise<number | undefined> =>
      (await rows(sql<{ id: number }>`select id from library.song where file_name = ${file}`))[0]?.id;
    const id = (await idOf('01.mp3')) as SongId;
    const folder = (await rows(sql<{ id: number }>`select id from library.folder where path = 'Testers/First Light'`))[0]?.id as FolderId;
    await record('Testers/First Light', { tracks: [track('01.mp3', { track: 1, title: 'Retagged', mtimeMs: 1_700_000_001_000 })] });
    await record('Testers/First Light', {
      tracks: [track('01 - renamed.mp3', { track: 1, title: 'Retagged' })],
      moves: [{ fileName: '01 - renamed.mp3', songId: id, fromFolderId: folder, fromFileName: '01.mp3' }],
      goneFiles: ['01.mp3'],
    });
    expect(await idOf('01 - renamed.mp3')).toBe(id);
    await record('Elsewhere', {
      tracks: [track('moved.mp3', { track: 1, title: 'Retagged' })],
      moves: [{ fileName: 'moved.mp3', songId: id, fromFolderId: folder, fromFileName: '01 - renamed.mp3' }],
    });
    expect(await idOf('moved.mp3')).toBe(id);
    // The answer may be lost: the same again is as good as done.
    const end = await logEnd();
    await record('Elsewhere', {
      tracks: [track('moved.mp3', { track: 1, title: 'Retagged' })],
      moves: [{ fileName: 'moved.mp3', songId: id, fromFolderId: folder, fromFileName: '01 - renamed.mp3' }],
    });
    expect(await logEnd()).toBe(end);
    expect(
      await rows(
        sql`select f.path, x.name from library.file x join library.folder f on f.id = x.folder_id where x.kind = 'track' order by 1, 2`,
      ),
    ).toEqual([
      { path: 'Elsewhere', name: 'moved.mp3' },
      { path: 'Testers/First Light', name: '02.mp3' },
    ]);
    expect((await rows(sql<{ total: number }>`select total from library.counter where kind = 'song' and catalog_id = 0`))[0]?.total).toBe(
      2,
    );
  });

  it('moves many songs out of one folder at the same time, each under its id', async () => {
    const names = Array.from({ length: 24 }, (_, n) => `${n}.mp3`);
    await record('Heap', { tracks: names.map((name) => track(name, { title: `Heaped ${name}` })) });
    const placed = () =>
      rows(sql<{ id: number; folder: number; name: string }>`
        select s.id, s.folder_id as folder, file_name as name from library.song s where title like 'Heaped %' order by s.id`);
    const before = await placed();
    await Promise.all(
      before.map(({ id, folder, name }) =>
        record(`Sorted/${name}`, {
          tracks: [track(name, { title: `Heaped ${name}` })],
          moves: [{ fileName: name, songId: id, fromFolderId: folder, fromFileName: name }],
        }),
      ),
    );
    expect((await placed()).map(({ id, name }) => ({ id, name }))).toEqual(before.map(({ id, name }) => ({ id, name })));
    expect(await rows(sql`select 1 from library.song where folder_id = ${before[0]?.folder}`)).toEqual([]);
    await record('Heap', { vanished: true });
    for (const name of names) await record(`Sorted/${name}`, { vanished: true });
  });

  it('takes gone files, skipped files and vanished folders out of the lists', async () => {
    await record('Brief', {
      tracks: [
        track('a.mp3', { album: { name: 'Brief' }, genres: ['Ambient'] }),
        track('b.mp3', { album: { name: 'Brief' }, genres: ['Ambient'] }),
      ],
    });
    await record('Brief', { skipped: [{ fileName: 'a.mp3', sizeBytes: 0, mtimeMs: 2, reason: 'empty', message: 'the file is empty' }] });
    expect(
      await rows(
        sql`select kind, skip_reason from library.file f join library.folder o on o.id = f.folder_id where o.path = 'Brief' order by f.name`,
      ),
    ).toEqual([
      { kind: 'skipped', skip_reason: 'empty' },
      { kind: 'track', skip_reason: null },
    ]);
    await record('Brief', { vanished: true });
    expect(await rows(sql`select song_count from library.album where name = 'Brief'`)).toEqual([{ song_count: 0 }]);
    expect(await rows(sql`select song_count, album_count from library.genre where name = 'Ambient'`)).toEqual([
      { song_count: 0, album_count: 0 },
    ]);
    expect(await rows(sql`select present from library.folder where path = 'Brief'`)).toEqual([{ present: false }]);
    expect((await rows(sql<{ total: number }>`select total from library.counter where kind = 'album' and catalog_id = 0`))[0]?.total).toBe(
      1,
    );
  });

  it('records a folder of ten thousand files in events of bounded size', async () => {
    const files = Array.from({ length: 10_000 }, (_, n) => track(`${n}.mp3`, { title: `Song ${n}`, album: { name: `Set ${n % 50}` } }));
    for (let start = 0; start < files.length; start += 500) await record('Huge', { tracks: files.slice(start, start + 500) });
    expect(
      (
        await rows(
          sql<{ n: number }>`select count(*) as n from library.song s join library.folder f on f.id = s.folder_id where f.path = 'Huge'`,
        )
      )[0]?.n,
    ).toBe(10_000);
  });

  it('is rebuilt from the log to equal tables', async () => {
    expect(await verifyRebuild()).toEqual([]);
  });

  it('gives the same ids after Postgres was lost for good', async () => {
    const before = await rows(sql`select id, title from library.song order by id`);
    await library.losePostgres();
    await projected([{ stream: 'EV_LIBRARY', position: await library.deps.eventStore.lastPosition('library') }]);
    expect(await rows(sql`select id, title from library.song order by id`)).toEqual(before);
    await record('Testers/First Light', { tracks: [track('03.mp3', { track: 3, title: 'New', mtimeMs: 5 })] });
    const [fresh] = await rows(sql<{ id: number; album_id: number }>`select id, album_id from library.song where file_name = '03.mp3'`);
    expect(fresh?.id).toBeGreaterThan(Math.max(...before.map((row) => (row as { id: number }).id)));
    expect(await rows(sql`select name from library.album where id = ${fresh?.album_id}`)).toEqual([{ name: 'First Light' }]);
    expect((await rows(sql<{ n: number }>`select count(*) as n from library.artist where name = 'The Testers'`))[0]?.n).toBe(1);
  });

  it('knows names again that a fail-over of Postgres has lost, and gives no id that a replica may still give', async () => {
    const { db } = library.deps;
    const known = () => rows(sql`select id, key, name from library.identity where kind = 'artist' order by key`);
    const highest = async () => (await rows(sql<{ id: number }>`select last_value as id from library.song_id`))[0]?.id ?? 0;
    const [names, given] = [await known(), await highest()];
    // Given from an older block than names that are still there.
    await sql`delete from library.identity where kind = 'artist' and id = (select min(id) from library.artist)`.execute(db);
    expect(await restoreIdentities(db)).toBe(0);
    await sql`update library.identity_history set timeline = '00000000'`.execute(db);
    expect(await restoreIdentities(db)).toBeGreaterThan(0);
    expect(await known()).toEqual(names);
    const after = await highest();
    expect(after).toBeGreaterThanOrEqual(given + 9000);
    expect(await restoreIdentities(db)).toBe(0);
    expect(await highest()).toBe(after);
  });

  it('removes a catalog with everything in it', async () => {
    await send(removeCatalog, { catalogId: library.catalogId });
    expect(
      await rows(
        sql`select total from library.counter where kind in ('song', 'album', 'artist', 'genre') and catalog_id = 0 and total <> 0`,
      ),
    ).toEqual([]);
    expect(await rows(sql`select 1 from library.song limit 1`)).toEqual([]);
    expect(await verifyRebuild()).toEqual([]);
    await send(addCatalog, { name: 'again', path: library.root });
  });
});
