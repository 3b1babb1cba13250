import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WEB_PAGE } from '../../src/apis/web-page/web-page.surface.js';
import { fixtureSecret } from '../library/share-writer.js';
import { ShareWorld } from '../share-page/share-world.fixture.js';
import { testAccounts } from '../servers/test-gateway.js';

/* Headers of every answer by route: a route that is not in the table fails. */

let world: ShareWorld;
let share: number;
beforeAll(async () => {
  world = await ShareWorld.start();
  share = await world.shared({ allow_download: true });
});
afterAll(() => world.stop());

const TOKEN = testAccounts.admin.token;
const native = (rest: string): string => `action=${rest}&auth=${TOKEN}`;
const compat = (rest: string): string => `/rest/${rest}&v=1.16.1&c=spec&u=x&auth=${TOKEN}`;

const script = readdirSync(join(dirname(WEB_PAGE), 'assets')).find((name) => name.endsWith('.js'));

/** Kind of answer: a page for browsers, its worker, a document of an API, a text of the server itself, or bytes of media. */
type Kind = 'page' | 'worker' | 'document' | 'text' | 'bytes';

/** Every route with an address that meets it (by GET, unless it begins with another method), and what comes back. Forms of the account's page answer pages and redirections. */
const TABLE: Readonly<Record<string, readonly (readonly [address: string, kind: Kind])[]>> = {
  '/': [['/', 'page']],
  '/addresses': [['/addresses', 'page']],
  '/manifest.webmanifest': [['/manifest.webmanifest', 'document']],
  '/service-worker.js': [['/service-worker.js', 'worker']],
  '/icon-192.png': [['/icon-192.png', 'document']],
  '/icon-512.png': [['/icon-512.png', 'document']],
  '/assets/*': [
    [`/assets/${script}`, 'document'],
    ['/assets/nothing.js', 'text'],
  ],
  '/health/live': [['/health/live', 'document']],
  '/health/ready': [['/health/ready', 'document']],
  '/play/*': [
    [`/play/index.php?type=song&oid=1&ssid=${TOKEN}`, 'bytes'],
    [`/play/index.php?type=song&oid=999&ssid=${TOKEN}`, 'text'],
    [`/play/index.php?type=song&oid=1&action=download&ssid=${TOKEN}`, 'bytes'],
  ],
  '/image.php': [
    [`/image.php?object_type=album&object_id=1&ssid=${TOKEN}`, 'bytes'],
    [`/image.php?object_type=album&object_id=999&size=abc&ssid=${TOKEN}`, 'bytes'],
  ],
  '/share.php': [
    ['/share.php?id=@share&secret=@secret', 'page'],
    ['/share.php?id=1&secret=x', 'page'],
  ],
  '/share.php/play': [['/share.php/play?token=x', 'page']],
  '/share.php/download': [['/share.php/download?token=x', 'page']],
  '/share.php/art': [['/share.php/art?token=x', 'page']],
  '/register.php': [['/register.php?auth=%22%3E%3Cscript%3E', 'page']],
  '/events': [['/events?types=%22', 'text']],
  '/openapi/:file': [
    ['/openapi/native-8.json', 'document'],
    ['/openapi/..%2Fnothing.json', 'text'],
  ],
  '/docs': [['/docs', 'page']],
  '/docs/problems': [['/docs/problems', 'page']],
  '/docs/:file': [
    ['/docs/swagger-ui-bundle.js', 'document'],
    ['/docs/nothing.js', 'text'],
  ],
  '/account': [['/account', 'page']],
  '/server/json.server.php': [
    [`/server/json.server.php?${native('songs')}`, 'document'],
    [`/server/json.server.php?${native('song&filter=%3Cscript%3E')}`, 'document'],
    [`/server/json.server.php?${native('get_art&type=album&id=1')}`, 'bytes'],
    [`/server/json.server.php?${native('download&type=song&id=1')}`, 'bytes'],
  ],
  '/server/xml.server.php': [[`/server/xml.server.php?${native('songs')}`, 'document']],
  '/rest/:version(^\\d+$)': [['/rest/8', 'document']],
  '/rest/:version/:format': [[`/rest/8/json?auth=${TOKEN}`, 'document']],
  '/rest/:version/:format/*': [
    [`/rest/8/xml/songs?auth=${TOKEN}`, 'document'],
    ['/rest/8/json/upload', 'document'],
  ],
  '/rest/:operation': [
    [compat('getSong?id=so-1'), 'document'],
    [compat('getSong?id=so-1&f=json'), 'document'],
    [compat('getSong?id=so-1&f=jsonp&callback=a.b'), 'document'],
    [compat('download?id=so-1'), 'bytes'],
    [compat('download?id=so-999'), 'document'],
    [compat('getCoverArt?id=al-1'), 'bytes'],
  ],
  '/rest/hls/:token/:file': [['/rest/hls/x/list.m3u8', 'text']],
};

const ACCOUNT = /^\/account\//;
const MANAGE = /^\/manage\/v1\//;
const types: Readonly<Record<Kind, RegExp>> = {
  page: /^text\/html; charset=utf-8$|^$/,
  worker: /^text\/javascript/,
  document: /^(?:image\/png|application\/manifest\+json|application\/json|text\/xml|(?:text|application)\/javascript)/,
  text: /^text\/plain|^$/,
  bytes: /^(?!text\/html|image\/svg|application\/xhtml)/,
};

