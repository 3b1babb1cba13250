import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PageWorld } from '../../../test/account-page/page-world.fixture.js';
import { WEB_PAGE } from './web-page.surface.js';

const assets = readdirSync(join(dirname(WEB_PAGE), 'assets'));
const script = `/assets/${assets.find((name) => /^page-.*\.js$/.test(name))}`;

let world: PageWorld;
beforeAll(async () => {
  world = await PageWorld.start({ settings: { PUBLIC_URL: 'https://music.example/continuo' } });
});
afterAll(() => world.stop());

type Answer = Awaited<ReturnType<PageWorld['gateway']['app']['inject']>>;
const ask = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET'): Promise<Answer> =>
  world.gateway.app.inject({ method, url, headers });

describe('the web page', () => {
  it('runs only what carries the nonce of its answer, takes pictures from the public address, and lets stations sound from theirs', async () => {
    const answers = await Promise.all([ask('/'), ask('/')]);
    const nonces = answers.map(({ headers, body }) => {
      const policy = String(headers['content-security-policy']);
      const [, nonce = ''] = /'nonce-([\w-]{24})'/.exec(policy) ?? [];
      expect(policy).toBe(
        `default-src 'none'; script-src 'nonce-${nonce}' 'strict-dynamic'; style-src 'nonce-${nonce}'; img-src 'self' https://music.example; ` +
          `media-src 'self' http: https: blob:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      );
      const loaded = body.match(/<(?:script|link rel="(?:modulepreload|stylesheet)")[^>]*>/g) ?? [];
      expect(loaded.length).toBeGreaterThan(1);
      for (const tag of loaded) expect(tag).toContain(`nonce="${nonce}"`);
      expect(body).not.toMatch(/<script(?![^>]* src=)|\son\w+=|style="|\bNONCE\b/);
      return nonce;
    });
    expect(new Set(nonces).size).toBe(2);
  });

  it('is kept by no cache, and names its files relative to itself, so that a proxy may serve it below any path', async () => {
    const { headers, body } = await ask('/');
    expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store', 'x-frame-options': 'DENY' });
    const addresses = [...body.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address);
    expect(addresses.length).toBeGreaterThan(2);
    for (const address of addresses) expect(address).toMatch(/^\.\//);
    for (const address of addresses) expect([address, (await ask(String(address).slice(1))).statusCode]).toEqual([address, 200]);
  });

  it('loads at most 170 kB of scripts and styles before it shows something', async () => {
    const { body } = await ask('/');
    const files = [...body.matchAll(/(?:src|href)="\.(\/assets\/[^"]+\.(?:js|css))"/g)].map(([, file = '']) => file);
    const sizes = await Promise.all(files.map(async (file) => (await ask(file, { 'accept-encoding': 'gzip' })).rawPayload.length));
    expect(sizes.length).toBeGreaterThan(1);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(170_000);
  });

  it('answers HEAD with the same headers and no body', async () => {
    for (const url of ['/', script]) {
      const [head, get] = [await ask(url, {}, 'HEAD'), await ask(url)];
      expect([head.statusCode, head.body, head.headers['content-type'], head.headers['cache-control']]).toEqual([
        200,
        '',
        get.headers['content-type'],
        get.headers['cache-control'],
      ]);
    }
  });
});

it('keeps itself and chosen songs by a worker that may fetch from this server only', async () => {
  const { headers, body } = await ask('/service-worker.js');
  expect(headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'content-security-policy': "default-src 'none'; connect-src 'self'",
    'cache-control': 'no-store',
  });
  const kept = assets.filter((name) => body.includes(name));
  expect(kept).toContain(basename(script));
  expect(kept.length).toBeGreaterThan(20);
  expect(kept.filter((name) => name.startsWith('manage'))).toEqual([]);
});

it('can be installed: the manifest names pictures that there are', async () => {
  const manifest = await ask('/manifest.webmanifest');
  expect(manifest.headers['content-type']).toBe('application/manifest+json');
  const { icons, start_url } = manifest.json<{ icons: { src: string }[]; start_url: string }>();
  expect(new URL(start_url, 'https://music.example/a/manifest.webmanifest').href).toBe('https://music.example/a/');
  expect(icons.length).toBeGreaterThan(0);
  for (const { src } of icons) {
    const { headers, rawPayload } = await ask(new URL(src, 'https://music.example/').pathname);
    expect([headers['content-type'], rawPayload.subarray(1, 4).toString()]).toEqual(['image/png', 'PNG']);
  }
});

describe('a file of the web page', () => {
  it.each([
    ['br', 'gzip, deflate, br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
  ])('comes compressed as %s to who takes it, kept for a year', async (encoding, accepted, open) => {
    const plain = await ask(script);
    expect(plain.headers['content-encoding']).toBeUndefined();
    const { headers, rawPayload } = await ask(script, { 'accept-encoding': accepted });
    expect(headers).toMatchObject({
      'content-encoding': encoding,
      'content-type': expect.stringMatching(/^application\/javascript/),
      'cache-control': 'public, max-age=31536000, immutable',
      vary: expect.stringMatching(/accept-encoding/i),
    });
    expect(open(rawPayload).equals(plain.rawPayload)).toBe(true);
    expect(rawPayload.length).toBeLessThan(plain.rawPayload.length / 2);
  });

  it.each([
    '/assets/nothing-00000000.js',
    '/assets/',
    '/assets/../index.html',
    '/assets/%2e%2e/index.html',
    '/assets/..%2findex.html',
    '/assets/..%2f..%2fpackage.json',
    '/assets/..%5c..%5cpackage.json',
    '/assets//etc/passwd',
    '/index.html',
  ])('that there is not is not found, and nothing is told of the disk: %s', async (url) => {
    const { statusCode, body } = await ask(url);
    expect(statusCode).toBeGreaterThanOrEqual(400);
    expect(statusCode).toBeLessThan(500);
    expect(body).not.toMatch(/node_modules|services|\bat \w|ENOENT|"name"|root:/);
  });
});

it('leads to the addresses for players where the account page is switched off', async () => {
  const without = await PageWorld.start({ settings: { ACCOUNT_PAGE: false } });
  const { app } = without.gateway;
  const { statusCode, headers } = await app.inject({ url: '/' });
  expect([statusCode, headers['location']]).toEqual([302, 'addresses']);
  expect((await app.inject({ url: '/addresses' })).body).toContain('/rest/8/json/');
  expect((await app.inject({ url: script })).statusCode).toBe(404);
  await without.stop();
});
