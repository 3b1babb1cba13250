import { access, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, startService, type Environment, type ServiceDefinition, type StartedService } from '@continuo/chassis';
import { ingestionService } from '@continuo/ingestion';
import { libraryService } from '@continuo/library';
import { testNats, testPostgres, type TestNats, type TestPostgres } from '@continuo/local-servers';
import { playbackService } from '@continuo/playback';
import { socialService } from '@continuo/social';
import { sonicService } from '@continuo/sonic';
import { transcodingService } from '@continuo/transcoding';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli, startGateway, type SpecGateway } from '../test/index.js';

let nats: TestNats;
let postgres: TestPostgres;
let home: string;
let env: Environment;
let gateway: SpecGateway;
let settings: Environment & { readonly CONTINUO_SECRET: string };
const services: StartedService[] = [];

beforeAll(async () => {
  [nats, postgres] = await Promise.all([testNats(), testPostgres()]);
  home = await realpath(await mkdtemp(join(tmpdir(), 'continuo-cli-')));
  await mkdir(join(home, 'empty'));
  env = { DATABASE_URL: postgres.url, NATS_URL: nats.url };
  settings = {
    ...env,
    CONTINUO_SECRET: 'x'.repeat(32),
    CONTINUO_DATA: join(home, '.data'),
    CONTINUO_ADMIN_PASSWORD: 'secret',
    LOG_LEVEL: 'silent',
  };
  const definitions = [
    libraryService,
    socialService,
    ingestionService,
    playbackService,
    transcodingService,
    sonicService,
  ] as readonly unknown[];
  for (const definition of definitions) services.push(await startService(definition as ServiceDefinition, settings));
  gateway = await startGateway(settings);
  env = { ...env, ...gateway.env };
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all(services.map((service) => service.stop()));
  await Promise.all([nats.stop(), postgres.stop(), rm(home, { recursive: true, force: true })]);
});

/** A picture of one pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Repeats a look until it shows the text: projections follow the log within milliseconds. */
const eventually = async (text: string, ...args: string[]): Promise<string> => {
  for (const until = Date.now() + 5000; ;) {
    const { out } = await runCli(env, ...args);
    if (out.includes(text) || Date.now() > until) return out;
  }
};

describe('continuo user', () => {
  it('creates an account with a made-up password that is shown once', async () => {
    const { out, exitCode } = await runCli(env, 'user', 'add', 'ada', '--level', 'catalog');
    expect(exitCode).toBe(0);
    expect(out).toMatch(/^Account ada \(number \d+, level catalog\) is ready\.\nIts password, shown only now: [a-z2-9]{20}$/);
    expect(await eventually('ada', 'user', 'list')).toMatch(/ada +catalog +active +0/);
  });

  it('keeps a given password to itself and refuses a taken name', async () => {
    expect((await runCli(env, 'user', 'add', 'bob', '--password', 'correct horse')).out).toBe(
      'Account bob (number 3, level user) is ready.',
    );
    expect(await runCli(env, 'user', 'add', 'Bob')).toMatchObject({ exitCode: 1, err: expect.stringContaining('[user.name-taken]') });
  });

  it('issues a key, once', async () => {
    await eventually('ada', 'user', 'list');
    expect((await runCli(env, 'user', 'key', 'ADA', '--name', 'phone')).out).toMatch(/^API key "phone" of ADA, shown only now: \S{16,}$/);
    expect(await eventually('catalog  active     1', 'user', 'list')).toMatch(/ada +catalog +active +1/);
    expect(await runCli(env, 'user', 'key', 'nobody')).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('there is no account "nobody"'),
    });
  });
});

