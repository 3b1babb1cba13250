import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureEventStreams } from '@continuo/chassis';
import { eventStreams, type Context } from '@continuo/contracts';
import { jetstreamManager } from '@nats-io/jetstream';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startOperatedGateway, type OperatedGateway } from '../../../test/manage/operated-gateway.js';

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
    const { body } = await call('POST', '/backup-verifications', { body: { backupId: id } });
    expect(await ended(`/backup-verifications/${(body as Backup).id}`, 'done')).toMatchObject({ backupId: id, faults: [] });
    expect(await backups()).toMatchObject([{ id, state: 'done' }, { state: 'failed' }]);
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
