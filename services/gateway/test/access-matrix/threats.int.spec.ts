import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordingLog } from '@continuo/chassis/testkit';
import { userId } from '@continuo/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authFixture, keyRow, NOON, ruleRow, SECRET, userRow } from '../auth/auth.fixture.js';
import { mediaTokens } from '../../src/auth/credentials/media-token.js';
import { testReadModel, type TestReadModel } from '../servers/read-model-database.js';
import { startTestGateway, type TestGateway } from '../servers/test-gateway.js';
import { seedCatalogs, writeMediaFiles } from './two-catalogs.fixture.js';

/* Holes that servers of this kind had, tried on the whole gateway; docs/security.md says where each of them is looked for. */

const KEY = 'the-own-key-of-ada';
const users = [userRow({ id: 1, username: 'ada', access: 100 }, { password: 'her login word', compat: 'her compat word' })];
const auth = authFixture(
  {},
  {
    users,
    apiKeys: [keyRow(1, KEY)],
    accessRules: [ruleRow({ start_address: '127.0.0.1', end_address: '127.0.0.1' }), ruleRow({ id: 2, type: 'stream' })],
    catalogGroups: { members: [], catalogs: [] },
  },
);
const { log, lines } = recordingLog();
let model: TestReadModel;
let gateway: TestGateway;
let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'continuo-threats-'));
  await writeMediaFiles(root);
  // A neighbour whose name begins like the catalog's.
  await mkdir(join(root, '1x'));
  await writeFile(join(root, '1x', '1.flac'), 'sound');
  model = await testReadModel();
  await seedCatalogs(model.write, true, root);
  gateway = await startTestGateway(model.read, { auth: auth.auth, log });
});
afterAll(async () => {
  await gateway.stop();
  await model.close();
  await rm(root, { recursive: true, force: true });
});

const get = (url: string, headers: Record<string, string> = {}) => gateway.app.inject({ url, headers });

/** Every way to get at bytes. */
const byteRoutes = [
  '/play/index.php?type=song&oid=1',
  '/play/index.php/type/song/oid/1',
  '/image.php?object_type=album&object_id=1',
  ...['stream', 'download', 'random'].map((action) => `/server/json.server.php?action=${action}&type=song&id=1`),
  '/server/xml.server.php?action=get_art&type=album&id=1',
  ...['stream', 'download', 'getCoverArt'].map((operation) => `/rest/${operation}?v=1.16.1&c=spec&id=so-1`),
];

describe('media without a credential (3)', () => {
  const tokens = mediaTokens(SECRET, () => NOON);
  const good = tokens.sign({ userId: userId.parse(1) });
  const forged = {
    none: '',
    'a made-up one': 'x'.repeat(40),
    'one of another secret': mediaTokens('another secret of thirty-two characters', () => NOON).sign({ userId: userId.parse(1) }),
    'one that was changed': `${good.slice(0, -2)}AA`,
    'one that is over': mediaTokens(SECRET, () => NOON - 30 * 86_400_000).sign({ userId: userId.parse(1) }),
  };

  it('is sent to who has one', async () => {
    expect((await get(`${byteRoutes[0]}&ssid=${good}`)).body).toBe('sound');
    expect((await get(`/rest/download?v=1.16.1&c=spec&id=so-1`, { authorization: `Bearer ${KEY}` })).body).toBe('sound');
  });

  it.each(Object.entries(forged))('is not sent for %s', async (_what, token) => {
    for (const route of byteRoutes) {
      const answer = await get(token === '' ? route : `${route}&ssid=${token}&auth=${token}&apiKey=${token}`);
      expect([route, answer.headers['content-type']]).not.toEqual([route, 'audio/flac']);
      expect(answer.body).not.toContain('sound');
      expect(answer.headers['content-length']).not.toBe('0');
    }
  });
});

