import { Agent, request } from 'node:http';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CompatClient } from '../../harness/compat-client.js';
import type { StandaloneProcess } from '../../harness/standalone-process.js';
import { treeMemory, watchPeak } from '../../measure/memory.js';
import { openFilesOf, type OpenFiles } from '../../measure/open-files.js';
import type { Measurement } from '../../measure/report.js';
import { runningFfmpeg } from './bare-ffmpeg.js';
import type { TranscodedSongs } from './transcoded-songs.js';

const ABORTS = 1000;
const WARM_UP = 60;
/** Where the counted ones begin, behind all of the warm-up. */
const FIRST = 1000;
const AT_ONCE = 8;
/** Longer than a transcode goes on without listeners. */
const SETTLE_MS = 8000;
const MB = 1024 ** 2;
/** All places are taken. */
const REFUSED = 429;

/** When a client goes away: so many milliseconds after asking, or so many bytes after the first. */
const manners = [{ afterMs: 0 }, { afterMs: 5 }, { afterMs: 30 }, { afterBytes: 1 }, { afterBytes: 65_536 }] as const;
type Manner = (typeof manners)[number];

/** Asks and goes away. Answers the status, 0 when it left before there was one. */
const askAndLeave = (url: URL, manner: Manner): Promise<number> =>
  new Promise((resolve) => {
    let [status, bytes] = [0, 0];
    const call = request(url, { agent: new Agent() }, (answer) => {
      status = answer.statusCode ?? 0;
      answer.on('error', () => undefined);
      answer.on('data', (piece: Buffer) => {
        bytes += piece.length;
        if ('afterBytes' in manner && bytes >= manner.afterBytes) call.destroy();
      });
      // A refusal is over before anybody can leave.
      answer.on('end', () => call.destroy());
    });
    call.on('error', () => undefined);
    call.on('close', () => resolve(status));
    call.end();
    if ('afterMs' in manner) setTimeout(() => call.destroy(), manner.afterMs);
  });

/** Half of them want a song as it is, half one in another form, each from another millisecond on. */
const urlOf = (server: StandaloneProcess, client: CompatClient, ids: readonly number[], n: number): URL => {
  const id = `so-${ids[n % ids.length]}`;
  const query: Readonly<Record<string, string | number>> =
    n % 2 === 0 ? { id } : { id, format: 'mp3', maxBitRate: 192, timeOffset: (n + 1) / 1000 };
  return new URL(client.path('stream', query), server.url);
};

/** Goes on until so many have left; who is refused, because all places are taken, has nothing to leave and does not count. */
const leaveOften = async (urls: (n: number) => URL, from: number, count: number): Promise<Map<number, number>> => {
  const statuses = new Map<number, number>();
  let [next, left] = [from, 0];
  const leaver = async (): Promise<void> => {
    while (left < count) {
      const n = next;
      next += 1;
      const status = await askAndLeave(urls(n), manners[Math.floor(n / 2) % manners.length]!);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status !== REFUSED) left += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, leaver));
  return statuses;
};

interface Held {
  readonly open: OpenFiles;
  readonly residentBytes: number;
}

/** Of the server and of what it started, but for Postgres, which opens its tables as it likes. */
const held = async (pid: number): Promise<Held> => {
  await delay(SETTLE_MS);
  const processes = (await treeMemory(pid)).filter(({ name }) => name !== 'postgres');
  const open = await openFilesOf(processes.map((one) => one.pid));
  return { open, residentBytes: await watchPeak(pid)() };
};

/** Names of files that were not open before. */
const newIn = (before: Held, after: Held): string => {
  const known = new Set(before.open.files);
  return [...new Set(after.open.files.filter((path) => !known.has(path)).map((path) => basename(path)))].join(', ');
};

/** Measures leftovers after many aborted listeners. */
export const measureAborts = async (server: StandaloneProcess, { long }: TranscodedSongs): Promise<Measurement[]> => {
  const client = new CompatClient(server);
  const url = (n: number): URL => urlOf(server, client, long, n);
  try {
    await leaveOften(url, 0, WARM_UP);
    const before = await held(server.pid);
    const statuses = await leaveOften(url, FIRST, ABORTS);
    const after = await held(server.pid);
    const more = (count: (open: OpenFiles) => number): number => count(after.open) - count(before.open);
    const note = [...statuses].map(([status, count]) => `${count} × ${status || 'no answer yet'}`).join(', ');
    return [
      { what: 'requests that were broken off', value: ABORTS, unit: 'requests', note },
      { what: 'ffmpeg left running by them', value: (await runningFfmpeg(server.pid)).length, unit: 'processes', budget: { atMost: 0 } },
      {
        what: 'files left open',
        value: more(({ files }) => files.length),
        unit: 'files',
        budget: { atMost: 0 },
        note: newIn(before, after),
      },
      { what: 'pipes left open', value: more(({ pipes }) => pipes), unit: 'pipes', budget: { atMost: 0 } },
      {
        what: 'sockets more than before',
        value: more(({ sockets }) => sockets),
        unit: 'sockets',
        note: 'connections that are kept for the next request are among them',
      },
      { what: 'memory more than before', value: (after.residentBytes - before.residentBytes) / MB, unit: 'MB' },
    ];
  } finally {
    client.close();
  }
};
