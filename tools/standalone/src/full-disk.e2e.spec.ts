import { SmallDisk } from '@continuo/local-servers';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startStandalone, type Standalone } from './standalone.js';

const ROUNDS = 2;
const FULL_MS = 4000;
const WRITABLE_MS = 30_000;
const PASSWORD = 'a password for a full disk';
const FULL = 'the event log cannot be written: no space left';

interface Answer {
  readonly status: string;
  readonly error?: { readonly message: string };
  readonly playlists?: { readonly playlist?: readonly { readonly name: string }[] };
}

let folder: string;
let disk: SmallDisk | undefined;
let cannotMount: string | undefined;
let server: Standalone | undefined;
const acknowledged: string[] = [];
const reasons = new Set<string>();

const call = async (operation: string, parameters: Readonly<Record<string, string>> = {}): Promise<Answer> => {
  const query = new URLSearchParams({ u: 'admin', p: PASSWORD, c: 'spec', v: '1.16.1', f: 'json', ...parameters });
  const response = await fetch(`${server?.url}/rest/${operation}.view?${query.toString()}`);
  return ((await response.json()) as { 'subsonic-response': Answer })['subsonic-response'];
};

let made = 0;
const write = async (): Promise<boolean> => {
  made += 1;
  const name = `list ${made}`;
  const { status, error } = await call('createPlaylist', { name });
  if (status === 'ok') acknowledged.push(name);
  else reasons.add(error?.message ?? '');
  return status === 'ok';
};

/** Writes until one is acknowledged; answers how long that took, ms. */
const untilWritable = async (): Promise<number> => {
  const startedAt = performance.now();
  while (!(await write()) && performance.now() - startedAt < 2 * WRITABLE_MS) await delay(200);
  return performance.now() - startedAt;
};

const readiness = async (): Promise<string> => (await fetch(`${server?.metricsUrl}/health/ready`)).text();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'continuo-full-disk-'));
  disk = await SmallDisk.mount(folder, 300).catch((error: unknown) => {
    cannotMount = `needs to mount a tmpfs: ${String(error)}`;
    return undefined;
  });
  if (!disk) return;
  server = await startStandalone({
    dataFolder: join(folder, 'data'),
    host: '127.0.0.1',
    port: 0,
    environment: { LOG_LEVEL: 'fatal', CONTINUO_ADMIN_PASSWORD: PASSWORD },
  });
}, 240_000);

afterAll(async () => {
  await server?.stop();
  await disk?.unmount();
  await rm(folder, { recursive: true, force: true });
}, 120_000);

it(
  'takes no write while the disk of the log is full, says why, and writes again by itself when there is room',
  { timeout: 400_000 },
  async (context) => {
    if (cannotMount !== undefined) return context.skip(cannotMount);
    await untilWritable();
    for (let round = 1; round <= ROUNDS; round += 1) {
      await disk?.fill();
      for (const until = performance.now() + FULL_MS; performance.now() < until; await delay(100)) await write();
      await expect.poll(readiness, { timeout: 20_000 }).toContain(FULL);
      await disk?.empty();
      expect(await untilWritable()).toBeLessThan(WRITABLE_MS);
    }
    expect(reasons).toContain(FULL);
    expect([...reasons].filter((reason) => reason.startsWith('no answer'))).toEqual([]);
    await expect.poll(async () => listed(await call('getPlaylists')), { timeout: 30_000 }).toEqual(acknowledged.toSorted());
  },
);

it(
  'says that there is no room when nats-server has ended, whether it can start again then or not',
  { timeout: 200_000 },
  async (context) => {
    if (cannotMount !== undefined) return context.skip(cannotMount);
    await disk?.fill();
    process.kill(Number.parseInt(await readFile(join(folder, 'data', 'nats.pid'), 'utf8'), 10), 'SIGKILL');
    await disk?.fill();
    await expect.poll(readiness, { timeout: 20_000 }).toContain(FULL);
    await disk?.empty();
    expect(await untilWritable()).toBeLessThan(WRITABLE_MS);
  },
);

const listed = ({ playlists }: Answer): string[] => (playlists?.playlist ?? []).map(({ name }) => name).toSorted();
