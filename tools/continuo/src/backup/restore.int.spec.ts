import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, appendFile, chmod, cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '@continuo/chassis';
import { flipBit, ownTestPostgres, type TestPostgres } from '@continuo/local-servers';
import { someOf } from '@continuo/local-servers/test-form';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { environment, summaryOf } from '@continuo/operations';
import { LocalArtStore } from '@continuo/media-store';
import { runCli, type CliRun } from '../../test/index.js';
import { SPEC_SECRET, SpecServer } from '../../test/backup/spec-world.js';

// Whole systems start and stop here, also on machines that have other things to do.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let postgres: TestPostgres;
let home: string;
let source: SpecServer;
/** A backup of a server with the accounts ada and bob, of which bob came after `between`; eve is deleted. */
let folder: string;
let between: string;
let picture: string;
const servers: SpecServer[] = [];

const server = async (): Promise<SpecServer> => {
  const made = await SpecServer.make(postgres);
  servers.push(made);
  return made;
};

const succeeds = async (run: Promise<CliRun>): Promise<void> => {
  const { err, exitCode } = await run;
  if (exitCode !== 0) throw new Error(err);
};

beforeAll(async () => {
  postgres = await ownTestPostgres();
  home = await realpath(await mkdtemp(join(tmpdir(), 'continuo-backups-')));
  folder = join(home, 'backup');
  source = await server();
  picture = await new LocalArtStore(join(source.data, 'art')).put(Buffer.from('a picture'));
  await source.start();
  for (const name of ['ada', 'eve']) await succeeds(source.run('user', 'add', name));
  await delay(20);
  between = new Date().toISOString();
  await delay(20);
  await succeeds(source.run('user', 'add', 'bob'));
  await source.stop();
  await succeeds(source.run('backup', folder));
});
// All connections of a Postgres are not enough for two servers at once.
afterEach(async () => {
  for (const made of servers) await made.stop();
});
afterAll(async () => {
  await Promise.all(servers.map((made) => made.end()));
  await postgres.stop();
  await rm(home, { recursive: true, force: true });
});

const copyOf = async (name: string): Promise<string> => {
  const copy = join(home, name);
  await cp(folder, copy, { recursive: true });
  return copy;
};

/** Nothing of ours has come into being. */
const isUntouched = async (target: SpecServer): Promise<void> => {
  const nats = await connect({ servers: target.nats.url });
  expect(await (await jetstreamManager(nats)).streams.names().next()).toEqual([]);
  await nats.close();
};

