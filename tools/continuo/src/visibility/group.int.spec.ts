import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService, type Environment, type ServiceDefinition, type StartedService } from '@continuo/chassis';
import { addCatalog } from '@continuo/contracts';
import { ingestionService } from '@continuo/ingestion';
import { libraryService } from '@continuo/library';
import { testNats, testPostgres, type TestNats, type TestPostgres } from '@continuo/local-servers';
import { socialService } from '@continuo/social';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli, startGateway, type SpecGateway } from '../../test/index.js';

let nats: TestNats;
let postgres: TestPostgres;
let home: string;
let env: Environment;
let gateway: SpecGateway;
let ingestion: StartedService;
let library: StartedService;
let social: StartedService;

const run = async (...args: string[]): Promise<string> => {
  const { out, err } = await runCli(env, ...args);
  return out || err;
};
const seenBy = async (): Promise<unknown[]> =>
  (
    await sql`select u.username, m.group_id, array(select c.catalog_id from social.catalog_group_catalog c where c.group_id = m.group_id order by 1) as sees
      from social.user_catalog_group m join social."user" u on u.id = m.user_id order by u.id`.execute(social.deps.db)
  ).rows;

beforeAll(async () => {
  [nats, postgres] = await Promise.all([testNats(), testPostgres()]);
  home = await realpath(await mkdtemp(join(tmpdir(), 'continuo-cli-groups-')));
  env = { DATABASE_URL: postgres.url, NATS_URL: nats.url };
  const own = {
    ...env,
    CONTINUO_SECRET: 'x'.repeat(32),
    CONTINUO_DATA: join(home, '.data'),
    LOG_LEVEL: 'silent',
    CONTINUO_ADMIN_PASSWORD: 'preset password',
  };
  library = await startService(libraryService, own);
  social = await startService(socialService, own);
  // Lists of catalogs show their scans.
  ingestion = await startService(ingestionService as unknown as ServiceDefinition, own);
  gateway = await startGateway(own);
  env = { ...env, ...gateway.env };
  for (const name of ['loud', 'quiet']) {
    await mkdir(join(home, name));
    const context = { actor: 'system', correlationId: randomUUID(), causationId: 'spec' };
    await library.deps.commands.send(addCatalog, { name, path: join(home, name) }, context);
  }
});
afterAll(async () => {
  await gateway.stop();
  await ingestion.stop();
  await library.stop();
  await social.stop();
  await Promise.all([nats.stop(), postgres.stop(), rm(home, { recursive: true, force: true })]);
});

describe('continuo catalog group', () => {
  it('makes groups, fills them and lets accounts belong to them', async () => {
    await expect.poll(() => run('catalog', 'list')).toMatch(/quiet/);
    await expect.poll(() => run('catalog', 'group', 'list')).toMatch(/default +1 +all catalogs/);
    expect(await run('catalog', 'group', 'add', 'Children', 'quiet')).toContain('Group Children (number 1) sees 1 of the catalogs.');
    expect(await run('catalog', 'group', 'add', 'children')).toContain('[input.invalid]');
    expect(await run('user', 'group', 'ADMIN', 'children')).toBe('ADMIN sees the catalogs of Children.');
    expect(await seenBy()).toEqual([{ username: 'admin', group_id: 1, sees: [2] }]);
    expect(await run('catalog', 'group', 'list')).toMatch(/1 +Children +1 +quiet/);
    expect(await run('catalog', 'group', 'show', '1', 'loud')).toBe('Group Children sees loud.');
    expect(await run('catalog', 'group', 'hide', 'Children', 'quiet')).toBe('Group Children does not see quiet.');
    expect(await seenBy()).toEqual([{ username: 'admin', group_id: 1, sees: [1] }]);
    expect(await run('catalog', 'group', 'rename', 'Children', 'Guests')).toBe('Group 1 is called Guests.');
  });

  it('names what is not there, and changes nothing', async () => {
    expect(await run('catalog', 'group', 'add', 'Other', 'nowhere')).toContain('there is no catalog "nowhere"');
    expect(await run('user', 'group', 'admin', 'nobody')).toContain('there is no group "nobody"');
    expect(await run('user', 'group', 'nobody', 'default')).toContain('there is no account "nobody"');
    expect(await run('catalog', 'group', 'list')).not.toContain('Other');
  });

  it('asks where the accounts of a group go before it is removed', async () => {
    expect(await run('catalog', 'group', 'remove', 'Guests')).toContain('say which group');
    expect(await run('catalog', 'group', 'remove', 'Guests', '--move-to', 'default')).toBe(
      'Group Guests is gone; 1 account moved to default.',
    );
    expect(await seenBy()).toEqual([]);
  });
});

describe('continuo access', () => {
  it('adds, switches and removes rows', async () => {
    expect(await run('access', 'list')).toMatch(/1 +DEFAULT IPv4 +interface +0\.0\.0\.0-255\.255\.255\.255 +catalog +everybody +on/);
    expect(await run('access', 'add', 'stream', '2001:DB8::/32', '--user', 'admin', '--level', 'admin', '--name', 'home')).toBe(
      'Rule 7 is in the access list.',
    );
    expect(await run('access', 'list')).toMatch(/7 +home +stream +2001:db8::-2001:db8:ffff:\S+ +admin +admin +on/);
    expect(await run('access', 'disable', '7')).toBe('Rule 7 does not count.');
    expect(await run('access', 'list')).toMatch(/7 +home .* off/);
    expect(await run('access', 'enable', '7')).toBe('Rule 7 counts.');
    expect(await run('access', 'list')).toMatch(/7 +home .* on/);
    expect(await run('access', 'remove', '7')).toBe('Rule 7 is gone.');
    expect(await run('access', 'list')).not.toContain('home');
    expect(await run('access', 'remove', '7')).toContain('There is no rule 7');
  });

  it('refuses ranges that are none', async () => {
    expect(await run('access', 'add', 'rpc', '10.0.0.9-10.0.0.1')).toContain('ends before it starts');
    expect(await run('access', 'add', 'rpc', '10.0.0.1-::1')).toContain('one family');
    expect(await run('access', 'add', 'rpc', 'home')).toContain('not an address');
  });
});
