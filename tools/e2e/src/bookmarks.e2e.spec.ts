import { createRequire } from 'node:module';
import type LibraryModule from 'javascript-ampache';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SubsonicAPI, type Child } from 'subsonic-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatNames, generateFiles } from '@continuo/media-fixtures';
import { administrator, Journey } from './journey.js';

const FILES = 20;
const { name: username, password, apiKey } = administrator;

let journey: Journey;
let songs: readonly Child[];

beforeAll(async () => {
  journey = await Journey.prepare();
  await generateFiles({ out: journey.music, count: FILES, formats: formatNames, seed: 21, flat: false });
  await journey.start();
  await journey.scan();
  const { searchResult3 } = await phone().search3({ query: '""', songCount: 50, albumCount: 0, artistCount: 0 });
  songs = searchResult3.song ?? [];
});
afterAll(() => journey.end());

/** Two devices of one account; the second one speaks by forms. */
const phone = (): SubsonicAPI => new SubsonicAPI({ url: journey.server.url, auth: { username, password } });
const desk = (): SubsonicAPI => new SubsonicAPI({ url: journey.server.url, auth: { apiKey }, post: true });

// The package's only build is CommonJS for browsers, which call their global object `self`.
Object.assign(globalThis, { self: globalThis });
const Library = createRequire(import.meta.url)('javascript-ampache') as typeof LibraryModule.default;
/** A published client library of the native API. */
const player = () => new Library({ url: journey.server.url, sessionKey: apiKey, useBearerToken: true });

const songAt = (index: number): Child => {
  const song = songs.at(index);
  if (!song) throw new Error('there are no songs');
  return song;
};
/** The same song's number in the native API. */
const numberOf = ({ id }: Child): string => id.replace(/^so-/, '');

/** An operation that the client library does not know. */
const compat = async (operation: string, params: readonly (readonly [string, string])[], init: RequestInit = {}) => {
  const login = [
    ['u', username],
    ['p', password],
    ['v', '1.16.1'],
    ['c', 'spec'],
    ['f', 'json'],
  ];
  const query = new URLSearchParams([...login, ...params].map(([name = '', value = '']) => [name, value] as [string, string]));
  const url = `${journey.server.url}/rest/${operation}`;
  const answer = await (init.method === 'POST' ? fetch(url, { ...init, body: query }) : fetch(`${url}?${query.toString()}`, init));
  return ((await answer.json()) as { 'subsonic-response': Record<string, unknown> })['subsonic-response'];
};
const idsOf = (entries: readonly { readonly id: string }[] | undefined): string[] => (entries ?? []).map(({ id }) => id);

describe('bookmarks', () => {
  it('are put by one device and found by another, on whichever API', async () => {
    const song = songAt(0);
    await phone().createBookmark({ id: song.id, position: 61_500, comment: 'at the bridge' });
    const { bookmarks } = await desk().getBookmarks();
    expect(bookmarks.bookmark).toMatchObject([
      { position: 61_500, comment: 'at the bridge', username, entry: { id: song.id, bookmarkPosition: 61_500 } },
    ]);
    expect((await desk().getSong({ id: song.id })).song.bookmarkPosition).toBe(61_500);
    const seen = await player().getBookmark({ filter: numberOf(song), type: 'song', include: 1 });
    expect(seen).toMatchObject({ position: 61, client: 'at the bridge', object_id: numberOf(song), song: [{ id: numberOf(song) }] });
  });

  it('are kept apart by clients of the native API, and the latest counts for the other', async () => {
    const song = songAt(0);
    const filter = numberOf(song);
    const own = await player().bookmarkCreate({ filter, type: 'song', position: 90, client: 'player' });
    expect(own).toMatchObject({ position: 90, client: 'player', owner: username });
    expect((await desk().getBookmarks()).bookmarks.bookmark).toMatchObject([{ position: 90_000, comment: 'player' }]);
    await player().bookmarkEdit({ filter, type: 'song', position: 95, client: 'player' });
    expect((await player().bookmarks({ client: 'player' })).bookmark).toMatchObject([{ position: 95 }]);
    expect((await player().bookmarks({})).bookmark).toHaveLength(2);
    await desk().createBookmark({ id: song.id, position: 1000 });
    expect((await phone().getBookmarks()).bookmarks.bookmark).toMatchObject([{ position: 1000 }]);
    await phone().deleteBookmark({ id: song.id });
    expect((await phone().getBookmarks()).bookmarks.bookmark ?? []).toEqual([]);
    expect((await player().bookmarks({})).bookmark).toEqual([]);
    expect((await desk().getSong({ id: song.id })).song.bookmarkPosition).toBeUndefined();
    expect(await player().bookmarkDelete({ filter, type: 'song' })).toMatchObject({ error: { errorCode: '4704', errorType: 'bookmark' } });
  });

  it('are moved by many devices at once, none of which is refused', async () => {
    const song = songAt(1);
    const moves = Array.from({ length: 30 }, (_, n) =>
      (n % 2 ? phone() : desk()).createBookmark({ id: song.id, position: n, comment: `n${n}` }),
    );
    const answers = (await Promise.all(moves)) as { readonly status: string; readonly error?: { readonly message: string } }[];
    expect(answers.map(({ status, error }) => error?.message ?? status)).toEqual(moves.map(() => 'ok'));
    expect((await phone().getBookmarks()).bookmarks.bookmark).toHaveLength(1);
  });
});

