import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { generateFiles } from '@continuo/media-fixtures';
import { administrator, Journey } from './journey.js';

const headers = { authorization: `Bearer ${administrator.apiKey}` };
let journey: Journey;

interface Fault {
  readonly error: { readonly errorCode: string; readonly errorType: string };
}
interface Named {
  readonly id: string;
  readonly items: number;
}
interface Contents<K extends string> {
  readonly contents: readonly (Record<string, unknown> & { readonly object_type: K })[];
}

const native = <T>(action: string, query: Record<string, string> = {}): Promise<T> =>
  journey.json<T>('/server/json.server.php', { action, version: '8.0.0', ...query }, { headers });
const rest = async <T>(method: string, path: string): Promise<T> =>
  (await (await fetch(new URL(path, journey.server.url), { method, headers })).json()) as T;

beforeAll(async () => {
  journey = await Journey.prepare();
  await generateFiles({ out: journey.music, count: 8, formats: ['mp3'], seed: 5, flat: false });
  await journey.start();
  await journey.scan();
  await vi.waitUntil(async () => (await native<{ total_count: number }>('songs')).total_count === 8, { timeout: 10_000, interval: 100 });
});
afterAll(() => journey.end());

/** Makes something that is answered in the envelope of many. */
const made = async (kind: 'collection' | 'playlist_folder', terms: Readonly<Record<string, string>>): Promise<Named> => {
  const [one] = (await native<Readonly<Record<typeof kind, readonly Named[]>>>(`${kind}_create`, terms))[kind];
  if (!one) throw new Error(`nothing was made: ${kind}`);
  return one;
};

describe('a collection', () => {
  it('is made, filled, ordered, emptied and ended by one client', async () => {
    const { id } = await made('collection', { name: 'For the road', type: 'public' });
    for (const [kind, object] of [
      ['song', '2'],
      ['album', '1'],
      ['artist', '1'],
    ] as const)
      expect(await native('collection_add', { filter: id, id: object, object_type: kind })).toEqual({
        success: 'item added to collection',
      });
    const { collection } = await native<{ collection: Contents<string> & Named }>('collection_items', { filter: id });
    expect(collection.contents.map((item) => [item['track'], item.object_type])).toEqual([
      [1, 'song'],
      [2, 'album'],
      [3, 'artist'],
    ]);
    expect(collection.contents[1]?.['album']).toMatchObject({ id: '1', songcount: expect.any(Number) });
    await native('collection_edit', { filter: id, items: 'artist:1,song:2', tracks: '1,3' });
    await native('collection_remove', { filter: id, track: '2' });
    const after = await rest<{ collection: Contents<string> & Named }>('GET', `/rest/8/json/collections/${id}/items`);
    expect([after.collection.items, after.collection.contents.map((item) => item.object_type)]).toEqual([2, ['artist', 'song']]);
    expect(await native('collection_delete', { filter: id })).toEqual({ success: 'collection deleted' });
    expect((await native<Fault>('collection', { filter: id })).error).toMatchObject({ errorCode: '4704', errorType: 'filter' });
  });

  it('takes albums alone when it is pinned to them', async () => {
    const { id } = await made('collection', { name: 'Albums', object_type: 'album' });
    expect((await native<Fault>('collection_add', { filter: id, id: '1', object_type: 'song' })).error).toMatchObject({
      errorCode: '4710',
      errorType: 'object_type',
    });
    expect(await native('collection_add', { filter: id, id: '1' })).toEqual({ success: 'item added to collection' });
  });
});

describe('folders of lists', () => {
  it('hold playlists and collections, survive a restart, and go when they are empty', async () => {
    const outer = await made('playlist_folder', { name: 'Evenings' });
    const inner = await made('playlist_folder', { name: 'Late', parent: 'evenings' });
    const list = await native<Named>('playlist_create', { name: 'Slow', type: 'private' });
    const picked = await made('collection', { name: 'Picked' });
    await native('playlist_folder_add', { filter: inner.id, id: list.id, type: 'playlist', sort_order: '2' });
    await native('playlist_folder_add', { filter: '/Evenings/Late', id: picked.id, type: 'collection', sort_order: '1' });
    expect(await native('playlist', { filter: list.id })).toMatchObject({ playlist_folder_id: inner.id, playlist_folder_sort_order: 2 });
    expect((await native<Fault>('playlist_folder_delete', { filter: inner.id })).error).toMatchObject({ errorCode: '4710' });
    await journey.stop();
    await journey.start();
    const { playlist_folder: folder } = await native<{ playlist_folder: Contents<string> & Named }>('playlist_folder_items', {
      filter: inner.id,
    });
    expect([folder.items, folder.contents.map((item) => item.object_type)]).toEqual([2, ['collection', 'playlist']]);
    // A removed song does not keep its folder.
    await native('playlist_delete', { filter: list.id });
    await native('playlist_folder_remove', { filter: inner.id, id: picked.id, type: 'collection' });
    expect(await native('playlist_folder_delete', { filter: inner.id })).toEqual({ success: 'playlist folder deleted' });
    expect(await native('playlist_folder_delete', { filter: outer.id })).toEqual({ success: 'playlist folder deleted' });
    expect(await native('playlist_folders')).toMatchObject({ total_count: 0 });
  });
});
