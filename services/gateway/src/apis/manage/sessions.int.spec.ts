import { recordOperation } from '@continuo/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PageWorld } from '../../../test/account-page/page-world.fixture.js';

interface Listed {
  readonly items: readonly { readonly id: string; readonly kind: string; readonly client: string; readonly openedAt: string }[];
}

describe('sessions of an account', () => {
  let world: PageWorld;
  let token: string;
  beforeAll(async () => {
    world = await PageWorld.start();
    world.commands.handle(recordOperation, async () => ({ result: {}, positions: [] }));
    const ada = await world.signedIn('ada');
    ({ token } = JSON.parse((await ada.post('/account/token')).body) as { token: string });
  });
  afterAll(() => world.stop());

  const call = (method: 'GET' | 'DELETE', path: string) =>
    world.gateway.app.inject({ method, url: `/manage/v1${path}`, headers: { authorization: `Bearer ${token}` } });
  const accountNamed = async (name: string): Promise<number> => {
    const { items } = (await call('GET', '/accounts')).json<{ items: { id: number; username: string }[] }>();
    return items.find(({ username }) => username === name)?.id ?? 0;
  };

  it('are listed to administrators and ended by them', async () => {
    const bob = await world.signedIn('bob');
    const of = `/accounts/${await accountNamed('bob')}/sessions`;
    const { items } = (await call('GET', of)).json<Listed>();
    expect(items).toMatchObject([{ kind: 'web', expiresAt: expect.any(String) }]);
    const page = (await call('GET', `${of}?limit=1`)).json<Listed>();
    expect(page).toEqual({ items, nextCursor: null });
    expect((await call('DELETE', `${of}/${items[0]?.id ?? ''}`)).statusCode).toBe(204);
    expect((await bob.post('/account/token')).statusCode).toBe(401);
    expect((await call('GET', of)).json<Listed>().items).toEqual([]);
    expect((await call('DELETE', `${of}/${items[0]?.id ?? ''}`)).statusCode).toBe(404);
  });

  it('are those of an account that is there', async () => {
    expect((await call('GET', '/accounts/999999/sessions')).statusCode).toBe(404);
  });
});