describe('the play queue', () => {
  it('goes from one device to another, in its order, with a song twice', async () => {
    const ids = [3, 1, 3, 2].map((index) => songAt(index).id);
    await phone().savePlayQueue({ id: ids, current: songAt(1).id, position: 4321 });
    const { playQueue } = await desk().getPlayQueue();
    expect(playQueue).toMatchObject({ current: songAt(1).id, position: 4321, username });
    expect(idsOf(playQueue?.entry)).toEqual(ids);
    const byIndex = [...ids.map((id) => ['id', id] as const), ['currentIndex', '2'], ['position', '99']] as const;
    expect(await compat('savePlayQueueByIndex', byIndex)).toMatchObject({ status: 'ok' });
    expect(await compat('getPlayQueueByIndex', [])).toMatchObject({
      playQueueByIndex: { currentIndex: 2, position: 99, changedBy: 'spec' },
    });
    expect((await phone().getPlayQueue()).playQueue).toMatchObject({ current: songAt(3).id, position: 99, changedBy: 'spec' });
  });

  it('is still there after a restart', async () => {
    await journey.stop();
    await journey.start();
    expect((await desk().getPlayQueue()).playQueue).toMatchObject({ current: songAt(3).id, position: 99 });
    expect((await desk().getBookmarks()).bookmarks.bookmark).toHaveLength(1);
  });

  it('holds fifteen thousand songs that come in a form', async () => {
    const ids = Array.from({ length: 15_000 }, (_, n) => songAt(n % songs.length).id);
    const params = [...ids.map((id) => ['id', id] as const), ['currentIndex', '14999']] as const;
    expect(await compat('savePlayQueueByIndex', params, { method: 'POST' })).toMatchObject({ status: 'ok' });
    const { playQueueByIndex } = (await compat('getPlayQueueByIndex', [])) as {
      playQueueByIndex: { currentIndex: number; entry: { id: string }[] };
    };
    expect([playQueueByIndex.currentIndex, playQueueByIndex.entry.length]).toEqual([14_999, 15_000]);
    expect(idsOf(playQueueByIndex.entry.slice(0, songs.length))).toEqual(idsOf(songs));
    const tooMany = [...Array.from({ length: 25_001 }, () => ['id', songAt(0).id] as const), ['currentIndex', '0']] as const;
    expect(await compat('savePlayQueueByIndex', tooMany, { method: 'POST' })).toMatchObject({ status: 'failed', error: { code: 10 } });
  });

  it('leaves out a song whose file is gone, and goes on with the next one', async () => {
    const [gone, next, last] = [songAt(4), songAt(5), songAt(6)];
    await phone().savePlayQueue({ id: [last.id, gone.id, next.id], current: gone.id, position: 5000 });
    await phone().createBookmark({ id: gone.id, position: 5000 });
    await rm(join(journey.music, gone.path ?? ''));
    await journey.scan();
    const { playQueue } = await desk().getPlayQueue();
    expect([idsOf(playQueue?.entry), playQueue?.current, playQueue?.position]).toEqual([[last.id, next.id], next.id, 0]);
    expect((await desk().getBookmarks()).bookmarks.bookmark?.map(({ entry }) => entry.id)).not.toContain(gone.id);
    expect(await phone().savePlayQueue({ id: [last.id, gone.id], current: gone.id, position: 0 })).toMatchObject({ error: { code: 70 } });
    await phone().savePlayQueue({ id: [gone.id, last.id], current: last.id, position: 0 });
    expect(idsOf((await desk().getPlayQueue()).playQueue?.entry)).toEqual([last.id]);
  });

  it('is cleared without ids', async () => {
    expect(await desk().savePlayQueue({ position: 0 })).toMatchObject({ status: 'ok' });
    const { playQueue } = await phone().getPlayQueue();
    expect([playQueue?.current, playQueue?.entry ?? []]).toEqual([undefined, []]);
  });
});