describe('continuo user, on accounts that are there', () => {
  it('changes passwords, level and state, keeping the last administrator', async () => {
    expect((await runCli(env, 'user', 'password', 'bob')).out).toMatch(/^bob has another password\.\nIt is shown only now: [a-z2-9]{20}$/);
    expect((await runCli(env, 'user', 'password', 'bob', '--password', 'another word', '--only', 'compat')).out).toBe(
      'bob has another password (compat).',
    );
    expect((await runCli(env, 'user', 'level', 'bob', 'admin')).exitCode).toBe(0);
    expect((await runCli(env, 'user', 'level', 'bob', 'user')).exitCode).toBe(0);
    expect((await runCli(env, 'user', 'disable', 'bob')).exitCode).toBe(0);
    expect(await eventually('disabled', 'user', 'list')).toMatch(/bob +user +disabled/);
    expect((await runCli(env, 'user', 'enable', 'bob')).exitCode).toBe(0);
    expect((await runCli(env, 'user', 'stream-token', 'bob')).exitCode).toBe(0);
    for (const args of [
      ['disable', 'admin'],
      ['level', 'admin', 'user'],
      ['delete', 'admin', '--yes'],
    ]) {
      expect(await runCli(env, 'user', ...args)).toMatchObject({ exitCode: 1, err: expect.stringContaining('[user.last-administrator]') });
    }
  });

  it('gives and takes roles, and sets the picture', async () => {
    expect((await runCli(env, 'user', 'take', 'bob', 'download')).out).toBe('bob does not have the role download now.');
    expect((await runCli(env, 'user', 'give', 'bob', 'podcast')).out).toBe('bob has the role podcast now.');
    const picture = join(home, 'bob.png');
    await writeFile(picture, Buffer.from(PNG, 'base64'));
    expect((await runCli(env, 'user', 'avatar', 'bob', picture)).out).toBe('bob has a picture.');
    expect((await runCli(env, 'user', 'avatar', 'bob', 'none')).out).toBe('bob has no picture now.');
    expect((await runCli(env, 'user', 'avatar', 'bob', join(home, 'absent'))).err).toContain('there is no file');
    await writeFile(picture, 'no picture');
    expect((await runCli(env, 'user', 'avatar', 'bob', picture)).err).toContain('[input.invalid]');
  });

  it('shows and revokes keys', async () => {
    await runCli(env, 'user', 'key', 'bob', '--name', 'car', '--scope', 'listen', 'manage:read:scans', '--expires', '2099-01-31');
    expect(await eventually('car', 'user', 'keys', 'bob')).toMatch(
      /^Key +Name +Since +Until +Last used +Opens\n[0-9a-f]{12} +car +\d{4}-\d\d-\d\d +2099-01-31 +- +listen manage:read:scans$/,
    );
    expect((await runCli(env, 'user', 'key', 'bob', '--scope', 'everything')).err).toContain('scopes');
    expect((await runCli(env, 'user', 'revoke-key', 'bob', 'boat')).exitCode).toBe(1);
    expect((await runCli(env, 'user', 'revoke-key', 'bob', 'car')).out).toBe('One key of bob revoked.');
    expect(await eventually('Key  Name  Since  Until', 'user', 'keys', 'bob')).toBe('Key  Name  Since  Until  Last used  Opens');
  });

  it('deletes only when told twice', async () => {
    expect(await runCli(env, 'user', 'delete', 'bob')).toMatchObject({ exitCode: 1, err: expect.stringContaining('--yes') });
    expect((await runCli(env, 'user', 'delete', 'bob', '--yes')).out).toContain('Account bob is deleted');
    expect((await runCli(env, 'user', 'add', 'bob')).exitCode).toBe(0);
  });
});

describe('continuo catalog', () => {
  it('adds a folder and lists it', async () => {
    expect(await runCli(env, 'catalog', 'list')).toMatchObject({ exitCode: 0, out: 'Id  Name  Kind  Holds  Folder' });
    const { out } = await runCli(env, 'catalog', 'add', join(home, 'empty'));
    expect(out).toContain(`Catalog 1 holds ${join(home, 'empty')}.`);
    expect((await runCli(env, 'catalog', 'list')).out).toMatch(new RegExp(`empty +music +0 songs +${join(home, 'empty')}`));
  });

  it('says what catalogs of videos and podcasts hold, and scans only what is to be scanned', async () => {
    await Promise.all(['films', 'talks'].map((name) => mkdir(join(home, name), { recursive: true })));
    expect((await runCli(env, 'catalog', 'add', join(home, 'films'), '--media', 'video')).out).toContain('Scan it with');
    const { out } = await runCli(env, 'catalog', 'add', join(home, 'talks'), '--media', 'podcast');
    expect(out).toContain('Subscribe to feeds');
    expect(out).not.toContain('continuo scan');
    const listed = (await runCli(env, 'catalog', 'list')).out;
    expect(listed).toMatch(/films +video +0 videos /);
    expect(listed).toMatch(/talks +podcast +0 podcasts, 0 episodes /);
  });

  it('refuses a folder that is taken or not there', async () => {
    expect((await runCli(env, 'catalog', 'add', join(home, 'empty'))).err).toContain('[catalog.path-taken]');
    expect((await runCli(env, 'catalog', 'add', join(home, 'absent'))).err).toContain('[catalog.path-unusable]');
  });

  it('removes one from the library when it is meant, and leaves its folder', async () => {
    const asked = await runCli(env, 'catalog', 'remove', 'films');
    expect(asked).toMatchObject({ exitCode: 1, err: expect.stringContaining('0 videos of films would leave the library') as string });
    expect((await runCli(env, 'catalog', 'remove', 'all', '--yes')).err).toContain('one catalog is removed at a time');
    expect((await runCli(env, 'catalog', 'remove', 'films', '--yes')).out).toContain('films is removed from the library, with 0 videos.');
    const { out: listed } = await runCli(env, 'catalog', 'list');
    expect(listed).toMatch(/empty .*\n.*talks /);
    expect(listed).not.toContain('films');
    await access(join(home, 'films'));
  });
});

