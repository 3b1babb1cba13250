import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { environment } from './config.js';

const standalone = join(import.meta.dirname, '..');
const root = join(standalone, '../..');
const SETTLE_MS = 45_000;
const IDLE_MS = 30_000;
/** Of an idle standalone in thirty seconds; messages are those of the wire, a statement has four. */
const MOST = { timerCalls: 60, toPostgres: 260, toNats: 30, connections: 5 };

interface Counts {
  /** By interval and place. */
  readonly timers: Readonly<Record<string, number>>;
  readonly messages: { readonly nats?: number; readonly postgres?: number };
}

let folder: string;
let server: ChildProcess;
let counts: Counts;
let connections: number;

const untilThere = (path: string): Promise<void> => vi.waitFor(() => access(path), { timeout: 60_000, interval: 100 });

const counted = async (): Promise<Counts> => {
  const file = join(folder, 'idle.json');
  await rm(file, { force: true });
  server.kill('SIGUSR2');
  await untilThere(file);
  await delay(200);
  return JSON.parse(await readFile(file, 'utf8')) as Counts;
};

const connectionFile = (): string => join(folder, 'data/run/connection.json');

const openConnections = async (): Promise<number> => {
  const { databaseUrl } = JSON.parse(await readFile(connectionFile(), 'utf8')) as { readonly databaseUrl: string };
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ open: number }>(
      `select count(*)::int - 1 as open from pg_stat_activity where backend_type = 'client backend'`,
    );
    return rows[0]?.open ?? 0;
  } finally {
    await client.end();
  }
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'continuo-idle-'));
  server = spawn(process.execPath, ['--import', join(standalone, 'test/idle-probe.mjs'), join(standalone, 'dist/main.js')], {
    env: {
      ...environment,
      CONTINUO_DATA: join(folder, 'data'),
      PORT: '0',
      METRICS_PORT: '0',
      LOG_LEVEL: 'error',
      IDLE_PROBE_FILE: join(folder, 'idle.json'),
      NODE_OPTIONS: '',
    },
    stdio: 'ignore',
  });
  await untilThere(connectionFile());
  await delay(SETTLE_MS);
  await counted();
  await delay(IDLE_MS);
  counts = await counted();
  connections = await openConnections();
}, 240_000);

afterAll(async () => {
  server.kill('SIGTERM');
  await once(server, 'exit');
  await rm(folder, { recursive: true, force: true });
}, 60_000);

describe('a standalone that nobody uses', () => {
  it('wakes up and asks its servers rarely', () => {
    const timerCalls = Object.values(counts.timers).reduce((sum, calls) => sum + calls, 0);
    const { nats: toNats = 0, postgres: toPostgres = 0 } = counts.messages;
    expect({ timerCalls, toPostgres, toNats, connections }).toEqual({
      timerCalls: expect.toSatisfy((calls: number) => calls > 0 && calls <= MOST.timerCalls),
      toPostgres: expect.toSatisfy((messages: number) => messages > 0 && messages <= MOST.toPostgres),
      toNats: expect.toSatisfy((messages: number) => messages > 0 && messages <= MOST.toNats),
      connections: expect.toSatisfy((open: number) => open > 0 && open <= MOST.connections),
    });
  });

  it('has no timer but those that the page for operators names', async () => {
    const page = await readFile(join(root, 'docs/operate/standalone.md'), 'utf8');
    const places = new Set(Object.keys(counts.timers).map((timer) => timer.slice(timer.indexOf(', ') + 2)));
    expect([...places].filter((place) => !page.includes(`\`${place}\``))).toEqual([]);
  });
});
