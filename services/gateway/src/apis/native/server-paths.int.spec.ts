import { builtInPreferences } from '@continuo/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedCatalogs } from '../../../test/access-matrix/two-catalogs.fixture.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { fixedAuth, startTestGateway, testAccounts, type TestAccount, type TestGateway } from '../../../test/servers/test-gateway.js';

/* Accounts below level 50 are shown no path of the server, and can confirm none. */

const ROOT = '/srv/where-it-lies';
const content: TestAccount = { id: 6, username: 'content', access: 50, token: 'content-token' };
const guest: TestAccount = { id: 7, username: 'guest', access: 5, token: 'guest-token' };
const accounts = [...Object.values(testAccounts), content, guest];
let model: TestReadModel;
let gateway: TestGateway;

beforeAll(async () => {
  model = await testReadModel();
  await seedCatalogs(model.write, false, ROOT);
  gateway = await startTestGateway(model.read, { auth: fixedAuth(accounts) });
});
afterAll(async () => {
  await gateway.stop();
  await model.close();
});

const ask = async (by: TestAccount, query: string, of = gateway): Promise<string> =>
  (
    await of.app.inject({
      url: `/server/json.server.php?version=8.0.0&limit=none&${query}`,
      headers: { authorization: `Bearer ${by.token}` },
    })
  ).body;
const SHOWING = [
  'action=songs',
  'action=catalogs',
  'action=catalog&filter=1',
  'action=folders',
  'action=folders&filter=1',
  'action=videos',
  'action=podcast_episodes&filter=1',
  'action=deleted_songs',
  'action=album_songs&filter=1',
  'action=random&type=song',
];
const rule = (input: string): string =>
  `action=search&type=song&operator=and&rule_1=file&rule_1_operator=0&rule_1_input=${encodeURIComponent(input)}`;
const totalOf = (body: string): number => JSON.parse(body).song?.length ?? -1;

describe('where files lie on the server', () => {
  it('is shown from level 50 on', async () => {
    for (const query of ['action=songs', 'action=catalogs', 'action=folders']) expect(await ask(content, query)).toContain(ROOT);
  });

  it.each(SHOWING)('is not shown below by %s', async (query) => {
    for (const by of [guest, testAccounts.listener]) expect(await ask(by, query)).not.toContain(ROOT);
  });

  it('leaves the path within the catalog', async () => {
    const { song } = JSON.parse(await ask(guest, 'action=songs'));
    expect(song[0].filename).toMatch(/^[^/].*\/.*\.\w+$/);
    const { folder } = JSON.parse(await ask(guest, 'action=folders&filter=1'));
    expect(folder.path).toMatch(/^\/Seen/);
    expect(JSON.parse(await ask(guest, `action=folders&filter=${encodeURIComponent(folder.path)}`)).folder.id).toBe(folder.id);
  });

  it('is confirmed by no search and no path of a folder', async () => {
    expect(totalOf(await ask(content, rule(ROOT)))).toBeGreaterThan(0);
    expect(totalOf(await ask(guest, rule(ROOT)))).toBe(0);
    expect(totalOf(await ask(guest, rule('.')))).toBeGreaterThan(0);
    const folder = `action=folders&filter=${encodeURIComponent(`${ROOT}/1`)}`;
    expect(await ask(content, folder)).toContain(ROOT);
    for (const exact of ['', '&exact=0']) expect(await ask(guest, folder + exact)).toContain('4704');
  });

  it('is shown to everybody where the server says so', async () => {
    const id = builtInPreferences.find(({ name }) => name === 'show_server_paths')?.id ?? 0;
    await model.write.insertInto('social.user_preference').values({ user_id: 0, preference_id: id, value: '1' }).execute();
    const open = await startTestGateway(model.read, { auth: fixedAuth(accounts) });
    for (const query of ['action=songs', 'action=catalogs', 'action=folders']) expect(await ask(guest, query, open)).toContain(ROOT);
    await open.stop();
  });
});