describe('paths of songs that lead out of their catalog (7)', () => {
  const play = () => get('/play/index.php?type=song&oid=2', { authorization: `Bearer ${KEY}` });
  const placed = (path: string) =>
    sql`update library.song set doc = jsonb_set(doc::jsonb, '{path}', to_jsonb(${path}::text))::text where id = 2`.execute(model.write);

  it.each(['../2/Bert/1.mp3', '../1x/1.flac', 'Anna/../../2/Bert/1.mp3', '../../../../etc/hostname', '/etc/hostname'])(
    '%s is not served',
    async (path) => {
      await placed(path);
      expect((await play()).statusCode).toBe(404);
      await placed('Anna/Day/2.flac');
      expect((await play()).statusCode).toBe(200);
    },
  );
});

describe('cookies (12)', () => {
  it.each(['auth', 'ssid', 'session', 'apiKey', 'continuo'])('called %s prove nobody', async (name) => {
    const { token } = await auth.auth.handshake({ params: { auth: KEY }, headers: {}, peerAddress: '127.0.0.1' }, '');
    for (const cookie of [`${name}=${KEY}`, `${name}=${token}`]) {
      expect((await get('/server/json.server.php?action=user', { cookie })).body).toContain('4701');
      expect((await get('/rest/getUser?v=1.16.1&c=spec&username=ada&f=json', { cookie })).body).toContain('"failed"');
      expect((await get('/play/index.php?type=song&oid=1', { cookie })).statusCode).toBe(403);
    }
  });

  it('are set by no answer', async () => {
    for (const url of [...byteRoutes, '/', '/server/json.server.php?action=handshake', '/rest/ping?v=1.16.1&c=spec'])
      expect((await get(url, { authorization: `Bearer ${KEY}` })).headers['set-cookie']).toBeUndefined();
  });
});

describe('session tokens (14)', () => {
  it('have 128 random bits or more, and are kept as digests', async () => {
    const given = await Promise.all(
      Array.from({ length: 50 }, () => auth.auth.handshake({ params: { auth: KEY }, headers: {}, peerAddress: '127.0.0.1' }, '')),
    );
    const tokens = given.map(({ token }) => token);
    expect(new Set(tokens).size).toBe(tokens.length);
    // 22 characters of base64url, or 32 hexadecimal digits.
    expect(tokens.every((token) => (/^[0-9a-f]+$/.test(token) ? token.length >= 32 : token.length >= 22))).toBe(true);
    const kept = JSON.stringify([...auth.sessions]);
    expect(tokens.filter((token) => kept.includes(token))).toEqual([]);
  });
});

describe('the log (18)', () => {
  const secrets = { key: KEY, login: 'her login word', compat: 'her compat word', wrong: 'a-wrong-credential' };
  const urls = Object.values(secrets).flatMap((secret) => {
    const value = encodeURIComponent(secret);
    return [
      `/server/json.server.php?action=handshake&user=ada&auth=${value}`,
      `/server/json.server.php?action=songs&auth=${value}&apikey=${value}&password=${value}`,
      `/rest/getSong?v=1.16.1&c=spec&id=so-1&u=ada&p=${value}`,
      `/rest/getSong?v=1.16.1&c=spec&id=so-1&apiKey=${value}`,
      `/play/index.php?type=song&oid=1&ssid=${value}`,
      `/play/index.php?type=song&oid=1&u=ada&p=${value}`,
    ];
  });
  const shown = (): string[] => Object.values(secrets).filter((secret) => JSON.stringify(lines).includes(secret));

  it('holds no credential, whatever came of the calls', async () => {
    for (const url of urls) await get(url, { referer: `http://localhost${url}` });
    expect(shown()).toEqual([]);
  });

  it('holds none when a call fails for a reason of ours', async () => {
    const before = lines.length;
    await sql`alter view library.song rename to song_away`.execute(model.write);
    for (const url of urls) await get(url, { authorization: `Bearer ${KEY}` });
    await sql`alter view library.song_away rename to song`.execute(model.write);
    expect(lines.length).toBeGreaterThan(before);
    expect(shown()).toEqual([]);
  });
});
