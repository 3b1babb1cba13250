import { expect, it } from 'vitest';
import type { PageBrowser, PageWorld } from '../page-world.fixture.js';
import { PUBLIC_URL, type Visitor } from './local-provider.fixture.js';

/** A public address as the gateway sees it. */
export const inside = (url: URL): string => `${url.pathname.slice(new URL(PUBLIC_URL).pathname.length)}${url.search}`;

/** Where a login at the provider begins. */
export const startOf = async (browser: PageBrowser): Promise<string> =>
  String((await browser.get('/account/provider')).headers['location']);

/** Goes to the provider as somebody and comes back. */
export const login = async (browser: PageBrowser, who: Visitor): ReturnType<PageBrowser['get']> =>
  browser.get(inside(await who.comeBackFrom(await startOf(browser))));

/** Status of a login, whether it opened a session, and what the page says. */
export const tried = async (who: Visitor, world: PageWorld): Promise<readonly [number, boolean, string]> => {
  const browser = world.browser();
  const { statusCode, body } = await login(browser, who);
  return [statusCode, browser.cookies.has('continuo'), /role="alert"[^>]*>([^<]*)/.exec(body)?.[1] ?? ''];
};

/** Cases that every provider passes. It knows `nora`, and `uma`, whose mail address it has not verified. `given` is called when a case runs. */
export const itMakesAccounts = (given: () => { readonly world: PageWorld; readonly visitor: (name: string) => Visitor }): void => {
  it('makes an account with name and verified address, and opens it from then on', async () => {
    const { world, visitor } = given();
    const browser = world.browser();
    expect((await login(browser, visitor('nora'))).headers['location']).toBe('me');
    expect(world.row('nora')).toMatchObject({ access: 25, email: 'nora@example.org', sealed_password_sha256: null });
    expect((await browser.get('/account/me')).body).toContain('<h1>nora</h1>');
    expect(await tried(visitor('nora'), world)).toEqual([303, true, '']);
    expect(world.users.filter(({ username }) => username === 'nora')).toHaveLength(1);
  });

  it('copies no address that the provider has not verified', async () => {
    const { world, visitor } = given();
    expect(await tried(visitor('uma'), world)).toEqual([303, true, '']);
    expect(world.row('uma')).toMatchObject({ email: null });
  });
};
