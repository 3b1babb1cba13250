import { formatCount } from '@continuo/continuo-cli';
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
