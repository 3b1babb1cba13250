import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService, type Environment, type StartedService } from '@continuo/chassis';
import { libraryService } from '@continuo/library';
import { testNats, testPostgres, type TestNats, type TestPostgres } from '@continuo/local-servers';
import { socialService } from '@continuo/social';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli, startGateway, type SpecGateway } from '../../test/index.js';

let nats: TestNats;
let postgres: TestPostgres;
let home: string;
let env: Environment;
let library: StartedService;
let social: StartedService;
let gateway: SpecGateway;

beforeAll(async () => {
  [nats, postgres] = await Promise.all([testNats(), testPostgres()]);
  home = await realpath(await mkdtemp(join(tmpdir(), 'continuo-cli-smartlist-')));
  env = { DATABASE_URL: postgres.url, NATS_URL: nats.url };
  const settings = { ...env, CONTINUO_SECRET: 'x'.repeat(32), CONTINUO_DATA: join(home, '.data'), LOG_LEVEL: 'silent' };
  library = await startService(libraryService, settings);
  social = await startService(socialService, settings);
  gateway = await startGateway(settings);
  env = gateway.env;
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all([library.stop(), social.stop()]);
  await Promise.all([nats.stop(), postgres.stop(), rm(home, { recursive: true, force: true })]);
});

const smartlist = async (...args: string[]): Promise<string> => {
  const { out, err } = await runCli(env, 'smartlist', ...args);
  return out || err;
};

describe('continuo smartlist', () => {
  it('keeps searches and lists them', async () => {
    const parameters = [
      'rule_1=title',
      'rule_1_operator=0',
      'rule_1_input=loud|noisy',
      'rule_2=year',
      'rule_2_operator=0',
      'rule_2_input=1999',
    ];
    await expect.poll(() => smartlist('create', 'Loud', ...parameters, '--owner', 'admin')).toBe('Smartlist smart_1, "Loud", has 3 rules.');
    const json = '[["myplayed","false",""],{"name":"genre","operator":0,"input":"rock"}]';
    expect(await smartlist('create', 'Unheard rock', json, '--any', '--limit', '50', '--random')).toContain('smart_2');
    const listed = await smartlist('list');
    expect(listed).toMatch(/smart_1 +Loud +admin +private +3 +-/);
    expect(listed).toMatch(/smart_2 +Unheard rock +System +public +2 +50 +random/);
    expect(await smartlist('show', 'smart_2')).toBe('Unheard rock: songs that fulfil one of\n  myplayed false ""\n  genre contain "rock"');
  });

  it('makes them of smart playlist files, and says what it leaves out', async () => {
    const file = join(home, 'Recent.nsp');
    const rules = [
      { inTheRange: { year: [1981, 1990] } },
      { is: { loved: true } },
      { any: [{ is: { title: 'x' } }] },
      { gt: { rating: 3 } },
    ];
    await writeFile(file, JSON.stringify({ all: rules, sort: 'random', limit: 25 }));
    const { out, err } = await runCli(env, 'smartlist', 'import', file, '--owner', 'admin', '--public');
    expect(out).toBe('Smartlist smart_3, "Recent", has 4 rules.');
    expect(err).toBe('left out: {"any":[{"is":{"title":"x"}}]}');
    expect(await smartlist('show', '3')).toContain('year gte "1981"');
    await writeFile(file, '{"all":[{"is":{"nothing":1}}]}');
    expect(await smartlist('import', file)).toContain('no rule of this file has a counterpart here');
    expect(await smartlist('import', join(home, 'absent.nsp'))).toContain('cannot be read');
  });

  it('refuses what cannot be run', async () => {
    expect(await smartlist('create', 'x', '[["colour","equal","red"]]')).toContain('there is no rule "colour"');
    expect(await smartlist('create', 'x', '[["title","almost","red"]]')).toContain('no operator "almost"');
    expect(await smartlist('create', 'x', '[["year","gte","soon"]]')).toContain('soon');
    expect(await smartlist('create', 'x', '[1]')).toContain('no JSON');
    expect(await smartlist('create', 'x', 'title=loud')).toContain('"title=loud" is no rule');
    expect(await smartlist('create', 'x', '[]')).toContain('at least one rule');
    expect(await smartlist('create', 'x', '[["none","true",""]]', '--limit', 'many')).toContain('no number of songs');
    expect(await smartlist('create', 'x', '[["none","true",""]]', '--owner', 'nobody')).toContain('there is no account "nobody"');
  });

  it('ends them', async () => {
    expect(await smartlist('delete', 'smart_1')).toBe('Smartlist smart_1, "Loud", is gone.');
    expect(await smartlist('delete', '1')).toContain('there is no smartlist "1"');
    expect(await smartlist('list')).not.toContain('Loud');
  });
});
