import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureEventStreams } from '@continuo/chassis';
import { eventStreams, type Context } from '@continuo/contracts';
import { LocalArtStore } from '@continuo/media-store';
import { verifyBackup } from '@continuo/operations';
import { jetstreamManager } from '@nats-io/jetstream';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startOperatedGateway, type OperatedGateway } from '../../../test/manage/operated-gateway.js';
import { testAccounts } from '../../../test/servers/test-gateway.js';

// Backups are written by a thread that loads its program first, also on machines that have other things to do.
const WAIT = { timeout: 60_000, interval: 200 };
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

let folder: string;
let server: OperatedGateway;
let without: OperatedGateway;
let call: OperatedGateway['call'];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'continuo-manage-backups-'));
  server = await startOperatedGateway(() => ({ settings: { BACKUP_FOLDER: folder } }));
  without = await startOperatedGateway();
  call = server.call;
});
afterAll(async () => {
  await Promise.all([server.stop(), without.stop()]);
  await rm(folder, { recursive: true, force: true });
});

interface Backup {
  readonly id: string;
  readonly state: string;
}
const take = async (body: object = {}): Promise<string> => ((await call('POST', '/backups', { body })).body as Backup).id;
const ended = (path: string, state: string): Promise<unknown> =>
  vi.waitFor(async () => {
    const { body } = await call('GET', path);
    expect(body).toMatchObject({ state });
    return body;
  }, WAIT);
const backups = async (): Promise<Backup[]> => ((await call('GET', '/backups')).body as { items: Backup[] }).items;

describe('backups', () => {
  it('say where they are taken when it is not here', async () => {
    for (const [method, path] of [
      ['GET', '/backups'],
      ['POST', '/backups'],
      ['DELETE', '/backups/1'],
      ['GET', '/backups/1/archive'],
    ] as const)
      expect(await without.call(method, path, method === 'POST' ? { body: {} } : {})).toMatchObject({
        status: 403,
        body: { type: '/docs/problems#feature.disabled', detail: expect.stringContaining('docs/operate/backup.md') },
      });
  });

  it('tell why one failed', async () => {
    const id = await take({ pictures: false });
    expect(await ended(`/backups/${id}`, 'failed')).toMatchObject({ id, problem: expect.stringContaining('the server has no EV_') });
    expect(await backups()).toMatchObject([{ id, state: 'failed' }]);
  });

  it('are taken in the background, one at a time, verified, listed and deleted', async () => {
    await ensureEventStreams(await jetstreamManager(server.nats), Object.keys(eventStreams) as Context[], 1);
    const started = await call('POST', '/backups', { body: { pictures: false } });
    const { id } = started.body as Backup;
    expect(started).toMatchObject({
      status: 202,
      headers: { location: `/manage/v1/backups/${id}` },
      body: { state: 'running', sizeBytes: null },
    });
    expect((await call('POST', '/backups', { body: {} })).status).toBe(409);
    expect((await call('DELETE', `/backups/${id}`)).status).toBe(409);
    expect(await ended(`/backups/${id}`, 'done')).toMatchObject({ tables: expect.any(Number), sizeBytes: expect.any(Number), pictures: 0 });
    expect(await backups()).toMatchObject([{ id, lastVerification: null }, { state: 'failed' }]);
    const { body } = await call('POST', '/backup-verifications', { body: { backupId: id } });
    expect(await ended(`/backup-verifications/${(body as Backup).id}`, 'done')).toMatchObject({ backupId: id, faults: [] });
    const lastVerification = { at: expect.any(String), faults: [], tablesRestoredAt: null };
    expect(await backups()).toMatchObject([
      { id, state: 'done', lastVerification },
      { state: 'failed', lastVerification: null },
    ]);
    expect((await call('DELETE', `/backups/${id}`)).status).toBe(204);
    expect((await call('GET', `/backups/${id}`)).status).toBe(404);
  });

  it('never delete what is no backup, and tell what was left unfinished', async () => {
    await mkdir(join(folder, 'others'));
    await writeFile(join(folder, 'others', 'file'), 'x');
    await mkdir(join(folder, 'continuo-2026-11-23T01-00-00Z'));
    expect((await call('DELETE', '/backups/others')).status).toBe(404);
    expect((await call('DELETE', '/backups/..')).status).toBe(404);
    const path = '/backups/continuo-2026-11-23T01-00-00Z';
    expect((await call('GET', path)).body).toMatchObject({
      state: 'failed',
      startedAt: '2026-11-23T01:00:00.000Z',
      problem: 'it was not finished',
    });
    expect((await call('POST', '/backup-verifications', { body: { backupId: 'continuo-2026-11-23T01-00-00Z' } })).status).toBe(409);
    expect((await call('DELETE', path)).status).toBe(204);
  });
});

