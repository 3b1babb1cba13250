import { CompatClient } from '../../harness/compat-client.js';
import type { StandaloneProcess } from '../../harness/standalone-process.js';
import { withCpu } from '../../measure/memory.js';
import type { Measurement } from '../../measure/report.js';
import { median } from '../../measure/stats.js';
import { argumentsInUse, runBare } from './bare-ffmpeg.js';
import { LONG, type TranscodedSongs } from './transcoded-songs.js';

const ROUNDS = 5;
const formats = ['mp3', 'opus', 'aac'] as const;
const KBPS = 192;

interface Pair {
  readonly oursMs: number;
  readonly bareMs: number;
  readonly oursCpuMs: number;
  readonly bareCpuMs: number;
}

const spent = async (root: number, work: () => Promise<unknown>): Promise<{ ms: number; cpuMs: number }> => {
  const started = performance.now();
  const { cpuMs } = await withCpu(root, work);
  return { ms: performance.now() - started, cpuMs };
};

/** Converts songs at the same time through the server, then with the bare program and the very arguments that the server has used. */
const onePair = async (
  server: StandaloneProcess,
  client: CompatClient,
  queries: readonly Record<string, string | number>[],
): Promise<Pair> => {
  let args: string[][] = [];
  const ours = await spent(server.pid, async () => {
    const answers = queries.map((query) => client.http.get(client.path('stream', query)));
    args = await argumentsInUse(server.pid, queries.length);
    const bad = (await Promise.all(answers)).find(({ status }) => status !== 200);
    if (bad) throw new Error(`stream answered ${bad.status}: ${bad.head.slice(0, 200)}`);
  });
  const bare = await spent(process.pid, () => Promise.all(args.map(runBare)));
  return { oursMs: ours.ms, bareMs: bare.ms, oursCpuMs: ours.cpuMs, bareCpuMs: bare.cpuMs };
};

const measureFormat = async (
  server: StandaloneProcess,
  client: CompatClient,
  ids: readonly number[],
  format: string,
): Promise<Measurement[]> => {
  const pairs: Pair[] = [];
  for (let n = 0; n <= ROUNDS; n += 1) {
    // Another millisecond is another transcode, that nobody has kept.
    const queries = ids.map((id) => ({ id: `so-${id}`, format, maxBitRate: KBPS, timeOffset: (ids.length * 100 + n) / 1000 }));
    const pair = await onePair(server, client, queries);
    if (n > 0) pairs.push(pair);
  }
  const factor = (ms: (pair: Pair) => number): number => (LONG.seconds * 1000) / median(pairs.map(ms));
  const [ours, bare] = [factor(({ oursMs }) => oursMs), factor(({ bareMs }) => bareMs)];
  const cpu = median(pairs.map(({ oursCpuMs, bareCpuMs }) => oursCpuMs / bareCpuMs));
  const label = `${format}, ${ids.length} at once`;
  return [
    { what: `${label}, against bare ffmpeg`, value: (100 * ours) / bare, unit: '%', budget: { atLeast: 90 } },
    {
      what: `${label}, each`,
      value: ours,
      unit: '× real time',
      note: `bare ${bare.toFixed(0)}; processor time ${(100 * cpu).toFixed(0)} % of bare`,
    },
  ];
};

/** Measures the conversion rate for an unthrottled listener, against ffmpeg alone. */
export const measureRealtime = async (server: StandaloneProcess, { long }: TranscodedSongs): Promise<Measurement[]> => {
  const client = new CompatClient(server);
  try {
    const found: Measurement[] = [];
    for (const format of formats) found.push(...(await measureFormat(server, client, long.slice(0, 1), format)));
    found.push(...(await measureFormat(server, client, long, 'mp3')));
    return found;
  } finally {
    client.close();
  }
};