describe('a backup', () => {
  it('is for nobody else to read, and not written over', async () => {
    for (const name of await readdir(folder, { recursive: true, withFileTypes: true }))
      if (name.isFile() && !name.parentPath.includes('art')) await access(join(name.parentPath, name.name));
    expect(await source.run('backup', folder)).toMatchObject({ exitCode: 1, err: expect.stringContaining('holds a backup already') });
    const others = join(home, 'others');
    await cp(join(source.data, 'art'), others, { recursive: true });
    expect(await source.run('backup', others)).toMatchObject({ exitCode: 1, err: expect.stringContaining('holds other files') });
  });

  it('begins anew in a folder in which one was not finished', async () => {
    const half = await copyOf('half');
    await rm(join(half, 'manifest.json'));
    await writeFile(join(half, 'unfinished'), '');
    const target = await server();
    expect(await target.run('restore', half)).toMatchObject({ exitCode: 1, err: expect.stringContaining('was not finished') });
    expect(await source.run('backup', half)).toMatchObject({ exitCode: 0 });
    expect(await source.run('backup', 'verify', half)).toMatchObject({ exitCode: 0 });
  });

  it('needs the secret of the server, and does not hold it', async () => {
    const env = { ...source.env, CONTINUO_SECRET: undefined };
    expect(await runCli(env, 'backup', join(home, 'no-secret'))).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('secret of the server is not known'),
    });
    expect(await readFile(join(folder, 'manifest.json'), 'utf8')).not.toContain(SPEC_SECRET);
  });

  it.each(
    someOf(
      [
        ['at its end', 'second', '4-4'],
        ['in the middle', 'first', '2-2'],
      ] as const,
      1,
    ),
  )('of a log whose loss was accepted, %s, is whole, and can be restored', async (_, lost, positions) => {
    const damaged = await server();
    await damaged.start();
    for (const name of ['first', 'second']) {
      await mkdir(join(damaged.music, name));
      await succeeds(damaged.run('catalog', 'add', join(damaged.music, name), '--name', `marked-${name}`));
    }
    await damaged.stop();
    await damaged.nats.restartAfter('stop', (storeDir) => flipBit(storeDir, 'EV_LIBRARY', `marked-${lost}`));
    const copy = join(home, `damaged-${lost}`);
    expect(await damaged.run('backup', copy)).toMatchObject({ exitCode: 1, err: expect.stringContaining('EV_LIBRARY is damaged') });
    await succeeds(damaged.run('log', 'accept-loss', 'EV_LIBRARY', '--positions', positions));
    await succeeds(damaged.run('backup', copy));
    expect(await damaged.run('backup', 'verify', copy)).toMatchObject({ exitCode: 0, out: expect.stringContaining('is whole') });
    const target = await server();
    await succeeds(target.run('restore', copy));
    await target.start();
    expect((await target.run('catalog', 'list')).out).toMatch(/marked-first[\s\S]*marked-second/);
    // Says that rows are lost, by its exit code as well.
    await target.run('projections', 'rebuild', 'library-catalogue', '--accept-loss');
    expect((await target.run('catalog', 'list')).out).not.toContain(`marked-${lost}`);
    await mkdir(join(target.music, 'third'));
    await succeeds(target.run('catalog', 'add', join(target.music, 'third'), '--name', 'marked-third'));
    expect((await target.run('catalog', 'list')).out).toContain('marked-third');
  });

  it('is kept with as many others as wanted, which share their pictures', async () => {
    const all = join(home, 'kept');
    for (let count = 0; count < 3; count += 1) {
      expect(await source.run('backup', '--into', all, '--keep', '2')).toMatchObject({ exitCode: 0, err: '' });
      // Names tell seconds apart.
      await delay(1100);
    }
    const names = await readdir(all);
    expect(names).toHaveLength(2);
    for (const name of names) expect((await runCli({}, 'backup', 'verify', join(all, name))).exitCode).toBe(0);
    expect(await source.run('backup', '--keep', '2')).toMatchObject({ exitCode: 1 });
  });
});

describe('a damaged backup', () => {
  const damages: readonly (readonly [string, (copy: string) => Promise<unknown>, RegExp])[] = [
    [
      'with a changed stream',
      (copy) => appendFile(join(copy, 'streams/EV_LIBRARY.snapshot.zst'), 'x'),
      /EV_LIBRARY.snapshot.zst has \d+ bytes instead of/,
    ],
    ['without a table', (copy) => rm(join(copy, 'database/0003.copy.zst')), /0003.copy.zst cannot be read/],
    [
      'with changed bytes',
      async (copy) => {
        const file = join(copy, 'database/definitions.json.zst');
        const bytes = await readFile(file);
        bytes.writeUInt8(bytes.readUInt8(20) ^ 1, 20);
        await writeFile(file, bytes);
      },
      /definitions.json.zst has been changed/,
    ],
    [
      'with half a manifest',
      async (copy) => writeFile(join(copy, 'manifest.json'), (await readFile(join(copy, 'manifest.json'), 'utf8')).slice(0, 900)),
      /manifest.json is damaged/,
    ],
  ];
  it.each(damages)('%s is refused before anything is touched', async (name, damage, said) => {
    const copy = await copyOf(`damaged ${name}`);
    await damage(copy);
    const verified = await runCli({}, 'backup', 'verify', copy);
    expect(verified.exitCode).toBe(1);
    expect(verified.out + verified.err).toMatch(said);
    const target = await server();
    expect(await target.run('restore', copy)).toMatchObject({ exitCode: 1, err: expect.stringMatching(said) });
    await isUntouched(target);
  });

  it('with another picture is told by verify', async () => {
    const copy = await copyOf('damaged picture');
    const file = join(copy, 'art', picture.slice(0, 2), picture);
    await chmod(file, 0o600);
    await writeFile(file, 'another picture');
    expect(await runCli({}, 'backup', 'verify', copy)).toMatchObject({
      exitCode: 1,
      out: expect.stringContaining(`picture ${picture} has been changed`),
    });
    const lastVerification = { at: expect.any(String), faults: [`picture ${picture} has been changed`], tablesRestoredAt: null };
    expect(await summaryOf(copy)).toMatchObject({ lastVerification });
  });

  it('whose tables are ahead of its log is told by verify', async () => {
    const copy = await copyOf('ahead');
    const manifest = JSON.parse(await readFile(join(copy, 'manifest.json'), 'utf8')) as {
      database: { checkpoints: { position: number }[] };
    };
    const [first] = manifest.database.checkpoints;
    if (first) first.position = 1_000_000;
    await writeFile(join(copy, 'manifest.json'), JSON.stringify(manifest));
    expect(await runCli({}, 'backup', 'verify', copy)).toMatchObject({ exitCode: 1, out: expect.stringContaining('behind the end of') });
  });
});