describe('a whole backup', () => {
  const name = 'continuo-2026-11-24T01-00-00Z';
  const kept = (): string => join(folder, name);
  let origin: string;
  const get = (id: string): Promise<Response> =>
    fetch(`${origin}/manage/v1/backups/${id}/archive`, { headers: { authorization: `Bearer ${testAccounts.admin.token}` } });
  const records = (): unknown[] =>
    server.sent.map(({ data }) => data).filter((data) => (data as { operation?: string }).operation === 'downloadBackup');
  const quiet = { done: () => undefined, note: () => undefined, moving: () => undefined, end: () => undefined };

  beforeAll(async () => {
    await ensureEventStreams(await jetstreamManager(server.nats), Object.keys(eventStreams) as Context[], 1);
    origin = await server.gateway.app.listen({ port: 0, host: '127.0.0.1' });
    await new LocalArtStore(join(server.gateway.dataFolder, 'art')).put(Buffer.from('a picture'));
    const id = await take();
    await ended(`/backups/${id}`, 'done');
    await cp(join(folder, id), kept(), { recursive: true });
    await rm(join(folder, id), { recursive: true });
  });
  afterAll(() => rm(kept(), { recursive: true }));

  it('is downloaded as an archive that unpacks to the same backup, and that is put on record', async () => {
    const before = records().length;
    const answer = await get(name);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': expect.stringContaining(`attachment; filename="${name}.tar"`),
      'cache-control': 'no-store',
    });
    const into = await mkdtemp(join(tmpdir(), 'continuo-unpacked-'));
    await writeFile(join(into, 'a.tar'), answer.body as ReadableStream);
    await promisify(execFile)('tar', ['-xf', 'a.tar'], { cwd: into });
    expect(await readdir(into)).toEqual(['a.tar', name]);
    expect(await readdir(join(into, name), { recursive: true })).toEqual(await readdir(kept(), { recursive: true }));
    expect(JSON.parse(await readFile(join(into, name, 'manifest.json'), 'utf8'))).toMatchObject({ pictures: { count: 1 } });
    expect(await readFile(join(into, name, 'manifest.json'))).toEqual(await readFile(join(kept(), 'manifest.json')));
    expect(await verifyBackup(join(into, name), quiet)).toEqual([]);
    await rm(into, { recursive: true });
    expect(records().slice(before)).toEqual([{ type: 'perform', operation: 'downloadBackup', target: name }]);
  });

  it('is not downloaded by HEAD, which answers headers alone', async () => {
    const before = records().length;
    expect(await call('HEAD', `/backups/${name}/archive`)).toMatchObject({
      status: 200,
      headers: { 'content-type': 'application/octet-stream' },
      body: undefined,
    });
    expect(records()).toHaveLength(before);
  });

  it('alone is downloaded, and only when that can be put on record', async () => {
    await mkdir(join(folder, 'continuo-2026-11-23T02-00-00Z'));
    const status = async (id: string): Promise<unknown> => {
      const answer = await get(id);
      return [answer.status, answer.headers.get('content-type'), answer.headers.get('content-disposition')];
    };
    const problem = 'application/problem+json; charset=utf-8';
    expect(await status('continuo-2026-11-23T02-00-00Z')).toEqual([409, problem, null]);
    expect(await status('continuo-2026-11-23T03-00-00Z')).toEqual([404, problem, null]);
    expect(await status('..')).toEqual([404, problem, null]);
    server.log.isAway = true;
    expect(await status(name)).toEqual([503, problem, null]);
    server.log.isAway = false;
  });

  describe('restored for a test', () => {
    const verified = async (backupId: string, restoreTables: boolean): Promise<unknown> => {
      const { body } = await call('POST', '/backup-verifications', { body: { backupId, restoreTables } });
      return ended(`/backup-verifications/${(body as Backup).id}`, 'done');
    };
    const lastVerification = async (id: string): Promise<unknown> =>
      ((await call('GET', `/backups/${id}`)).body as { lastVerification: unknown }).lastVerification;
    const databases = async (): Promise<unknown[]> =>
      (await sql`select from pg_database where datname = left(current_database(), 40) || '_restore_test'`.execute(server.db)).rows;

    it('keeps when that was, also when it is looked through later, and leaves no database', async () => {
      expect(await verified(name, true)).toMatchObject({ restoreTables: true, faults: [] });
      const first = (await lastVerification(name)) as { at: string };
      expect(first).toEqual({ at: expect.any(String), faults: [], tablesRestoredAt: first.at });
      expect(await verified(name, false)).toMatchObject({ restoreTables: false, faults: [] });
      expect(await lastVerification(name)).toEqual({ at: expect.not.stringContaining(first.at), faults: [], tablesRestoredAt: first.at });
      expect(await databases()).toEqual([]);
    });

    it('tells why its tables cannot be restored', async () => {
      const other = 'continuo-2026-11-25T01-00-00Z';
      await cp(kept(), join(folder, other), { recursive: true });
      const manifest = JSON.parse(await readFile(join(kept(), 'manifest.json'), 'utf8')) as { database: { tables: { rows: number }[] } };
      for (const table of manifest.database.tables.slice(-1)) table.rows += 1;
      await writeFile(join(folder, other, 'manifest.json'), JSON.stringify(manifest));
      expect(await verified(other, true)).toMatchObject({
        faults: [expect.stringMatching(/^the tables cannot be restored: .* rows instead of/)],
      });
      expect(await lastVerification(other)).toMatchObject({ faults: [expect.any(String)] });
      expect(await databases()).toEqual([]);
      await rm(join(folder, other), { recursive: true });
    });

    it('needs tables, and the right to make databases', async () => {
      const id = await take({ database: false });
      await ended(`/backups/${id}`, 'done');
      expect((await call('POST', '/backup-verifications', { body: { backupId: id, restoreTables: true } })).status).toBe(409);
      await sql`create role restore_test_spec login password 'spec'`.execute(server.db);
      const url = new URL(server.gateway.services.config.DATABASE_URL);
      [url.username, url.password] = ['restore_test_spec', 'spec'];
      await expect(verifyBackup(kept(), quiet, url.href)).rejects.toThrow('CREATEDB');
      await sql`drop role restore_test_spec`.execute(server.db);
    });
  });

  it('is not downloaded to the end when a file is gone or cut off', async () => {
    const file = join(kept(), 'streams', 'EV_SOCIAL.snapshot.zst');
    await truncate(file, 10);
    await expect(get(name).then((answer) => answer.arrayBuffer())).rejects.toThrow('terminated');
    await rm(file);
    await expect(get(name).then((answer) => answer.arrayBuffer())).rejects.toThrow('terminated');
  });
});

describe('checks', () => {
  it('tell what is missing, with the remedy, in pages of one examination', async () => {
    const first = (await call('GET', '/checks?limit=3')).body as { items: { checkedAt: string }[]; nextCursor: string };
    expect(first.items).toMatchObject([{ subject: 'Postgres', status: 'ok', remedy: null }, {}, {}]);
    const second = (await call('GET', `/checks?limit=500&cursor=${first.nextCursor}`)).body as typeof first;
    expect(second.items.map(({ checkedAt }) => checkedAt)).toEqual(expect.arrayContaining([first.items[0]?.checkedAt]));
    const faults = (await call('GET', '/checks?status=fault&limit=500')).body as { items: unknown[] };
    expect(faults.items).toContainEqual(
      expect.objectContaining({ subject: 'Service library', remedy: expect.stringContaining('start it') }),
    );
  });
});
