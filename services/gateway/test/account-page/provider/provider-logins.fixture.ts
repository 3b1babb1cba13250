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
