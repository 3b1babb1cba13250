import { userId } from '@continuo/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authFixture, NOON, request, SECRET, type AuthFixture } from '../auth/auth.fixture.js';
import { accessTokens } from '../../src/auth/credentials/access-token.js';
import { mediaTokens } from '../../src/auth/credentials/media-token.js';
import { sessionTokens } from '../../src/auth/sessions/session-token.js';
import { keyOfWeb } from '../../src/auth/sessions/session-key.js';
import { hlsTokens } from '../../src/features/hls/hls-grant.js';
import { shareTokens } from '../../src/features/share/share-tokens.js';
import { testReadModel, type TestReadModel } from '../servers/read-model-database.js';
import { startTestGateway, TEST_NOW_MS, TEST_SECRET, type TestGateway } from '../servers/test-gateway.js';

/* Wrong credentials of every kind on every route count in one throttle; a route that is not in the table fails. */

const LIMIT = 5;
const fixture: AuthFixture = authFixture({ LOGIN_FAILURES_PER_ADDRESS: LIMIT });
let model: TestReadModel;
let gateway: TestGateway;

beforeAll(async () => {
  model = await testReadModel();
  const oidc = { PUBLIC_URL: 'https://music.example', OIDC_ISSUER: 'https://issuer.invalid', OIDC_CLIENT_ID: 'continuo' };
  gateway = await startTestGateway(model.read, { auth: fixture.auth, settings: oidc });
});
afterAll(async () => {
  await gateway.stop();
  await model.close();
});

interface Guess {
  readonly query?: Record<string, string>;
  readonly headers?: Record<string, string>;
  /** Takes the place of `:token` in the route. */
  readonly token?: string;
}
type Kind = (n: number) => Guess;

let names = 0;
/** Each name once: failures count for the account, too. */
const newName = (): string => `name${(names += 1)}`;

const digits = (n: number, length: number): string => n.toString(16).padStart(length, 'a');
const tokens: Record<string, Kind> = {
  'a bearer token': (n) => ({ headers: { authorization: `Bearer guess-${n}` } }),
  'a session token as bearer': (n) => ({ headers: { authorization: `Bearer ${digits(n, 48)}` } }),
};
/** Nothing of the query is a credential there. */
const manage: Record<string, Kind> = {
  ...tokens,
  'an API key': (n) => ({ headers: { authorization: `ApiKey guess-${n}` } }),
  'an auth header': (n) => ({ headers: { auth: `guess-${n}` } }),
};
const native: Record<string, Kind> = {
  ...manage,
  'an auth parameter': (n) => ({ query: { auth: `guess-${n}` } }),
  'a session token': (n) => ({ query: { auth: digits(n, 48) } }),
  'a session token of an earlier release': (n) => ({ query: { auth: digits(n, 32) } }),
};
const compat: Record<string, Kind> = {
  ...tokens,
  'a key': (n) => ({ query: { apiKey: `guess-${n}` } }),
  'a name with a password': () => ({ query: { u: newName(), p: 'guess' } }),
  'a name with a token': () => ({ query: { u: newName(), t: 'ab'.repeat(16), s: 'salt' } }),
};
const media: Record<string, Kind> = {
  ...tokens,
  'an ssid': (n) => ({ query: { ssid: `guess-${n}` } }),
  'a media token': (n) => ({ query: { ssid: `m-1-0-zzzz-${digits(n, 40)}` } }),
  'an auth parameter': (n) => ({ query: { auth: `guess-${n}` } }),
  'an apikey': (n) => ({ query: { apikey: `guess-${n}` } }),
  'a name with a password': () => ({ query: { u: newName(), p: 'guess' } }),
};
const shareToken: Record<string, Kind> = { 'a token': (n) => ({ query: { token: `sp-1-1-zzzz-${digits(n, 40)}` } }) };
const cookie: Record<string, Kind> = { 'a cookie': (n) => ({ headers: { cookie: `continuo=${digits(n, 80)}` } }) };
const nativeQuery = 'action=songs';