describe('a restore', () => {
  it('refuses a server with another secret, and one without', async () => {
    const target = await server();
    const other = await runCli({ ...target.env, CONTINUO_SECRET: 'y'.repeat(32) }, 'restore', folder);
    expect(other).toMatchObject({ exitCode: 1, err: expect.stringContaining('another secret') });
    expect(await runCli({ ...target.env, CONTINUO_SECRET: undefined }, 'restore', folder)).toMatchObject({ exitCode: 1 });
    await isUntouched(target);
    const changing = { ...target.env, CONTINUO_SECRET: 'y'.repeat(32), CONTINUO_SECRET_PREVIOUS: SPEC_SECRET };
    expect(await runCli(changing, 'restore', folder)).toMatchObject({ exitCode: 0, err: '' });
  });

  it('refuses a backup of a newer release', async () => {
    const target = await server();
    const changes = [
      [(text: string) => text.replace(/"UserRegistered": \d+/, '"UserRegistered": 99'), /newer release.*UserRegistered in version 99/],
      [(text: string) => text.replace(/"version": "0\.\d+\.\d+"/, '"version": "99.0.0"'), /newer release, 99\.0\.0/],
      [(text: string) => text.replace('"format": 1', '"format": 2'), /newer release \(format 2\)/],
      [(text: string) => text.replace(/"nats": "[^"]+"/, '"nats": "99.1.0"'), /nats-server 99\.1\.0/],
    ] as const;
    for (const [index, [change, said]] of changes.entries()) {
      const copy = await copyOf(`newer-${index}`);
      const before = await readFile(join(copy, 'manifest.json'), 'utf8');
      const after = change(before);
      expect(after).not.toBe(before);
      await writeFile(join(copy, 'manifest.json'), after);
      expect(await target.run('restore', copy)).toMatchObject({ exitCode: 1, err: expect.stringMatching(said) });
    }
    await isUntouched(target);
  });

  it('refuses running services, and a target that is not empty unless it is told', async () => {
    await source.start();
    expect(await source.run('restore', folder, '--replace')).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching(/services are running.*continuo-/),
    });
    await source.stop();
    const target = await server();
    await target.start();
    expect((await target.run('user', 'add', 'somebody')).err).toBe('');
    await target.stop();
    const refused = await target.run('restore', folder);
    expect(refused).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching(/not empty: it holds streams with \d+ messages and tables in \d+ schemas/),
    });
    expect(await target.run('restore', folder, '--replace')).toMatchObject({ exitCode: 0, err: '' });
    await target.start();
    const { out } = await target.run('user', 'list');
    expect(out).toMatch(/ada[\s\S]*bob/);
    expect(out).not.toContain('somebody');
    expect(await readFile(join(target.data, 'art', picture.slice(0, 2), picture), 'utf8')).toBe('a picture');
  });

  it('that was killed lets no service start, and is begun anew by the same command', async () => {
    const target = await server();
    // Its tables wait for somebody else's, so that it is killed in the middle however fast it is.
    const db = openDatabase({ url: target.database.url, poolSize: 1, applicationName: 'spec' });
    const other = await db.startTransaction().execute();
    await sql`create schema library`.execute(other);
    const program = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
    const child = spawn(process.execPath, [program, 'restore', folder], {
      env: { ...environment, ...target.env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    for await (const chunk of child.stdout) {
      said += String(chunk);
      if (said.includes('Streams')) break;
    }
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    await other.rollback().execute();
    await db.destroy();
    expect(said).not.toContain('is restored');
    await expect(target.start()).rejects.toThrow(/has not been finished.*continuo restore/);
    await target.stop();
    expect(await target.run('restore', folder)).toMatchObject({ exitCode: 0, out: expect.stringContaining('begins anew') });
    await target.start();
    expect((await target.run('user', 'list')).out).toMatch(/ada[\s\S]*bob/);
  });

  it('fills tables from the log when the backup has none', async () => {
    const small = join(home, 'small');
    expect((await source.run('backup', small, '--without-database', '--without-pictures')).err).toBe('');
    const target = await server();
    expect(await target.run('restore', small)).toMatchObject({ exitCode: 0, err: '' });
    await target.start();
    expect((await target.run('user', 'list')).out).toMatch(/ada[\s\S]*bob/);
  });

  it('until a moment leaves out what came later, and the log goes on from there', async () => {
    const target = await server();
    expect(await target.run('restore', folder, '--until', 'nonsense')).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('no time and no position'),
    });
    expect(await target.run('restore', folder, '--until', '2001-01-01T00:00:00Z')).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('nothing had happened'),
    });
    expect(await target.run('restore', folder, '--until', '2999-01-01T00:00:00Z')).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('the backup ends before'),
    });
    expect(await target.run('restore', folder, '--until', 'EV_IDENTITY=9999')).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('goes up to'),
    });
    await isUntouched(target);
    expect(await target.run('restore', folder, '--until', between)).toMatchObject({ exitCode: 0, err: '' });
    await target.start();
    const then = (await target.run('user', 'list')).out;
    expect(then).toContain('ada');
    expect(then).not.toContain('bob');
    // Its name is free, its position too.
    expect((await target.run('user', 'add', 'bob', '--level', 'content')).err).toBe('');
    expect((await target.run('user', 'list')).out).toMatch(/bob +content/);
    expect((await target.run('projections', 'rebuild', 'all', '--verify')).exitCode).toBe(0);
  });

  it('does not bring back people who were deleted since', async () => {
    const [target, later] = [await server(), join(home, 'later')];
    await source.start();
    expect((await source.run('user', 'delete', 'eve', '--yes')).err).toBe('');
    await source.stop();
    const list = await source.run('backup', 'deletions');
    expect(list.out).toMatch(/^\d+$/);
    await writeFile(later, `# numbers of accounts\n${list.out}\n`);
    expect(await target.run('restore', folder, '--deletions', later)).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('destroyed again'),
    });
    await target.start();
    const { out } = await target.run('user', 'list');
    expect(out).toContain('ada');
    expect(out).not.toMatch(/ eve /);
    // The account stands there without a name, until it is deleted again.
    const [, nobody = ''] = /(deleted-\d+) +user +active/.exec(out) ?? [];
    expect((await target.run('user', 'delete', nobody, '--yes')).err).toBe('');
    expect((await target.run('user', 'list')).out).not.toContain('deleted-');
  });
});

describe('tables that are ahead of their log', () => {
  it('are not served, and can be filled anew', async () => {
    const target = await server();
    expect(await target.run('restore', folder)).toMatchObject({ exitCode: 0, err: '' });
    const db = openDatabase({ url: target.database.url, poolSize: 1, applicationName: 'spec' });
    await sql`update chassis.projection_checkpoint set position = position + 100 where name = 'social-accounts'`.execute(db);
    await db.destroy();
    const services = await target.start();
    const social = services.find(({ name }) => name === 'social');
    await expect.poll(() => social?.readiness().ready, { timeout: 60_000 }).toBe(false);
    await expect
      .poll(() => social?.readiness().parts['projection social-accounts'], { timeout: 60_000 })
      .toMatch(/do not belong to this event log.*continuo projections rebuild social-accounts/);
    expect(await target.run('projections', 'status')).toMatchObject({
      exitCode: 1,
      out: expect.stringContaining('beyond the end of the log'),
    });
    expect((await target.run('projections', 'rebuild', 'social-accounts')).exitCode).toBe(0);
    await expect.poll(() => social?.readiness().ready, { timeout: 60_000 }).toBe(true);
    expect((await target.run('user', 'list')).out).toMatch(/ada[\s\S]*bob/);
  });
});
