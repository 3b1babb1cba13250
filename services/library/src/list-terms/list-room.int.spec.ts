import { createCollection, createPlaylist, createSmartlist, deletePlaylist, type UserId } from '@continuo/contracts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RunningLibrary } from '../../test/running-library.js';

let library: RunningLibrary;
let { send } = {} as RunningLibrary;

beforeAll(async () => {
  library = await RunningLibrary.start({ PLAYLISTS_PER_ACCOUNT: '2', SMARTLISTS_PER_ACCOUNT: '2', COLLECTIONS_PER_ACCOUNT: '2' });
  ({ send } = library);
});
afterAll(() => library.stop());

const [ada, bob] = [1 as UserId, 2 as UserId];
const rules = [['title', 'contain', 'a', null]];
const makers = {
  playlists: (ownerId: UserId | null) => send(createPlaylist, { name: 'one', ownerId, isPublic: false }),
  smartlists: (ownerId: UserId | null) => send(createSmartlist, { name: 'one', type: 'song', ownerId, isPublic: false, rules } as never),
  collections: (ownerId: UserId | null) => send(createCollection, { name: 'one', ownerId, isPublic: false, objectKind: null }),
};

it.each(['playlists', 'smartlists', 'collections'] as const)('an account may have a bounded number of %s, the server any', async (kind) => {
  const make = makers[kind];
  await make(ada);
  await make(ada);
  await expect(make(ada)).rejects.toMatchObject({ code: 'account.full', message: `An account may have at most 2 ${kind}` });
  await make(bob);
  for (let n = 0; n < 3; n += 1) await make(null);
});

it('has room again when one is gone', async () => {
  const carl = 3 as UserId;
  const { result } = await makers.playlists(carl);
  await makers.playlists(carl);
  await send(deletePlaylist, { playlistId: (result as { playlistId: never }).playlistId });
  await makers.playlists(carl);
});
