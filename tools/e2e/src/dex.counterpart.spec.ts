import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEX_PASSWORD, freePort, testDex, type TestDex } from '@continuo/local-servers';
import { startStandalone, type Standalone } from '@continuo/standalone';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTab, startBrowser, until, type Tab } from './browser.js';

/* A whole server, a Dex that asks another Dex for passwords, and a browser that obeys the policies of all three. */

const administrator = { name: 'root', password: 'roots own password', apiKey: 'roots-key-0123456789' } as const;
const secret = 'a secret between the two';
let folder: string;
let directory: TestDex;
let dex: TestDex;
let server: Standalone;
let browser: Browser;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'continuo-dex-'));
  const [port, dexPort] = [await freePort(), await freePort()];
  const publicUrl = `http://127.0.0.1:${port}`;
  const callback = `http://localhost:${dexPort}/dex/callback`;
  directory = await testDex({
    users: [
      { name: 'nora', preferredUsername: 'nora', groups: ['music'] },
      { name: 'ruth', preferredUsername: 'ruth', groups: ['music'] },
      { name: 'otto', preferredUsername: 'otto', groups: ['staff'] },
    ],
    clients: [{ id: 'dex', secret, name: 'Dex', redirectURIs: [callback] }],
    more: { oauth2: { skipApprovalScreen: true } },
  });
  dex = await testDex({
    port: dexPort,
    users: [],
    hasSessions: true,
    clients: [
      {
        id: 'continuo',
        secret,
        name: 'Continuo',
        redirectURIs: [`${publicUrl}/account/provider-return`],
        postLogoutRedirectURIs: [`${publicUrl}/account/login?out=1`],
      },
    ],
    connectors: [
      {
        type: 'oidc',
        id: 'directory',
        name: 'Directory',
        config: {
          issuer: directory.issuer,
          clientID: 'dex',
          clientSecret: secret,
          redirectURI: callback,
          scopes: ['profile', 'email', 'groups'],
          insecureEnableGroups: true,
        },
      },
    ],
  });
  const environment = {
    CONTINUO_ADMIN_USER: administrator.name,
    CONTINUO_ADMIN_PASSWORD: administrator.password,
    CONTINUO_ADMIN_API_KEY: administrator.apiKey,
    LOG_LEVEL: 'error',
    PUBLIC_URL: publicUrl,
    OIDC_ISSUER: dex.issuer,
    OIDC_CLIENT_ID: 'continuo',
    OIDC_CLIENT_SECRET: secret,
    OIDC_SCOPES: 'openid profile email groups',
    OIDC_REQUIRED_GROUP: 'music',
    OIDC_ACCOUNTS: 'create',
    OIDC_NAME: 'Dex',
  };
  server = await startStandalone({ dataFolder: join(folder, 'data'), host: '127.0.0.1', port, environment });
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  await server.stop();
  await dex.stop();
  await directory.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Waits until an expression is true in a page that is complete. */
const arrives = (tab: Tab, expression: string): Promise<void> => until(tab, `document.readyState === 'complete' && (${expression})`);

/** Fills in the provider's form. */
const logIn = async (tab: Tab, name: string, password: string): Promise<void> => {
  await arrives(tab, `document.querySelector('input[name=login]') !== null`);
  await tab.page.fill('input[name=login]', `${name}@example.org`);
  await tab.page.fill('input[name=password]', password);
  await tab.page.click('#submit-login');
};

/** Agrees to what the provider is about to tell. */
const agree = async (tab: Tab): Promise<void> => {
  await arrives(tab, `document.querySelector('input[name=approval][value=approve]') !== null`);
  await tab.page.click('form:has(input[value=approve]) button');
};

describe('single sign-on with Dex in Chromium', () => {
  it('opens the web page after a wrong and a right password, and signs out at both', async () => {
    const tab = await openTab(browser, 1000, 900);
    await tab.page.goto(server.url);
    await arrives(tab, `document.querySelector('a[href=provider]') !== null`);
    await tab.page.click('a[href=provider]');
    await logIn(tab, 'nora', 'wrong');
    await arrives(tab, `document.querySelector('#login-error') !== null`);
    await logIn(tab, 'nora', DEX_PASSWORD);
    await agree(tab);
    await tab.page.getByRole('button', { name: 'Sign out' }).waitFor();
    expect(new URL(tab.page.url()).pathname).toBe('/');
    const answer = await fetch(`${server.url}/server/json.server.php?action=user&filter=nora`, {
      headers: { authorization: `Bearer ${administrator.apiKey}` },
    });
    expect(await answer.json()).toMatchObject({ username: 'nora', email: 'nora@example.org' });
    await tab.page.getByRole('button', { name: 'Sign out' }).click();
    await arrives(tab, `location.href === ${JSON.stringify(`${server.url}/account/login?out=1`)}`);
    await tab.page.goto(`${server.url}/account/me`);
    await arrives(tab, `location.pathname === '/account/login'`);
    expect(tab.complaints.filter((text) => /Content Security Policy/i.test(text))).toEqual([]);
    await tab.page.context().close();
  });

  it('refuses who is in another group, and says why', async () => {
    const tab = await openTab(browser, 1000, 900);
    await tab.page.goto(`${server.url}/account/login`);
    await tab.page.click('a[href=provider]');
    await logIn(tab, 'otto', DEX_PASSWORD);
    await agree(tab);
    await arrives(tab, `document.body.textContent.includes('You are not in the group that may use this server.')`);
    await tab.page.context().close();
  });

  it('links an account when the provider leads on to the pages of another one', async () => {
    const tab = await openTab(browser, 1000, 900);
    await tab.page.goto(`${server.url}/account/login`);
    await tab.page.fill('input[name=username]', administrator.name);
    await tab.page.fill('input[name=password]', administrator.password);
    await tab.page.click('form[action=login] button');
    await arrives(tab, `document.querySelector('form[action=identity-link]') !== null`);
    await tab.page.fill('form[action=identity-link] input[name=current]', administrator.password);
    await tab.page.click('form[action=identity-link] button');
    await logIn(tab, 'ruth', DEX_PASSWORD);
    await agree(tab);
    await arrives(tab, `document.querySelector('[role=status]')?.textContent === 'Single sign-on is linked with your account.'`);
    expect(await tab.page.locator('h1').textContent()).toBe(administrator.name);
    expect(tab.complaints.filter((text) => /Content Security Policy/i.test(text))).toEqual([]);
    await tab.page.context().close();
  });
});