/** Every route, the address that meets it, and the kinds of credentials that it takes. */
const TABLE: Readonly<Record<string, readonly [address: string, kinds: Record<string, Kind>]>> = {
  '/play/*': [
    '/play/index.php?type=song&oid=1',
    {
      ...media,
      'a player’s address': (n) => ({ query: { ssid: `l-1-zzzz-${digits(n, 40)}` } }),
      'the song of a vote': (n) => ({ query: { demo_id: '1', ssid: `guess-${n}` } }),
      'the secret of a share': (n) => ({ query: { share_id: '1', share_secret: `guess-${n}` } }),
    },
  ],
  '/image.php': ['/image.php?object_type=album&object_id=1', media],
  '/share.php': ['/share.php?id=1', { 'a secret': (n) => ({ query: { secret: `guess-${n}` } }) }],
  '/share.php/play': ['/share.php/play?x=1', shareToken],
  '/share.php/download': ['/share.php/download?x=1', shareToken],
  '/share.php/art': ['/share.php/art?x=1', shareToken],
  '/events': ['/events?x=1', { ...native, ...compat }],
  '/server/json.server.php': [`/server/json.server.php?${nativeQuery}`, native],
  '/server/xml.server.php': [`/server/xml.server.php?${nativeQuery}`, native],
  '/rest/:version/:format': ['/rest/8/json?action=songs', native],
  '/rest/:version/:format/*': ['/rest/8/json/playlists/1?x=1', native],
  '/rest/:operation': ['/rest/getSong?id=so-1&v=1.16.1&c=spec', compat],
  '/rest/hls/:token/:file': ['/rest/hls/:token/list.m3u8?x=1', { 'a token': (n) => ({ token: `s-1-1-128-0-zzzz-${digits(n, 40)}` }) }],
  '/account/provider-return': [
    '/account/provider-return?state=x&code=y',
    { 'a pending login': (n) => ({ headers: { cookie: `continuo-provider=guess${n}` } }) },
  ],
};
/** Routes that take none: pages and forms for people who are not logged in, whose own limits are elsewhere (`limitUnauthenticated`), and what says nothing of anybody. */
const WITHOUT = new Set([
  'GET /addresses',
  ...['manifest.webmanifest', 'service-worker.js', 'icon-192.png', 'icon-512.png'].map((name) => `GET /${name}`),
  ...['GET', 'HEAD'].flatMap((method) => [`${method} /`, `${method} /assets/*`]),
  'GET /health/live',
  'GET /health/ready',
  'GET /docs',
  'GET /docs/problems',
  ...['GET', 'HEAD'].flatMap((method) => [`${method} /docs/:file`, `${method} /openapi/:file`]),
  'GET /register.php',
  'POST /register.php',
  'GET /account',
  'POST /account/login',
  'GET /account/setup',
  'POST /account/setup',
  'GET /account/lost',
  'POST /account/lost',
  'GET /account/recover',
  'POST /account/recover',
  'GET /account/provider',
  // Takes what the identity provider has signed, which is nothing to guess.
  'POST /account/provider-logout',
  // An address that is none.
  ...['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => `${method} /rest/:version(^\\d+$)`),
]);

/** Ping, which answers nobody, too: it does not tell that it counted. */
const SILENT = '/rest/:version/:format';

const routes = (): { readonly method: string; readonly url: string }[] => {
  const all = gateway.routes.filter(({ method, url }) => method !== 'OPTIONS' && !WITHOUT.has(`${method} ${url}`));
  return [...new Map(all.map((route) => [`${route.method} ${route.url}`, route])).values()];
};
const entryOf = (url: string): (typeof TABLE)[string] | undefined =>
  TABLE[url] ??
  (url.startsWith('/manage/v1/') ? [`${url.replaceAll(/:\w+/g, '1')}?x=1`, manage] : undefined) ??
  (url.startsWith('/account/') ? [`${url}?x=1`, cookie] : undefined);

let addresses = 0;
const newAddress = (): string => `10.9.${Math.floor((addresses += 1) / 250)}.${(addresses % 250) + 1}`;
const send = async (method: string, address: string, { query = {}, headers = {}, token = '' }: Guess, from: string) => {
  const url = `${address.replace(':token', token)}&${new URLSearchParams(query).toString()}`;
  return gateway.app.inject({ method: method as 'GET', url, headers, remoteAddress: from });
};
const login = (from: string): Promise<unknown> => fixture.auth.authenticateNative(request({ auth: 'adas-own-key' }, {}, from));

const guessedAt = async (method: string, address: string, kind: Kind): Promise<{ from: string; last: string }> => {
  const from = newAddress();
  for (let n = 0; n < LIMIT; n += 1) await send(method, address, kind(n), from);
  return { from, last: (await send(method, address, kind(LIMIT), from)).body };
};

describe('wrong credentials', () => {
  it('are looked for on every route', () => {
    expect(routes().filter(({ url }) => entryOf(url) === undefined)).toEqual([]);
    expect(routes().length).toBeGreaterThan(60);
  });

  it('count on every route in the same throttle as logins, whatever their kind', async () => {
    const missed: string[] = [];
    for (const { method, url } of routes()) {
      const [address, kinds] = entryOf(url) ?? ['', {}];
      for (const [name, kind] of Object.entries(kinds)) {
        const { from, last } = await guessedAt(method, address, kind);
        const isCounted = await login(from).then(
          () => false,
          ({ code }: { code?: string }) => code === 'auth.throttled',
        );
        if (!isCounted) missed.push(`${method} ${url}: ${name}`);
        else if (method !== 'HEAD' && url !== SILENT && !last.includes('Too many failed logins'))
          missed.push(`${method} ${url}: ${name} is not told`);
      }
    }
    expect(missed).toEqual([]);
  });

  it.each(['handshake', 'goodbye', 'ping', 'song', 'stream', 'download', 'get_art', 'upload', 'no_such_action'])(
    'count in the action %s',
    async (action) => {
      const { from } = await guessedAt('POST', `/server/json.server.php?action=${action}`, (n) => ({ query: { auth: `guess-${n}` } }));
      await expect(login(from)).rejects.toMatchObject({ code: 'auth.throttled' });
    },
  );

  it('leave other addresses alone', async () => {
    await guessedAt('GET', '/server/json.server.php?action=songs', (n) => ({ query: { auth: `guess-${n}` } }));
    await expect(login(newAddress())).resolves.toMatchObject({ by: 'api-key' });
  });
});

describe('what this server gave out and what has ended', () => {
  const late = (): number => NOON - 30 * 86_400_000;
  const over: Record<string, [string, Guess]> = {
    'a session': ['/server/json.server.php?action=songs', { query: { auth: sessionTokens(SECRET).forApi() } }],
    'a web session': ['/account/me?x=1', { headers: { cookie: `continuo=${sessionTokens(SECRET).forWeb()}` } }],
    'an access token': [
      '/server/json.server.php?action=songs',
      { query: { auth: accessTokens(SECRET, late).sign(keyOfWeb(sessionTokens(SECRET).forWeb())).token } },
    ],
    'a media token': ['/play/index.php?oid=1', { query: { ssid: mediaTokens(SECRET, late).sign({ userId: userId.parse(1) }) } }],
    'an address of a list': [
      '/rest/hls/:token/list.m3u8?x=1',
      {
        token: hlsTokens(TEST_SECRET, () => TEST_NOW_MS - 30 * 86_400_000).sign({
          kind: 'song',
          id: 1,
          userId: 1,
          soundKbps: 128,
          audioTrack: 0,
        }),
      },
    ],
    'a token of a share': [
      '/share.php/play?x=1',
      { query: { token: shareTokens(TEST_SECRET, () => TEST_NOW_MS - 30 * 86_400_000).sign({ shareId: 1, itemId: 1, use: 'play' }) } },
    ],
  };

  it.each(Object.entries(over))('%s is refused and counts against nobody', async (_what, [address, guess]) => {
    const from = newAddress();
    for (let n = 0; n < 3 * LIMIT; n += 1) expect((await send('GET', address, guess, from)).body).not.toContain('Too many');
    await expect(login(from)).resolves.toMatchObject({ by: 'api-key' });
  });
});