/** One second of silence, 8 kHz mono: the smallest thing that is a piece of music. */
const silence = (): Buffer => {
  const [rate, header] = [8000, Buffer.alloc(44)];
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + rate, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write('data', 36);
  header.writeUInt32LE(rate, 40);
  return Buffer.concat([header, Buffer.alloc(rate, 128)]);
};

describe('continuo scan', () => {
  const music = (): string => join(home, 'music');
  beforeAll(async () => {
    await mkdir(join(music(), 'album'), { recursive: true });
    for (const name of ['one.wav', 'two.wav', 'three.wav']) await writeFile(join(music(), 'album', name), silence());
    await writeFile(join(music(), 'album', 'nothing.mp3'), '');
  });

  it('names what is unknown', async () => {
    expect((await runCli(env, 'scan', 'absent')).err).toContain('there is no catalog "absent"');
  });

  it('follows a scan to its end and lists what was left out and why', async () => {
    await runCli(env, 'catalog', 'add', music(), '--name', 'Music');
    const { out, err, exitCode } = await runCli(env, 'scan', 'music');
    expect(exitCode).toBe(0);
    expect(out).toMatch(/Music: finished after .*3 added, 0 changed, 0 moved, 0 removed, 1 skipped\./);
    expect(out).toContain('1 file of this catalog is left out:');
    expect(out).toMatch(/album\/nothing\.mp3 +empty +\S/);
    expect(err).toMatch(/Scanning Music: \d+ files? in/);
    expect(await eventually(' 3 songs ', 'catalog', 'list')).toMatch(/Music +music +3 songs /);
  });

  it('finds nothing new the second time', async () => {
    expect((await runCli(env, 'scan', 'all')).out).toMatch(/Music: finished after .*0 added, 0 changed, 0 moved, 0 removed/);
  });

  it('moves files to where patterns say, once it is told to', async () => {
    expect((await runCli(env, 'catalog', 'sort', 'Music')).err).toContain('[input.invalid]');
    expect((await runCli(env, 'catalog', 'set', 'Music', '--folders', 'sorted')).exitCode).toBe(0);
    const shown = await runCli(env, 'catalog', 'sort', 'Music');
    expect(shown.out).toContain('album/one.wav -> sorted/one.wav');
    expect(shown.out).toContain('3 files would move: "--apply" does it.');
    expect((await runCli(env, 'catalog', 'sort', 'Music', '--apply')).out).toContain('3 files moved.');
    expect((await runCli(env, 'catalog', 'sort', 'Music')).out).toBe('0 files would move: "--apply" does it.');
    expect((await runCli(env, 'catalog', 'sort', 'all')).err).toContain('one catalog is sorted at a time');
  });

  it('writes no tags where that is off, and into no song that is not there', async () => {
    expect((await runCli(env, 'song', 'write-tags', '1', 'title=Other')).err).toContain('[feature.disabled]');
    expect((await runCli(env, 'song', 'write-tags', '999', 'title=Other')).err).toContain('[song.not-found]');
    expect((await runCli(env, 'song', 'write-tags', '1', 'colour=red')).err).toContain('"colour=red" is no tag');
  });

  it('says when there is nothing to cancel', async () => {
    expect((await runCli(env, 'scan', 'cancel')).out).toBe('No scan is running.');
  });
});

describe('continuo projections', () => {
  it('shows where each one is', async () => {
    for (const name of ['library-catalogue', 'playback-plays', 'social-accounts', 'social-access-list']) {
      // Caught up with what the tests before have written.
      const caughtUp = new RegExp(`${name} +\\d+ +1 +live +[\\d,]+ +[\\d,]+ +0 +ok`);
      await expect.poll(async () => (await runCli(env, 'projections', 'status')).out).toMatch(caughtUp);
    }
    expect((await runCli(env, 'projections', 'status')).exitCode).toBe(0);
  });

  it('verifies and rebuilds them', async () => {
    const verified = await runCli(env, 'projections', 'rebuild', 'all', '--verify');
    expect(verified).toMatchObject({ exitCode: 0, err: '' });
    expect(verified.out).toMatch(/social-accounts +user +3 +equal/);
    const rebuilt = await runCli(env, 'projections', 'rebuild', 'social-accounts');
    expect(rebuilt.out).toMatch(/social-accounts rebuilt up to position \d+/);
    expect((await runCli(env, 'projections', 'status')).out).toMatch(/social-accounts +\d+ +\d+ +live/);
    expect(await eventually('ada', 'user', 'list')).toContain('bob');
  });

  it('names those that there are', async () => {
    expect((await runCli(env, 'projections', 'rebuild', 'nonsense')).err).toContain('there is no projection "nonsense"');
  });
});

