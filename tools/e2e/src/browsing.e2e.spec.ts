import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import { genreId, hideGenre, mergeGenre, SYSTEM_ACTOR, type MessageContext } from '@continuo/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateFiles, type Manifest } from '@continuo/media-fixtures';
import { administrator, Journey } from './journey.js';

const FILES = 80;

interface Named {
  readonly id: string;
  readonly name: string;
}
interface Song extends Named {
  readonly filename: string;
  readonly time: number;
  readonly lyrics: string | null;
  readonly genre: readonly Named[];
  readonly has_art: boolean;
}
interface FolderItem {
  readonly id: string;
  readonly object_type: string;
  readonly title: string;
  readonly path: string;
  readonly time: number;
  readonly art: string;
  readonly has_art: boolean;
  readonly play_url: string;
}
interface Folder {
  readonly id: string;
  readonly parent: string | null;
  readonly path: string;
  readonly time: number;
  readonly items: readonly FolderItem[];
}

let journey: Journey;
let manifest: Manifest;

const native = <T>(action: string, query: Record<string, string> = {}): Promise<T> =>
  journey.json<T>(
    '/server/json.server.php',
    { action, version: '8.0.0', limit: 'none', ...query },
    { headers: { authorization: `Bearer ${administrator.apiKey}` } },
  );
const songs = async (): Promise<readonly Song[]> => (await native<{ song: readonly Song[] }>('songs')).song;
const folder = async (filter: string): Promise<Folder> => (await native<{ folder: Folder }>('folders', { filter })).folder;
const by = (): MessageContext => ({ actor: SYSTEM_ACTOR, correlationId: randomUUID(), causationId: 'spec' });

beforeAll(async () => {
  journey = await Journey.prepare();
  manifest = await generateFiles({ out: journey.music, count: FILES, formats: ['flac', 'mp3', 'ogg'], seed: 5, flat: false });
  await journey.start();
  await journey.scan();
});
afterAll(() => journey.end());

describe('a library is browsed over the native API', () => {
  it('step by step from the root to every song', async () => {
    const below = async (type: string, query: Record<string, string>): Promise<readonly Named[]> =>
      (await native<{ browse: readonly Named[] }>('browse', { type, ...query })).browse;
    const found: string[] = [];
    for (const catalog of await below('root', {}))
      for (const artist of await below('catalog', { filter: catalog.id }))
        for (const album of await below('artist', { filter: artist.id, catalog: catalog.id }))
          found.push(...(await below('album', { filter: album.id, catalog: catalog.id })).map(({ id }) => id));
    expect(found.toSorted()).toEqual((await songs()).map(({ id }) => id).toSorted());
    expect(found).toHaveLength(manifest.songs);
  });

  it('by folders, whose times are those of what lies below them', async () => {
    const files: string[] = [];
    const walk = async (id: string): Promise<void> => {
      const at = await folder(id);
      const inside = at.items.reduce((sum, item) => sum + item.time, 0);
      // Each time is rounded by itself.
      expect(Math.abs(at.time - inside)).toBeLessThanOrEqual(at.items.length);
      const { folder: deeper = [], song: here = [] } = Object.groupBy(at.items, ({ object_type: kind }) => kind);
      files.push(...here.map(({ path, title }) => `${path}/${title}`));
      for (const item of deeper) await walk(item.id);
    };
    await walk('-1');
    expect(files.toSorted()).toEqual((await songs()).map(({ filename }) => filename).toSorted());
  });

  it('by the paths that folders themselves tell, and plays and shows what lies there', async () => {
    const [first] = await songs();
    const path = dirname(first?.filename ?? '');
    const at = await folder(path);
    expect(at.path).toBe(path);
    expect((await folder(`/${relative(dirname(journey.music), path)}`)).id).toBe(at.id);
    const item = at.items.find(({ id, object_type: kind }) => kind === 'song' && id === first?.id);
    const played = await fetch(item?.play_url ?? '', { headers: { range: 'bytes=0-99' } });
    expect([played.status, (await played.arrayBuffer()).byteLength]).toEqual([206, 100]);
    const covered = (await Promise.all((await songs()).map((song) => folder(dirname(song.filename))))).flatMap(({ items }) => items);
    const shown = covered.find((one) => one.has_art);
    expect((await fetch(shown?.art ?? '')).headers.get('content-type')).toMatch(/^image\//);
  });

  it('by disks, labels and words', async () => {
    const { list } = await native<{ list: readonly Named[] }>('list', { type: 'album_disk' });
    const { album_disk: index } = await native<{ album_disk: Record<string, readonly Named[]> }>('index', {
      type: 'album_disk',
      include: '1',
    });
    expect(Object.keys(index).toSorted()).toEqual(list.map(({ id }) => id).toSorted());
    expect(Object.values(index).flat()).toHaveLength(manifest.songs);
    const [disk = ''] = Object.keys(index);
    const one = await native<{ songcount: number; tracks: readonly Song[] }>('album_disk', { filter: disk, include: 'songs' });
    expect(one.tracks.map(({ id }) => id)).toEqual(index[disk]?.map(({ id }) => id));
    expect(one.songcount).toBe(one.tracks.length);
    for (const label of (await native<{ label: readonly (Named & { artists: number })[] }>('labels')).label)
      expect((await native<{ artist: readonly Named[] }>('label_artists', { filter: label.id })).artist).toHaveLength(label.artists);
    const sung = (await songs()).find(({ lyrics }) => lyrics !== null && lyrics !== '');
    expect(await native('get_lyrics', { filter: sung?.id ?? '' })).toEqual({
      object_id: sung?.id,
      object_type: 'song',
      plugin: { database: { text: sung?.lyrics } },
    });
  });

  it('without hidden genres, and with those that stand for merged ones', async () => {
    const { genre } = await native<{ genre: readonly (Named & { songs: number })[] }>('genres');
    const [hidden, merged, into] = genre.map(({ id }) => genreId.parse(Number(id)));
    if (hidden === undefined || merged === undefined || into === undefined) throw new Error('the library has too few genres');
    await journey.server.commands.send(hideGenre, { genreId: hidden }, by());
    await journey.server.commands.send(mergeGenre, { genreId: merged, intoIds: [into] }, by());
    await expect
      .poll(async () => (await native<{ genre: readonly Named[] }>('genres')).genre.map(({ id }) => Number(id)))
      .not.toEqual(expect.arrayContaining([merged]));
    const shown = (await native<{ genre: readonly Named[] }>('genres')).genre.map(({ id }) => Number(id));
    expect(shown).not.toContain(hidden);
    expect(shown).toContain(into);
    expect(await native('genre', { filter: String(merged) })).toMatchObject({ is_hidden: true, songs: 0, merge: [{ id: String(into) }] });
    const carried = (await songs()).flatMap((song) => song.genre.map(({ id }) => Number(id)));
    expect(carried).toContain(hidden);
    expect(carried).not.toContain(merged);
  });

  it('and remembers what is gone', async () => {
    const [gone] = await songs();
    if (!gone) throw new Error('the library is empty');
    const before = await folder('-1');
    await rm(gone.filename);
    await journey.scan();
    await expect.poll(async () => (await songs()).length).toBe(manifest.songs - 1);
    const deleted = await native<{ total_count: number; deleted_song: readonly Record<string, unknown>[] }>('deleted_songs');
    expect(deleted.total_count).toBe(1);
    expect(deleted.deleted_song).toMatchObject([{ id: gone.id, title: gone.name, file: gone.filename, catalog: '1' }]);
    expect((await folder('-1')).time).toBeLessThan(before.time);
  });
});