const ask = async (method: string, address: string) => {
  const url = address.replace('@share', String(share)).replace('@secret', fixtureSecret(share));
  return world.gateway.app.inject({ method: method as 'GET', url, headers: { origin: 'https://evil.example' } });
};

/** Asks an address, which may begin with the method. */
const meet = async (address: string) => {
  const [method, rest] = address.includes(' ') ? address.split(' ') : ['GET', address];
  return ask(method ?? 'GET', rest ?? '');
};

const everywhere = (headers: Record<string, unknown>): void => {
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'x-correlation-id': expect.any(String),
  });
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'/);
  expect(headers['content-security-policy']).not.toContain('unsafe-');
  for (const name of ['x-powered-by', 'server', 'access-control-allow-credentials']) expect(headers[name]).toBeUndefined();
};

const pageHead = (headers: Record<string, unknown>): void => {
  expect(headers).toMatchObject({
    'x-frame-options': 'DENY',
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex, nofollow',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': expect.stringContaining('camera=()'),
  });
  expect(headers['access-control-allow-origin']).toBeUndefined();
  if (String(headers['content-type']).startsWith('text/html'))
    expect(headers['content-security-policy']).toMatch(/base-uri 'none'.*frame-ancestors 'none'|frame-ancestors 'none'.*base-uri 'none'/);
};

const checks: Readonly<Record<Kind, (headers: Record<string, unknown>) => void>> = {
  page: pageHead,
  worker: pageHead,
  document: (headers) => {
    expect(headers).toMatchObject({ 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' });
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['set-cookie']).toBeUndefined();
  },
  text: (headers) => {
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers['set-cookie']).toBeUndefined();
  },
  bytes: (headers) => {
    expect(headers['content-security-policy']).toBe("default-src 'none'; sandbox");
    expect(headers).toMatchObject({ 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' });
    expect(headers['set-cookie']).toBeUndefined();
  },
};

describe('the head of every answer', () => {
  it('is known for every route that there is', () => {
    const urls = new Set(world.gateway.routes.map(({ url }) => url).filter((url) => !ACCOUNT.test(url) && !MANAGE.test(url)));
    expect([...urls].toSorted()).toEqual(Object.keys(TABLE).toSorted());
  });

  it.each(Object.entries(TABLE).flatMap(([, all]) => all))('of %s is that of a %s', async (address, kind) => {
    const { headers } = await meet(address);
    everywhere(headers);
    expect(headers['content-type'] ?? '').toMatch(types[kind]);
    checks[kind](headers);
  });

  it('of everything on the account\u2019s page is that of a page', async () => {
    const routes = world.gateway.routes.filter(({ url }) => ACCOUNT.test(url));
    expect(routes.length).toBeGreaterThan(25);
    for (const { method, url } of routes) {
      const { headers } = await ask(method, url);
      everywhere(headers);
      checks.page(headers);
    }
  });

  it('of everything in the management API is that of a document', async () => {
    const routes = world.gateway.routes.filter(({ url }) => MANAGE.test(url));
    expect(routes.length).toBeGreaterThan(4);
    for (const { method, url } of [...routes, { method: 'GET', url: '/manage/v1/nothing' }]) {
      const { headers } = await ask(method, url);
      everywhere(headers);
      expect(headers).toMatchObject({ 'content-type': 'application/problem+json; charset=utf-8', 'cache-control': 'no-store' });
      checks.document(headers);
    }
  });

  it('lets no page of another origin ask for the account\u2019s page, the page of a share, or that of a mail', async () => {
    for (const address of ['/', '/account/login', '/account/profile', '/account/token', '/share.php?id=1', '/register.php']) {
      const { headers, statusCode } = await ask('OPTIONS', address);
      expect([address, statusCode, headers['access-control-allow-origin'], headers['access-control-allow-methods']]).toEqual([
        address,
        204,
        undefined,
        undefined,
      ]);
    }
    expect((await ask('OPTIONS', '/rest/8/json/songs')).headers['access-control-allow-methods']).toContain('DELETE');
  });
});

describe('a request that could be read in two ways', () => {
  let port: number;
  beforeAll(async () => {
    port = Number(new URL(await world.gateway.app.listen({ port: 0, host: '127.0.0.1' })).port);
  });
  const first = (status: string): RegExp => new RegExp(`^HTTP/1\\.1 ${status} `);
  const head = 'POST /server/json.server.php HTTP/1.1\r\nHost: a\r\n';
  it.each([
    [
      'has a length and is chunked',
      `${head}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /metrics HTTP/1.1\r\nHost: a\r\n\r\n`,
      '400',
    ],
    ['has two lengths', `${head}Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde`, '400'],
    ['is chunked in a way that nobody knows', `${head}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`, '400'],
    ['has a blank before a colon', `${head}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`, '400'],
    ['is for no host', 'GET / HTTP/1.1\r\n\r\n', '400'],
    ['has too many headers', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, '431'],
  ])('is refused: it %s', async (_what, bytes, status) => {
    const answer = await new Promise<string>((resolve, reject) => {
      let text = '';
      const socket = connect({ host: '127.0.0.1', port }, () => socket.write(bytes));
      socket.on('data', (chunk) => (text += chunk.toString('latin1')));
      socket.on('close', () => resolve(text));
      socket.on('error', reject);
    });
    expect(answer).toMatch(first(status));
    // Nothing behind it was answered as a request of its own.
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });
});
