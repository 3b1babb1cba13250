import { freePort } from '@continuo/local-servers';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStandalone, type Standalone } from '@continuo/standalone';
import { Provider } from 'oidc-provider';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, openTab, startBrowser, until, type Tab } from './browser.js';

/* A whole server, a certified provider, and a browser that obeys the policies of both. */

const administrator = { name: 'root', password: 'roots own password', apiKey: 'roots-key-0123456789' } as const;
let folder: string;
let identityServer: Server;
let server: Standalone;
let browser: Browser;
let issuer: string;

const startProvider = async (publicUrl: string): Promise<void> => {
  let handle: ReturnType<Provider['callback']> | undefined;
  identityServer = createServer((request, response) => void handle?.(request, response)).listen(0, '127.0.0.1');
  await once(identityServer, 'listening');
  // Another host name than the server's: to the browser these are two sites.
  issuer = `http://localhost:${(identityServer.address() as AddressInfo).port}`;
  handle = new Provider(issuer, {
    clients: [
      {
        client_id: 'continuo',
        client_secret: 'a secret between the two',
        redirect_uris: [`${publicUrl}/account/provider-return`],
        post_logout_redirect_uris: [`${publicUrl}/account/login?out=1`],
      },
    ],
    claims: { openid: ['sub'], profile: ['name', 'preferred_username'], email: ['email', 'email_verified'] },
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: () =>
        Promise.resolve({
          sub,
          preferred_username: sub,
          name: `${sub} of the provider`,
          email: `${sub}@example.org`,
          email_verified: true,
        }),
    }),
    cookies: { keys: ['a key of the spec'] },
  }).callback();
};

beforeAll(async () => {
  if (chromiumPath === undefined) return;
  folder = await mkdtemp(join(tmpdir(), 'continuo-sso-'));
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  await startProvider(publicUrl);
  const environment = {
    CONTINUO_ADMIN_USER: administrator.name,
    CONTINUO_ADMIN_PASSWORD: administrator.password,
    CONTINUO_ADMIN_API_KEY: administrator.apiKey,
    LOG_LEVEL: 'error',
    PUBLIC_URL: publicUrl,
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: 'continuo',
    OIDC_CLIENT_SECRET: 'a secret between the two',
    OIDC_ACCOUNTS: 'create',
    OIDC_NAME: 'the house',
    // Whoever comes for the first time gets in, also where the read model lags.
    READ_YOUR_WRITES_TIMEOUT_MS: '0',
  };
  server = await startStandalone({ dataFolder: join(folder, 'data'), host: '127.0.0.1', port, environment });
  browser = await startBrowser();
}, 120_000);
afterAll(async () => {
  if (chromiumPath === undefined) return;
  await browser.close();
  await server.stop();
  identityServer.closeAllConnections();
  identityServer.close();
  await rm(folder, { recursive: true, force: true });
}, 60_000);

/** Waits until an expression is true in a page that is complete. */
const arrives = (tab: Tab, expression: string): Promise<void> => until(tab, `document.readyState === 'complete' && (${expression})`);

/** Logs in at the provider's own pages and agrees. */
const throughProvider = async (tab: Tab, name: string): Promise<void> => {
  await arrives(tab, `document.querySelector('input[name=login]') !== null`);
  await tab.page.evaluate(`(() => { const form = document.querySelector('form'); form.elements.login.value = ${JSON.stringify(name)};
    form.elements.password.value = 'any'; form.querySelector('button').click(); })()`);
  await arrives(tab, `document.querySelector('input[name=prompt][value=consent]') !== null`);
  await tab.page.evaluate(`document.querySelector('form button').click()`);
};

it.skipIf(chromiumPath !== undefined)('is NOT looked at in a browser: there is no Chromium on this machine', () => undefined);

describe.skipIf(chromiumPath === undefined)('single sign-on in Chromium', () => {
  let tab: Tab;
  beforeAll(async () => {
    tab = await openTab(browser, 1000, 900);
  });

  it('makes an account, comes back to it, and signs out at both', async () => {
    await tab.page.goto(`${server.url}/account/login`);
    await tab.page.evaluate(`document.querySelector('a[href=provider]').click()`);
    await throughProvider(tab, 'nora');
    await arrives(tab, `location.pathname === '/account/me' && document.querySelector('h1').textContent === 'nora'`);
    const answer = await fetch(`${server.url}/server/json.server.php?action=user&filter=nora`, {
      headers: { authorization: `Bearer ${administrator.apiKey}` },
    });
    expect(await answer.json()).toMatchObject({
      username: 'nora',
      access: expect.anything(),
      fullname: 'nora of the provider',
      email: 'nora@example.org',
    });
    await tab.page.evaluate(`document.querySelector('form[action=logout] button').click()`);
    // The form leads on to the provider, which the page's policy has to let it.
    await arrives(tab, `location.origin === ${JSON.stringify(issuer)} && document.querySelector('button[name=logout]') !== null`);
    await tab.page.evaluate(`document.querySelector('button[name=logout]').click()`);
    await arrives(tab, `location.href === ${JSON.stringify(`${server.url}/account/login?out=1`)}`);
    // The provider's own pages ask for fonts from elsewhere.
    expect(tab.complaints.filter((text) => !/\b40[14]\b|\[DOM\]|net::ERR_/.test(text))).toEqual([]);
    await tab.page.goto(`${server.url}/account/me`);
    await arrives(tab, `location.pathname === '/account/login'`);
    await tab.page.evaluate(`document.querySelector('a[href=provider]').click()`);
    await throughProvider(tab, 'nora');
    await arrives(tab, `location.pathname === '/account/me' && document.querySelector('h1').textContent === 'nora'`);
  }, 60_000);

  it('is linked with an account that there is', async () => {
    await tab.page.goto(`${server.url}/account/me`);
    await arrives(tab, `document.querySelector('form[action=logout]') !== null`);
    await tab.page.evaluate(`document.querySelector('form[action=logout] button').click()`);
    await arrives(tab, `document.querySelector('button[name=logout]') !== null`);
    await tab.page.evaluate(`document.querySelector('button[name=logout]').click()`);
    await arrives(tab, `document.querySelector('form[action=login]') !== null`);
    await tab.page
      .evaluate(`(() => { const form = document.querySelector('form[action=login]'); form.elements.username.value = '${administrator.name}';
      form.elements.password.value = '${administrator.password}'; form.querySelector('button').click(); })()`);
    await arrives(tab, `document.querySelector('form[action=identity-link]') !== null`);
    await tab.page.evaluate(`(() => { const form = document.querySelector('form[action=identity-link]');
      form.elements.current.value = '${administrator.password}'; form.querySelector('button').click(); })()`);
    await throughProvider(tab, 'the-root-of-the-house');
    await arrives(tab, `document.querySelector('[role=status]')?.textContent === 'Single sign-on is linked with your account.'`);
    expect(await tab.page.evaluate(`document.querySelector('h1').textContent`)).toBe(administrator.name);
  }, 60_000);
});
