import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { seedFixtureLibrary } from '../../../test/library/fixture-library.js';
import { fixtureSongs } from '../../../test/library/fixture-songs.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { seedTestAccounts, startTestGateway, testAccounts, type TestGateway } from '../../../test/servers/test-gateway.js';

let model: TestReadModel;
let gateway: TestGateway;
let logged: string[] = [];

beforeAll(async () => {
  model = await testReadModel();
  await seedFixtureLibrary(model.write, fixtureSongs);
  await seedTestAccounts(model.write);
  gateway = await startTestGateway(model.read, {
    log: pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) }),
  });
});
beforeEach(() => {
  logged = [];
});
afterAll(async () => {
  await gateway.stop();
  await model.close();
});

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';
const MULTIPART = 'multipart/form-data; boundary=x';
const field = (name: string, value: string, type?: string): string =>
  `--x\r\ncontent-disposition: form-data; name="${name}"\r\n${type === undefined ? '' : `content-type: ${type}\r\n`}\r\n${value}\r\n`;
const distinct = (count: number): string => Array.from({ length: count }, (_, n) => `${n.toString(36)}=`).join('&');

const bodies: readonly [string, string, string][] = [
  ['a form of many names', FORM, distinct(100_000)],
  ['a form of many values', FORM, 'a&'.repeat(200_000)],
  ['an object of many names', JSON_TYPE, `{${Array.from({ length: 90_000 }, (_, n) => `"${n.toString(36)}":1`).join()}}`],
  ['lists in lists', JSON_TYPE, `{"action":${'['.repeat(5000)}${']'.repeat(5000)}}`],
  ['objects in objects', JSON_TYPE, `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`],
  ['a body beyond the limit', FORM, `a=${'x'.repeat(1_100_000)}`],
  ['fields that are large together', MULTIPART, `${field('a', 'x'.repeat(250_000)).repeat(5)}--x--\r\n`],
  ['a field that is cut off', MULTIPART, `${field('a', 'x'.repeat(300_000))}--x--\r\n`],
  ['many parts', MULTIPART, `${field('a', '').repeat(300)}--x--\r\n`],
  ['a field of lists in lists', MULTIPART, `${field('a', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, JSON_TYPE)}--x--\r\n`],
];

const post = (url: string, type: string, payload: string) =>
  gateway.app.inject({ method: 'POST', url, payload, headers: { 'content-type': type } });

describe.each(bodies)('%s, from nobody in particular,', (_, type, payload) => {
  it.each([
    ['/server/json.server.php?action=ping', '"errorCode":"4710"'],
    ['/server/xml.server.php?action=ping', 'errorCode="4710"'],
    ['/rest/8/json/songs', '"errorCode":"4710"'],
    ['/rest/ping.view?f=json', /"code":(?:0|10),/],
  ])('is refused in the envelope of %s', async (url, told) => {
    const answer = await post(url, type, payload);
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toMatch(told);
    expect(logged).toEqual([]);
  });

  it.each(['/account/login', '/register.php', '/play/index.php', '/image.php'])('is refused by %s', async (url) => {
    const { statusCode } = await post(url, type, payload);
    expect(statusCode).toBeGreaterThanOrEqual(400);
    expect(statusCode).toBeLessThan(500);
    expect(logged).toEqual([]);
  });
});

describe('what clients really send', () => {
  it('is taken: a form with thousands of ids', async () => {
    const ids = Array.from({ length: 20_000 }, (_, n) => `id=so-${n}`).join('&');
    const answer = await post('/server/json.server.php', FORM, `action=genres&auth=${testAccounts.admin.token}&${ids}`);
    expect(answer.json()).toHaveProperty('genre');
  });

  it('is refused as a query of more names than any search has', async () => {
    const answer = await gateway.app.inject({ url: `/server/json.server.php?action=ping&${distinct(1200)}` });
    expect(answer.json()).toMatchObject({ error: { errorCode: '4710' } });
  });
});