describe('continuo dead-letters', () => {
  it('says that there are none', async () => {
    expect((await runCli(env, 'dead-letters', 'list')).out).toBe('There are no dead letters.');
    expect((await runCli(env, 'dead-letters', 'replay')).out).toBe('Nothing to replay.');
  });
});

describe('continuo doctor', () => {
  it('finds a whole server well', async () => {
    const { out, exitCode } = await runCli(env, 'doctor');
    expect(out).toMatch(/\[ ok \] Postgres: version \d+/);
    expect(out).toMatch(/\[ ok \] NATS: version \d+/);
    expect(out).toContain('[ ok ] EV_LIBRARY');
    expect(out).toContain('[ ok ] Projection library-catalogue');
    expect(out).toMatch(/\[ ok \] ffmpeg: version \S+ with \d+ audio encoders/);
    expect(out).toContain('[ ok ] JOBS_INGEST: 0 scans queued or running');
    for (const name of [
      'Service library: connected',
      'Clock of Postgres: agrees',
      'Clock of NATS: agrees',
      'Search index postgres',
      'Postgres room',
      'NATS room',
    ])
      expect(out).toContain(`[ ok ] ${name}`);
    expect(out).toMatch(/\d+ checks, 0 failed/);
    expect(exitCode).toBe(0);
  });

  it('tells programs the same', async () => {
    const { out } = await runCli(env, 'doctor', '--json');
    const told = JSON.parse(out) as { failed: number; warnings: number; findings: readonly { subject: string; status: string }[] };
    expect(told).toMatchObject({ failed: 0 });
    expect(told.findings).toContainEqual({ subject: 'Dead letters', status: 'ok', detail: 'none' });
  });

  it('tries the secret, where it is told one', async () => {
    const fits = await runCli({ ...env, CONTINUO_SECRET: 'x'.repeat(32) }, 'doctor');
    expect(fits.out).toContain('[ ok ] Secret: CONTINUO_SECRET fits');
    const other = await runCli({ ...env, CONTINUO_SECRET: 'y'.repeat(32) }, 'doctor');
    expect(other).toMatchObject({
      exitCode: 1,
      out: expect.stringContaining("[FAIL] Secret: CONTINUO_SECRET is not the one of this server's data"),
    });
    expect(other.out).not.toContain('yyyy');
  });

  it('notices a service that is not there, and a catalog whose scan failed', async () => {
    await gateway.stop();
    await expect
      .poll(async () => (await runCli(env, 'doctor')).out, { timeout: 20_000 })
      .toContain('[FAIL] Service gateway: is not connected');
    expect((await runCli(env, 'doctor')).err).toMatch(/does not answer.*these checks were made from here/);
    gateway = await startGateway(settings);
    env = { ...env, ...gateway.env };
    await rm(join(home, 'empty'), { recursive: true });
    await runCli(env, 'scan', 'empty');
    expect(await eventually('its last scan failed', 'doctor')).toMatch(/\[warn\] Catalog empty: its last scan failed: /);
    await mkdir(join(home, 'empty'));
    await runCli(env, 'scan', 'empty');
    expect(await eventually('Catalog empty: its last scan reached it', 'doctor')).toContain('[ ok ] Catalog empty');
  });

  it('notices a projection that is behind and stands still, however little that is', async () => {
    const db = openDatabase<never>({ url: env['DATABASE_URL'] ?? '', poolSize: 1, applicationName: 'continuo-test' });
    const place = { name: 'library-stuck', like: 'library-catalogue' };
    await sql`insert into chassis.projection_checkpoint (name, version, generation, state, physical_schema, stream, epoch, position)
      select ${place.name}, 1, 1, 'live', 'nowhere', stream, epoch, position - 1 from chassis.projection_checkpoint
      where name = ${place.like} and state = 'live'`.execute(db);
    const { out, exitCode } = await runCli(env, 'doctor');
    await sql`delete from chassis.projection_checkpoint where name = ${place.name}`.execute(db);
    await db.destroy();
    expect(out).toMatch(/\[FAIL\] Projection library-stuck: version 1, position \d+, 1 events behind, stands still/);
    expect(out).toContain('[ ok ] Projection library-catalogue');
    expect(exitCode).toBe(1);
  });

  it('tells which server does not answer', async () => {
    const { out, exitCode } = await runCli({ DATABASE_URL: 'postgres://127.0.0.1:1/x', NATS_URL: 'nats://127.0.0.1:1' }, 'doctor');
    expect(out).toContain('[FAIL] Postgres: does not answer');
    expect(out).toContain('[FAIL] NATS: NATS cannot be used');
    expect(exitCode).toBe(1);
  });
});
