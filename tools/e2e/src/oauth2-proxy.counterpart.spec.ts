import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEX_PASSWORD, freePort, startServerProcess, testDex, type ServerProcess, type TestDex } from '@continuo/local-servers';
import { startStandalone, type Standalone } from '@continuo/standalone';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openTab, startBrowser, until, type Tab } from './browser.js';
import { config } from './config.js';

/* A whole server that believes the header of an oauth2-proxy, which asks a Dex. Players pass by without it. */

const apiKey = 'roots-key-0123456789';
const secret = 'a secret between the two';
const HEADER = 'X-Forwarded-Preferred-Username';
let folder: string;
let dex: TestDex;
let server: Standalone;
let proxy: ServerProcess;
let proxyUrl: string;
let browser: Browser;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'continuo-oauth2-proxy-'));
  const [port, proxyPort] = [await freePort(), await freePort()];
  proxyUrl = `http://127.0.0.1:${proxyPort}`;
  const redirect = `${proxyUrl}/oauth2/callback`;
  dex = await testDex({
    users: [{ name: 'nora', preferredUsername: 'nora' }],
    clients: [{ id: 'proxy', secret, name: 'Proxy', redirectURIs: [redirect] }],
  });
  const environment = {
    CONTINUO_ADMIN_USER: 'root',
    CONTINUO_ADMIN_PASSWORD: 'roots own password',
    CONTINUO_ADMIN_API_KEY: apiKey,
    LOG_LEVEL: 'error',
    PUBLIC_URL: proxyUrl,
    TRUSTED_PROXIES: '127.0.0.1',
    PROXY_LOGIN_HEADER: HEADER,
    PROXY_LOGIN_CREATE: 'true',
  };
  server = await startStandalone({ dataFolder: join(folder, 'data'), host: '127.0.0.1', port, environment });
  if (config.oauth2Proxy === undefined) throw new Error('OAUTH2_PROXY_BIN names no oauth2-proxy');
  const settings = {
    'http-address': `127.0.0.1:${proxyPort}`,
    upstream: server.url,
    provider: 'oidc',
    'oidc-issuer-url': dex.issuer,
    'client-id': 'proxy',
    'client-secret': secret,
    'redirect-url': redirect,
    'cookie-secret': randomBytes(16).toString('hex'),
    'cookie-secure': 'false',
    'email-domain': '*',
    'skip-provider-button': 'true',
    'code-challenge-method': 'S256',
    'skip-auth-route': '^/(rest|server|play|health)/',
  };
  const args = Object.entries(settings).map(([name, value]) => `--${name}=${value}`);
  proxy = await startServerProcess({ name: 'oauth2-proxy', bin: config.oauth2Proxy, args, cwd: folder, stopSignal: 'TERM' });
  await vi.waitUntil(
    () =>
      fetch(`${proxyUrl}/ping`).then(
        ({ ok }) => ok,
        () => false,
      ),
    { timeout: 20_000 },
  );
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  await proxy.stop();
  await server.stop();
  await dex.stop();
  await rm(folder, { recursive: true, force: true });
});

const arrives = (tab: Tab, expression: string): Promise<void> => until(tab, `document.readyState === 'complete' && (${expression})`);

const logIn = async (tab: Tab): Promise<void> => {
  await arrives(tab, `document.querySelector('input[name=login]') !== null`);
  await tab.page.fill('input[name=login]', 'nora@example.org');
  await tab.page.fill('input[name=password]', DEX_PASSWORD);
  await tab.page.click('#submit-login');
  await arrives(tab, `document.querySelector('input[name=approval][value=approve]') !== null`);
  await tab.page.click('form:has(input[value=approve]) button');
};

const forged = { [HEADER]: 'root', 'X-Forwarded-User': 'root' };

describe('an oauth2-proxy in front of the server', () => {
  it('signs in whom it names, makes the account, and lets nobody name somebody else', async () => {
    const tab = await openTab(browser, 1000, 900, { extraHTTPHeaders: forged });
    await tab.page.goto(`${proxyUrl}/account/me`);
    await logIn(tab);
    await arrives(tab, `document.querySelector('h1')?.textContent === 'nora'`);
    expect(new URL(tab.page.url()).href).toBe(`${proxyUrl}/account/me`);
    await tab.page.goto(`${proxyUrl}/`);
    await tab.page.getByRole('button', { name: 'Sign out' }).waitFor();
    const users = await fetch(`${server.url}/server/json.server.php?action=user&filter=nora`, {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    expect(await users.json()).toMatchObject({ username: 'nora', access: 25 });
    await tab.page.goto(`${proxyUrl}/oauth2/sign_out`);
    await tab.page.goto(`${proxyUrl}/account/me`);
    await arrives(tab, `location.host === ${JSON.stringify(new URL(dex.issuer).host)}`);
    await tab.page.context().close();
  });

  it('keeps everybody else from the page, whatever they send', async () => {
    const answer = await fetch(`${proxyUrl}/account/me`, { headers: forged, redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')?.startsWith(dex.issuer)]).toEqual([302, true]);
  });

  it('lets players through, who are known by their keys alone', async () => {
    const ping = async (query: string): Promise<unknown> => {
      const answer = await fetch(`${proxyUrl}/rest/ping.view?v=1.16.1&c=spec&f=json${query}`, { headers: forged });
      return answer.json();
    };
    expect(await ping(`&apiKey=${apiKey}`)).toMatchObject({ 'subsonic-response': { status: 'ok' } });
    expect(await ping('')).toMatchObject({ 'subsonic-response': { status: 'failed' } });
  });
});
