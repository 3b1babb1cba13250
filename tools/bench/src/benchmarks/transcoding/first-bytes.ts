import { CompatClient } from '../../harness/compat-client.js';
import type { StandaloneProcess } from '../../harness/standalone-process.js';
import { withCpu } from '../../measure/memory.js';
import type { Measurement } from '../../measure/report.js';
import { summarise, type Summary } from '../../measure/stats.js';
import { SHORT, type TranscodedSongs } from './transcoded-songs.js';

/** Requested targets; FLAC is converted into each. */
const wishes = [
  { format: 'mp3', maxBitRate: 192 },
  { format: 'opus', maxBitRate: 128 },
  { format: 'aac', maxBitRate: 160 },
] as const;
const MIDDLE_S = SHORT.seconds / 2;
const HIT_ROUNDS = 3;
const COLD_MS = 300;
const HIT_MS = 20;

type Query = Readonly<Record<string, string | number>>;

const firstByte = async (client: CompatClient, query: Query, range?: string): Promise<number> => {
  const answer = await client.http.get(client.path('stream', query), range === undefined ? {} : { headers: { range } });
  const wanted = range === undefined ? 200 : 206;
  if (answer.status !== wanted || answer.bodyBytes === 0) throw new Error(`stream answered ${answer.status}: ${answer.head.slice(0, 200)}`);
  return answer.firstByteMs;
};

interface Asked extends Summary {
  /** Processor time of the server for each, ffmpeg and all bytes included. */
  readonly cpuMs: number;
}

/** One after the other. */
const all = async (root: number, queries: readonly Query[], ask: (query: Query) => Promise<number>): Promise<Asked> => {
  const times: number[] = [];
  const { cpuMs } = await withCpu(root, async () => {
    for (const query of queries) times.push(await ask(query));
  });
  return { ...summarise(times), cpuMs: cpuMs / queries.length };
};

const both = (what: string, { p50, p95, count, cpuMs }: Asked, atMost: number): Measurement[] => [
  { what: `${what}, p50`, value: p50, unit: 'ms', budget: { atMost } },
  {
    what: `${what}, p95`,
    value: p95,
    unit: 'ms',
    budget: { atMost },
    note: `${count} times, ${cpuMs.toFixed(1)} ms of processor time each`,
  },
];

/** The time to the first byte, one listener after the other: of what has to be made, and of what is there already. */
export const measureFirstBytes = async (server: StandaloneProcess, { short }: TranscodedSongs): Promise<Measurement[]> => {
  const client = new CompatClient(server);
  const queries = short.flatMap((id) => wishes.map((wish) => ({ id: `so-${id}`, ...wish })));
  const [unmeasured, ...measured] = queries;
  try {
    // Connections and code of the first time are no part of it.
    if (unmeasured) await firstByte(client, unmeasured);
    const cold = await all(server.pid, measured, (query) => firstByte(client, query));
    const within = await all(server.pid, measured, (query) => firstByte(client, { ...query, timeOffset: MIDDLE_S }));
    const again = Array.from({ length: HIT_ROUNDS }, () => measured).flat();
    const hit = await all(server.pid, again, (query) => firstByte(client, query));
    const part = await all(server.pid, again, (query) => firstByte(client, query, 'bytes=100000-165535'));
    return [
      ...both('first byte of a transcode, cold', cold, COLD_MS),
      ...both('the same from the middle on', within, COLD_MS),
      ...both('first byte from the cache', hit, HIT_MS),
      ...both('a part from the cache', part, HIT_MS),
    ];
  } finally {
    client.close();
  }
};
