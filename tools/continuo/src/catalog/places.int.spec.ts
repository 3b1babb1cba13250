import { execFile } from 'node:child_process';
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startService, type Environment, type ServiceDefinition, type StartedService } from '@continuo/chassis';
import { ingestionService } from '@continuo/ingestion';
import { libraryService } from '@continuo/library';
import { testNats, testPostgres, type TestNats, type TestPostgres } from '@continuo/local-servers';
import { testS3, type TestS3 } from '@continuo/local-servers/s3';
import { jetstream } from '@nats-io/jetstream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli, startGateway, type CliRun, type SpecGateway } from '../../test/index.js';

let nats: TestNats;
let postgres: TestPostgres;
let s3: TestS3;
let home: string;
let env: Environment;
let gateway: SpecGateway;
const services: StartedService[] = [];
let added: CliRun;
let scanned: CliRun;

beforeAll(async () => {
  [nats, postgres, s3] = await Promise.all([testNats(), testPostgres(), testS3()]);
  home = await realpath(await mkdtemp(join(tmpdir(), 'continuo-cli-places-')));
  env = { DATABASE_URL: postgres.url, NATS_URL: nats.url };
  const more = {
    OUTBOUND_ALLOWED_NETWORKS: '127.0.0.1',
    CONTINUO_SECRET: 'x'.repeat(32),
    CONTINUO_DATA: join(home, '.data'),
    LOG_LEVEL: 'silent',
  };
  for (const definition of [libraryService, ingestionService] as readonly unknown[])
    services.push(await startService(definition as ServiceDefinition, { ...env, ...more }));
  gateway = await startGateway({ ...env, ...more });
  env = { ...env, ...gateway.env };
  const song = join(home, 'song.mp3');
  await promisify(execFile)('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'sine=duration=2', '-metadata', 'title=Far', song]);
  await s3.put('all/song.mp3', await readFile(song));
  const address = `s3+${s3.endpoint}/${s3.bucket}/all/`;
  added = await runCli(
    { ...env, CONTINUO_CATALOG_SECRET: s3.secretAccessKey },
    'catalog',
    'add',
    address,
    '--name',
    'Cloud',
    '--account',
    s3.accessKeyId,
  );
  scanned = await runCli(env, 'scan', 'Cloud');
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all(services.map((service) => service.stop()));
  await Promise.all([nats.stop(), postgres.stop(), s3.stop(), rm(home, { recursive: true, force: true })]);
});

/** Everything that the log of the library holds. */
const log = async (): Promise<string> => {
  const consumer = await jetstream((services[0] as StartedService).deps.nats).consumers.get('EV_LIBRARY');
  const texts: string[] = [];
  for await (const message of await consumer.fetch({ max_messages: 100, expires: 1000 })) texts.push(message.string());
  return texts.join('\n');
};

describe('continuo catalog add, of other places', () => {
  it('adds storage whose songs a scan finds, and keeps its secret to itself', async () => {
    expect(added).toMatchObject({ exitCode: 0, out: expect.stringContaining(`holds s3+${s3.endpoint}/${s3.bucket}/all.`) });
    expect(scanned).toMatchObject({ exitCode: 0, out: expect.stringMatching(/1 added|added +1|1 (?:new )?song/) });
    expect((await runCli(env, 'catalog', 'list')).out).toContain('Cloud');
    const events = await log();
    expect(events).toContain('sealedCredentials');
    expect(events).not.toContain(s3.secretAccessKey);
  });

  it('is scanned at times of its own, which have to be times, and is never watched', async () => {
    const set = (...terms: string[]): Promise<CliRun> => runCli(env, 'catalog', 'set', 'Cloud', ...terms);
    expect(await set('--schedule', 'sometimes')).toMatchObject({ exitCode: 1, err: expect.stringContaining('no cron expression') });
    expect(await set('--watch', 'on')).toMatchObject({ exitCode: 1, err: expect.stringContaining('only folders of the server') });
    for (const [text, kept] of [
      ['0 3 * * *', '"0 3 * * *"'],
      ['never', '""'],
      ['server', 'null'],
    ] as const) {
      expect(await set('--schedule', text)).toMatchObject({ exitCode: 0 });
      expect(await log()).toContain(`"scanSchedule":${kept}`);
    }
  });

  it('keeps its songs when its key changes, and when it is moved', async () => {
    const wrong = { ...env, CONTINUO_CATALOG_SECRET: 'x' };
    expect(await runCli(wrong, 'catalog', 'set', 'Cloud', '--account', 'somebody else')).toMatchObject({ exitCode: 0 });
    expect(await runCli(env, 'scan', 'Cloud')).toMatchObject({ exitCode: 1 });
    expect(
      await runCli({ ...env, CONTINUO_CATALOG_SECRET: s3.secretAccessKey }, 'catalog', 'set', 'Cloud', '--account', s3.accessKeyId),
    ).toMatchObject({ exitCode: 0 });
    await s3.put('new/song.mp3', await readFile(join(home, 'song.mp3')));
    const moved = `s3+${s3.endpoint}/${s3.bucket}/new`;
    expect(await runCli(env, 'catalog', 'move', 'Cloud', moved)).toMatchObject({ exitCode: 1, err: expect.stringContaining('force') });
    expect(await runCli(env, 'catalog', 'move', 'Cloud', home, '--force')).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('stays of its kind'),
    });
    expect(await runCli(env, 'catalog', 'move', 'Cloud', moved, '--force')).toMatchObject({ exitCode: 0 });
    const scan = await runCli(env, 'scan', 'Cloud');
    expect(scan).toMatchObject({ exitCode: 0 });
    expect(scan.out).not.toMatch(/1 (?:removed|added)/);
    expect((await runCli(env, 'catalog', 'list')).out).toMatch(/Cloud +music +1 song +\S+\/new/);
    expect(await runCli(env, 'catalog', 'move', 'Cloud', `s3+${s3.endpoint}/${s3.bucket}/all`, '--force')).toMatchObject({ exitCode: 0 });
    expect(await log()).not.toContain(s3.secretAccessKey);
  });

  it('says what is missing, and takes no odd address for a folder', async () => {
    const without = await runCli(env, 'catalog', 'add', 's3://music', '--account', 'ada');
    expect(without).toMatchObject({ exitCode: 1, err: expect.stringContaining('CONTINUO_CATALOG_SECRET') });
    const odd = await runCli(env, 'catalog', 'add', 's3+https://ada:secret@host/music');
    expect(odd).toMatchObject({ exitCode: 1, err: expect.stringContaining('no address of a catalog') });
    const own = { ...env, CONTINUO_CATALOG_SECRET: s3.secretAccessKey };
    const adding = (place: string) => runCli(own, 'catalog', 'add', place, '--account', s3.accessKeyId);
    const again = await adding(`s3+${s3.endpoint}/${s3.bucket}/all`);
    expect(again).toMatchObject({ exitCode: 1, err: expect.stringContaining('[catalog.path-taken]') });
    const inside = await adding(`s3+${s3.endpoint}/${s3.bucket}/all/part`);
    expect(inside).toMatchObject({ exitCode: 1, err: expect.stringContaining('[catalog.path-taken]') });
  });

  it('refuses a place that cannot be reached, and a folder without its whole path on a server elsewhere', async () => {
    const secret = { ...env, CONTINUO_CATALOG_SECRET: 'x' };
    const away = await runCli(secret, 'catalog', 'add', 'subsonic+http://127.0.0.1:9/', '--name', 'Nobody', '--account', 'ada');
    expect(away).toMatchObject({ exitCode: 1, err: expect.stringContaining('[catalog.path-unusable]') });
    expect(await runCli({ ...gateway.env }, 'catalog', 'add', 'music')).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('folders are those of the server'),
    });
  });
});
