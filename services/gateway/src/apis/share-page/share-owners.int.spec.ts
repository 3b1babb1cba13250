import { InMemoryCommandClient } from '@continuo/chassis/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixedAuth, startTestGateway, testAccounts } from '../../../test/servers/test-gateway.js';
import { ShareWorld } from '../../../test/share-page/share-world.fixture.js';

let world: ShareWorld;

beforeAll(async () => {
  world = await ShareWorld.start();
});
afterAll(() => world.stop());

describe('shares of others', () => {
  const call = (query: string, token: string) =>
    world.gateway.app.inject({ url: `/server/json.server.php?version=8.0.0&${query}`, headers: { authorization: `Bearer ${token}` } });

  it('are found, changed and ended by administrators alone', async () => {
    const id = await world.shared({ user_id: 1, description: 'theirs' });
    const { token } = testAccounts.listener;
    for (const query of [
      `action=share&filter=${id}`,
      `action=share_edit&filter=${id}&description=mine`,
      `action=share_delete&filter=${id}`,
    ]) {
      expect((await call(query, token)).json()).toMatchObject({ error: { errorCode: '4704', errorMessage: `Not Found: ${id}` } });
    }
    expect((await call('action=shares&limit=none', token)).body).not.toContain('theirs');
    const own = await world.shared({ user_id: 2, description: 'of the listener' });
    expect((await call(`action=share&filter=${own}`, token)).json()).toMatchObject({ description: 'of the listener', owner: 'listener' });
    const admin = testAccounts.admin.token;
    expect((await call(`action=share_edit&filter=${own}&description=changed&expires=0`, admin)).json()).toEqual({
      success: `share ${own} updated`,
    });
    expect((await call(`action=share&filter=${own}`, token)).json()).toMatchObject({ description: 'changed', expire_days: 0 });
    expect((await call(`action=share_delete&filter=${own}`, token)).json()).toEqual({ success: `share ${own} deleted` });
    expect((await call(`action=share&filter=${own}`, admin)).json()).toMatchObject({ error: { errorCode: '4704' } });
  });

  it('cannot be created for hidden objects, and have the default lifetime', async () => {
    const { token } = testAccounts.listener;
    const made = (await call('action=share_create&type=album&filter=1', token)).json<{ id: string; public_url: string }>();
    expect(made).toMatchObject({ name: 'Harbour', description: 'Harbour', owner: 'listener', allow_stream: true, allow_download: true });
    expect(new URL(made.public_url).pathname).toBe('/share.php');
    const hidden = await startTestGateway(world.model.read, {
      auth: fixedAuth([{ ...testAccounts.listener, catalogs: [1] }]),
      commands: world.shares.answer(new InMemoryCommandClient()),
    });
    const tried = await hidden.app.inject({
      url: '/server/json.server.php?version=8.0.0&action=share_create&type=song&filter=4',
      headers: { authorization: `Bearer ${token}` },
    });
    expect(tried.json()).toMatchObject({ error: { errorCode: '4704' } });
    await hidden.stop();
  });
});
