import { setTimeout as delay } from 'node:timers/promises';
import { CompatClient } from '../../harness/compat-client.js';
import { NativeClient } from '../../harness/native-client.js';
import type { StandaloneProcess } from '../../harness/standalone-process.js';
import { HttpProbe, type ProbeOptions } from '../../measure/http.js';
import { watchPeak } from '../../measure/memory.js';
import type { Measurement } from '../../measure/report.js';
import { summarise } from '../../measure/stats.js';
import { GROWN_LIMIT_BYTES, HELD_LIMIT_MS, leastStrainOf } from '../../measure/strain.js';
import { stallCases } from './cases.js';
import type { StallRequest, StallWorld } from './stall-case.js';

/** Strangers and wrong passwords are slowed down, which would end the check after fifty requests. */
export const STALLS_SETTINGS = {
  LOGIN_FAILURES_PER_ACCOUNT: '1000000000',
  LOGIN_FAILURES_PER_ADDRESS: '1000000000',
  STRANGER_CALLS_PER_ADDRESS: '1000000000',
} as const;

const MIB = 1024 ** 2;
const CLIENTS = 20;
const AT_ONCE_MS = 60_000;
const SETTLE_MS = 1000;
const OTHERS_PAUSE_MS = 50;
const LIVE_BUDGET_MS = 100;
const ALBUM_BUDGET_MS = 200;
const RESIDENT_BUDGET_MIB = 700;

interface Prepared {
  readonly what: string;
  readonly send: () => Promise<number>;
}

const optionsOf = ({ method, type, bearer, body }: StallRequest): ProbeOptions => ({
  method: method ?? (body === undefined ? 'GET' : 'POST'),
  headers: {
    ...(type === undefined ? {} : { 'content-type': type }),
    ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
  },
  ...(body === undefined ? {} : { body }),
});

const asking =
  (http: HttpProbe): StallWorld['ask'] =>
  async (request) => {
    const chunks: Buffer[] = [];
    await http.get(request.path, { ...optionsOf(request), onChunk: (chunk) => chunks.push(chunk) });
    return Buffer.concat(chunks).toString('utf8');
  };

/** Makes the requests of all cases, and what they need to be there. */
const prepare = async (server: StandaloneProcess, http: HttpProbe, songs: number): Promise<Prepared[]> => {
  const client = await NativeClient.login(server);
  const session = new URL(client.path('ping'), server.url).searchParams.get('auth') ?? '';
  client.close();
  const world: StallWorld = { songs, session, apiKey: server.apiKey, ask: asking(http) };
  const prepared: Prepared[] = [];
  for (const { what, request } of stallCases) {
    const made = await request(world);
    prepared.push({ what, send: async () => (await http.get(made.path, optionsOf(made))).status });
  }
  return prepared;
};

/** Each case alone: how long the event loop was held by it, and how much memory it took. */
export const measureStalls = async (server: StandaloneProcess, songs: number): Promise<Measurement[]> => {
  const http = new HttpProbe(server.url);
  try {
    const measurements: Measurement[] = [];
    for (const { what, send } of await prepare(server, http, songs)) {
      const statuses = new Set<number>();
      const { heldMs, grownBytes } = await leastStrainOf(server.probed, async () => statuses.add(await send()));
      const note = `status ${[...statuses].join(', ')}`;
      measurements.push(
        { what: `${what}: event loop held`, value: heldMs, unit: 'ms', budget: { atMost: HELD_LIMIT_MS }, note },
        { what: `${what}: memory`, value: grownBytes / MIB, unit: 'MiB', budget: { atMost: GROWN_LIMIT_BYTES / MIB } },
      );
    }
    return measurements;
  } finally {
    http.close();
  }
};

const timesOf = async (until: number, call: () => Promise<unknown>): Promise<number[]> => {
  const times: number[] = [];
  while (Date.now() < until) {
    const started = performance.now();
    await call();
    times.push(performance.now() - started);
    await delay(OTHERS_PAUSE_MS);
  }
  return times;
};

/** Numbers of requests that were answered and of those whose connection broke. */
interface Sent {
  readonly answered: number;
  readonly broken: number;
}

const worstUntil = async (until: number, prepared: readonly Prepared[], first: number): Promise<Sent> => {
  let [answered, broken] = [0, 0];
  for (let turn = first; Date.now() < until; turn += 1) {
    try {
      await prepared[turn % prepared.length]?.send();
      answered += 1;
    } catch {
      // The server may close a connection over too large a body.
      broken += 1;
    }
  }
  return { answered, broken };
};

/** Twenty clients that send the worst requests without a pause, and somebody beside them who wants an album. */
export const measureWorstAtOnce = async (server: StandaloneProcess, songs: number): Promise<Measurement[]> => {
  const http = new HttpProbe(server.url);
  const other = new CompatClient(server);
  try {
    const prepared = await prepare(server, http, songs);
    const album = other.path('getAlbum', { id: 'al-1' });
    await other.http.get(album);
    await delay(SETTLE_MS);
    const peak = watchPeak(server.pid);
    const until = Date.now() + AT_ONCE_MS;
    const [live, albums, ...sent] = await Promise.all([
      timesOf(until, () => other.http.get('/health/live')),
      timesOf(until, () => other.http.get(album)),
      ...Array.from({ length: CLIENTS }, (_, client) => worstUntil(until, prepared, client)),
    ]);
    const answered = sent.reduce((sum, one) => sum + one.answered, 0);
    const broken = sent.reduce((sum, one) => sum + one.broken, 0);
    if (answered === 0) throw new Error(`no bad request was answered, ${broken} broke off: the figures would mean nothing`);
    const note = `${answered} bad requests answered meanwhile, ${broken} broken off`;
    return [
      { what: '/health/live, p99', value: summarise(live).p99, unit: 'ms', budget: { atMost: LIVE_BUDGET_MS }, note },
      { what: 'getAlbum of somebody else, p99', value: summarise(albums).p99, unit: 'ms', budget: { atMost: ALBUM_BUDGET_MS } },
      { what: 'resident memory at its highest', value: (await peak()) / MIB, unit: 'MiB', budget: { atMost: RESIDENT_BUDGET_MIB } },
    ];
  } finally {
    http.close();
    other.close();
  }
};
