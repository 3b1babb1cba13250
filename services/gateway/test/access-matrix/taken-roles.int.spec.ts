import { builtInPreferences, rolePreferences, type AccountRole } from '@continuo/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linksIn, ShareWorld } from '../share-page/share-world.fixture.js';
import { fixedAuth, startTestGateway, testAccounts, type TestAccount, type TestGateway } from '../servers/test-gateway.js';

/* Roles taken from an account are refused on every surface, also for addresses that were given out before. */

const guest: TestAccount = { id: 7, username: 'guest', access: 5, token: 'guest-token' };
const { admin } = testAccounts;
const roles = Object.keys(rolePreferences) as AccountRole[];

let world: ShareWorld;
let gateway: TestGateway;
let sharedSong = '';
let segments = '';

const get = (of: TestGateway, url: string, by?: TestAccount) =>
  of.app.inject({ url, ...(by ? { headers: { authorization: `Bearer ${by.token}` } } : {}) });
const segmentsOf = async (of: TestGateway): Promise<string> => {
  const { body } = await get(of, '/rest/hls.m3u8?v=1.16.1&c=spec&id=so-1', admin);
  return `/rest/${/^hls\/[^/]+\//m.exec(body)?.[0] ?? ''}list.m3u8`;
};
const take = async (account: number, value: string): Promise<void> => {
  const values = roles.map((role) => ({
    user_id: account,
    preference_id: builtInPreferences.find(({ name }) => name === rolePreferences[role])?.id ?? 0,
    value,
  }));
  await world.model.write.insertInto('social.user_preference').values(values).execute();
};

beforeAll(async () => {
  world = await ShareWorld.start();
  [sharedSong = ''] = linksIn((await world.pageOf(await world.shared())).body, 'play');
  segments = await segmentsOf(world.gateway);
  await take(admin.id, '0');
  await take(guest.id, '1');
  // Preferences are kept in memory, and nothing tells the first gateway of the change.
  gateway = await startTestGateway(world.model.read, { auth: fixedAuth([...Object.values(testAccounts), guest]) });
});
afterAll(async () => {
  await gateway.stop();
  await world.stop();
});

const native = async (query: string, by: TestAccount, of = gateway): Promise<string> =>
  (await get(of, `/server/json.server.php?version=8.0.0&${query}`, by)).body;

/** An action for each role that the native API looks at. */
const ACTIONS: readonly (readonly [role: AccountRole, query: string])[] = [
  ['stream', 'action=stream&id=1&type=song'],
  ['playlist', 'action=playlist_create&name=x'],
  ['podcast', 'action=podcast_create&url=https://example.org/feed&catalog=1'],
  ['coverArt', 'action=update_art&id=1&type=song'],
  ['settings', 'action=preference_edit&filter=download&value=1'],
];

describe('a role that was taken', () => {
  it.each(ACTIONS)('is missing to the native API: %s', async (role, query) => {
    expect(await native(query, admin)).toContain(`lacks the role ${role}`);
    expect(await native(query, admin, world.gateway)).not.toContain('lacks the role');
  });

  it('is missing to play addresses', async () => {
    const play = '/play/index.php?type=song&oid=1';
    expect((await get(world.gateway, play, admin)).statusCode).toBe(200);
    const refused = await get(gateway, play, admin);
    expect([refused.statusCode, refused.body]).toEqual([403, 'This account lacks the role stream\n']);
  });

  it('is missing to segments whose address was given out before', async () => {
    expect((await get(world.gateway, segments)).statusCode).toBe(200);
    expect((await get(gateway, segments)).statusCode).toBe(403);
  });

  it('closes shares', async () => {
    expect((await get(world.gateway, sharedSong)).statusCode).toBe(200);
    expect((await get(gateway, sharedSong)).statusCode).toBe(404);
    const share = 'action=share_create&filter=1&type=song';
    expect(await native(share, admin)).toContain('4703');
    expect(await native(share, admin, world.gateway)).not.toContain('4703');
  });
});

describe('a share of somebody who may share', () => {
  it('is not heard where its owner may hear nothing', async () => {
    const id = builtInPreferences.find(({ name }) => name === rolePreferences.share)?.id ?? 0;
    await world.model.write.updateTable('social.user_preference').set({ value: '1' }).where('preference_id', '=', id).execute();
    const sharing = await startTestGateway(world.model.read, {});
    expect((await get(sharing, sharedSong)).statusCode).toBe(404);
    await sharing.stop();
  });
});

describe('a role that was given', () => {
  it('lets no guest do what needs a level', async () => {
    for (const [, query] of ACTIONS.filter(([role]) => role === 'podcast' || role === 'coverArt'))
      expect(await native(query, guest)).toMatch(/Require: (?:50|75|25)/);
  });
});
