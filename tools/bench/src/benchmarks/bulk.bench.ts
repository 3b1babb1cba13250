import { formatCount } from '@continuo/operations';
import { NativeClient } from '../harness/native-client.js';
import type { StandaloneProcess } from '../harness/standalone-process.js';
import { watchPeak, withCpu } from '../measure/memory.js';
import type { Measurement } from '../measure/report.js';
import { timed } from '../measure/stats.js';

/** The list that clients fetch whole at their first start. */
export const measureLargePage = async (server: StandaloneProcess): Promise<Measurement[]> => {
  const native = await NativeClient.login(server);
  try {
    const measurements: Measurement[] = [];
    for (const [format, atMost] of [
      ['json', 150],
      ['xml', 250],
    ] as const) {
      const { result, cpuMs } = await withCpu(server.pid, () =>
        timed(() => native.call('songs', { limit: 5000 }, format), { times: 10, warmUps: 3 }),
      );
      const { p50, p95 } = result;
      measurements.push({
        what: `songs limit=5000, ${format}, p50`,
        value: p50,
        unit: 'ms',
        budget: { atMost },
        note: `processor ${Math.round(cpuMs / 13)} ms`,
      });
      measurements.push({ what: `songs limit=5000, ${format}, p95`, value: p95, unit: 'ms' });
    }
    return measurements;
  } finally {
    native.close();
  }
};

/** Counts songs in a JSON answer as it streams by, without keeping it. */
export const objectCounter = (marker: string): { onChunk: (chunk: Buffer) => void; count: () => number } => {
  const needle = Buffer.from(marker);
  let [count, rest] = [0, Buffer.alloc(0)];
  return {
    onChunk: (chunk) => {
      const text = Buffer.concat([rest, chunk]);
      for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) count += 1;
      // The tail is too short to hold a whole marker, so none is counted twice.
      rest = Buffer.from(text.subarray(Math.max(0, text.length - needle.length + 1)));
    },
    count: () => count,
  };
};

/** Fetches every song in one answer and watches the server's memory meanwhile. */
export const measureWholeList = async (server: StandaloneProcess, songs: number): Promise<Measurement[]> => {
  const native = await NativeClient.login(server);
  try {
    const counter = objectCounter('"title":');
    const before = await watchPeak(server.pid)();
    const peak = watchPeak(server.pid, 50);
    const path = native.path('songs', { limit: 'none' });
    const { result: answer, cpuMs } = await withCpu(server.pid, () => native.http.get(path, { onChunk: counter.onChunk }));
    const after = await peak();
    const perSecond = songs / (answer.totalMs / 1000);
    const perCpuSecond = Math.round(songs / (cpuMs / 1000));
    const complete = counter.count() >= songs;
    return [
      {
        what: 'songs limit=none',
        value: perSecond,
        unit: 'songs/s',
        budget: { atLeast: 40_000 },
        note: complete ? `${formatCount(perCpuSecond)} songs per second of processor` : `only ${counter.count()} songs came`,
      },
      { what: 'songs limit=none, size', value: answer.bodyBytes / 1e6, unit: 'MB' },
      { what: 'songs limit=none, first byte', value: answer.firstByteMs, unit: 'ms' },
      {
        what: 'songs limit=none, growth of the server process',
        value: (after - before) / 1024 ** 2,
        unit: 'MB',
        note: `from ${Math.round(before / 1024 ** 2)} MB`,
      },
    ];
  } finally {
    native.close();
  }
};

/** Other lists that flow: what each asks for, and what stands once in each of its songs. */
const flows = [
  { label: 'list of songs, limit=none', action: 'list', parameters: { type: 'song', limit: 'none' }, marker: '"basename":' },
  { label: 'index of songs, limit=none', action: 'index', parameters: { type: 'song', limit: 'none' }, marker: '",' },
  { label: 'albums with songs, limit=none', action: 'albums', parameters: { include: 'songs', limit: 'none' }, marker: '"title":' },
] as const;

/** Fetches lists of everything in other shapes, and watches the server's memory meanwhile. */
export const measureOtherFlows = async (server: StandaloneProcess, songs: number): Promise<Measurement[]> => {
  const native = await NativeClient.login(server);
  try {
    const measurements: Measurement[] = [];
    for (const { label, action, parameters, marker } of flows) {
      const counter = objectCounter(marker);
      const before = await watchPeak(server.pid)();
      const peak = watchPeak(server.pid, 50);
      const answer = await native.http.get(native.path(action, parameters), { onChunk: counter.onChunk });
      const growth = ((await peak()) - before) / 1024 ** 2;
      const came = counter.count() >= songs - 1 ? '' : `, only ${counter.count()} songs came`;
      const note = `${Math.round(answer.bodyBytes / 1e6)} MB, process grew by ${Math.round(growth)} MB${came}`;
      measurements.push({ what: label, value: songs / (answer.totalMs / 1000), unit: 'songs/s', note });
    }
    return measurements;
  } finally {
    native.close();
  }
};
