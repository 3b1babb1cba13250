import {
  changePlaylistFolder,
  createPlaylistFolder,
  deletePlaylistFolder,
  filePlaylist,
  unfilePlaylist,
  type UserId,
} from '@continuo/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RunningLibrary } from '../../test/running-library.js';

let library: RunningLibrary;
let { rows, send, verifyRebuild } = {} as RunningLibrary;

beforeAll(async () => {
  library = await RunningLibrary.start();
  ({ rows, send, verifyRebuild } = library);
});
afterAll(() => library.stop());

let accounts = 0;
const account = (): UserId => (accounts += 1) as UserId;
const make = async (userId: UserId, name: string, parentId = 0, sortOrder = 0): Promise<number> =>
  (await send(createPlaylistFolder, { userId, name, parentId, sortOrder })).result.folderId;
const tree = async (userId: UserId) =>
  (
    await rows(
      sql<{
        text: string;
      }>`select id || ' in ' || parent_id || ': ' || name as text from library.playlist_folder where user_id = ${userId} order by id`,
    )
  ).map(({ text }) => text);
const filed = async (userId: UserId) =>
  (
    await rows(
      sql<{
        text: string;
      }>`select list_kind || ' ' || list_id || ' in ' || folder_id || ' at ' || sort_order as text from library.playlist_filing
        where user_id = ${userId} order by list_kind, list_id`,
    )
  ).map(({ text }) => text);
const list = (listId: number) => ({ kind: 'playlist' as const, listId });

describe('folders of lists', () => {
  it('are a tree of each account’s own', async () => {
    const [ada, ben] = [account(), account()];
    expect([await make(ada, ' Rock '), await make(ada, 'Live', 1), await make(ben, 'Rock')]).toEqual([1, 2, 1]);
    expect([await tree(ada), await tree(ben)]).toEqual([['1 in 0: Rock', '2 in 1: Live'], ['1 in 0: Rock']]);
  });

  it('have names that differ among neighbours, whatever their case', async () => {
    const user = account();
    const rock = await make(user, 'Röck');
    await expect(make(user, 'rock')).rejects.toMatchObject({ code: 'playlist-folder.name-taken' });
    await make(user, 'rock', rock);
    const jazz = await make(user, 'Jazz');
    await expect(send(changePlaylistFolder, { userId: user, folderId: jazz, name: 'ROCK' })).rejects.toMatchObject({
      code: 'playlist-folder.name-taken',
    });
    await send(changePlaylistFolder, { userId: user, folderId: jazz, name: 'JAZZ' });
    expect(await tree(user)).toEqual(['1 in 0: Röck', '2 in 1: rock', '3 in 0: JAZZ']);
  });

  it('are never below themselves, nor below what is not there', async () => {
    const user = account();
    const [a, b] = [await make(user, 'a'), await make(user, 'b', 1)];
    await expect(send(changePlaylistFolder, { userId: user, folderId: a, parentId: b })).rejects.toMatchObject({
      code: 'playlist-folder.below-itself',
    });
    await expect(send(changePlaylistFolder, { userId: user, folderId: a, parentId: a })).rejects.toMatchObject({
      code: 'playlist-folder.below-itself',
    });
    await expect(make(user, 'c', 99)).rejects.toMatchObject({ code: 'playlist-folder.not-found' });
    await send(changePlaylistFolder, { userId: user, folderId: b, parentId: 0 });
    await send(changePlaylistFolder, { userId: user, folderId: a, parentId: b });
    expect(await tree(user)).toEqual(['1 in 2: a', '2 in 0: b']);
  });

  it('hold a list once: filing it again moves it', async () => {
    const user = account();
    const [a, b] = [await make(user, 'a'), await make(user, 'b')];
    await send(filePlaylist, { userId: user, folderId: a, ...list(7), sortOrder: 3 });
    await send(filePlaylist, { userId: user, folderId: b, ...list(7) });
    expect(await filed(user)).toEqual(['playlist 7 in 2 at 3']);
    await send(unfilePlaylist, { userId: user, folderId: a, ...list(7) });
    expect(await filed(user)).toHaveLength(1);
    await send(filePlaylist, { userId: user, folderId: 0, ...list(7) });
    expect(await filed(user)).toEqual([]);
  });

  it('go only when nothing is in them that their owner can find', async () => {
    const user = account();
    const a = await make(user, 'a');
    await make(user, 'below', a);
    await expect(send(deletePlaylistFolder, { userId: user, folderId: a })).rejects.toMatchObject({ code: 'playlist-folder.not-empty' });
    await send(deletePlaylistFolder, { userId: user, folderId: 2 });
    await send(filePlaylist, { userId: user, folderId: a, ...list(7) });
    await expect(send(deletePlaylistFolder, { userId: user, folderId: a })).rejects.toMatchObject({ code: 'playlist-folder.not-empty' });
    await send(deletePlaylistFolder, { userId: user, folderId: a, absent: [list(7)] });
    expect([await tree(user), await filed(user)]).toEqual([[], []]);
    expect(await make(user, 'a')).toBe(3);
  });

  it('come out of a rebuild as they were', async () => {
    await verifyRebuild();
  });
});
