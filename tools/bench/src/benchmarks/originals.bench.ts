import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makeTone } from '@continuo/media-fixtures';
import { newCatalog, scanCatalog } from '../harness/library.js';
import { NativeClient } from '../harness/native-client.js';
import { startPlainFileServer } from '../harness/plain-file-server.js';
import type { StandaloneProcess } from '../harness/standalone-process.js';
import { watchPeak, withCpu } from '../measure/memory.js';
import { openFilesOf } from '../measure/open-files.js';
import { rawDownload } from '../measure/raw-download.js';
import type { Measurement } from '../measure/report.js';
import { median } from '../measure/stats.js';

/** Two minutes of uncompressed stereo: about 21 MB. */
const SECONDS = 120;
const STREAMS = 200;
const ROUNDS = 5;
const STALL_BYTES = 1 << 20;
const STALL_MS = 5000;
const SETTLE_MS = 2000;
const MB = 1024 ** 2;

interface Served {
  readonly pid: number;
  readonly url: URL;
}

interface Round {
  readonly bytesPerSecond: number;
  /** Processor time of the server, ms per GB. */
  readonly cpuMsPerGb: number;
  readonly peakBytes: number;
}

/** Downloads the same file by many streams at once. */
const oneRound = async ({ pid, url }: Served): Promise<Round> => {
  const peak = watchPeak(pid);
  const started = performance.now();
  const { result, cpuMs } = await withCpu(pid, () => Promise.all(Array.from({ length: STREAMS }, () => rawDownload(url).done)));
  const bytes = result.reduce((sum, count) => sum + count, 0);
  const seconds = (performance.now() - started) / 1000;
  return { bytesPerSecond: bytes / seconds, cpuMsPerGb: cpuMs / (bytes / 1e9), peakBytes: await peak() };
};

const medianOf = (rounds: readonly Round[], value: (round: Round) => number): number => median(rounds.map(value));

/** Both in turn, so that both meet the same machine. */
const measureThroughput = async (ours: Served, bare: Served): Promise<Measurement[]> => {
  const [own, plain]: [Round[], Round[]] = [[], []];
  for (let n = -1; n < ROUNDS; n += 1) {
    const [first, second] = [await oneRound(ours), await oneRound(bare)];
    if (n < 0) continue;
    own.push(first);
    plain.push(second);
  }
  const [ownRate, bareRate] = [medianOf(own, (it) => it.bytesPerSecond), medianOf(plain, (it) => it.bytesPerSecond)];
  const [ownCpu, bareCpu] = [medianOf(own, (it) => it.cpuMsPerGb), medianOf(plain, (it) => it.cpuMsPerGb)];
  const label = `${STREAMS} originals at once`;
  return [
    { what: `${label}, against a bare file server`, value: (100 * ownRate) / bareRate, unit: '%', budget: { atLeast: 80 } },
    { what: label, value: (ownRate * 8) / 1e9, unit: 'Gbit/s', note: `bare ${((bareRate * 8) / 1e9).toFixed(2)}` },
    { what: 'processor time', value: ownCpu, unit: 'ms/GB', note: `bare ${bareCpu.toFixed(0)}` },
    ...growth(own),
  ];
};

/** Memory is flat when the last rounds need no more than the first. */
const growth = (rounds: readonly Round[]): Measurement[] => {
  const peaks = rounds.map(({ peakBytes }) => peakBytes / MB);
  const [first = 0, last = 0] = [peaks[0], peaks.at(-1)];
  return [
    {
      what: 'highest memory of the last round against the first',
      value: last - first,
      unit: 'MB',
      note: peaks.map((it) => it.toFixed(0)).join(', '),
    },
  ];
};

/** Listeners that take a little and then nothing, as players do whose buffers are full. */
const measureStalled = async ({ pid, url }: Served): Promise<Measurement[]> => {
  const before = await watchPeak(pid)();
  const openBefore = await openFilesOf([pid]);
  const downloads = Array.from({ length: STREAMS }, () => rawDownload(url, { stallAfterBytes: STALL_BYTES }));
  await delay(STALL_MS);
  const stalled = await watchPeak(pid)();
  const short = downloads.filter((one) => one.received() < STALL_BYTES).length;
  for (const one of downloads) one.abort();
  await delay(SETTLE_MS);
  const openAfter = await openFilesOf([pid]);
  return [
    {
      what: `memory for each of ${STREAMS} listeners that take nothing for a while`,
      value: (stalled - before) / 1024 / STREAMS,
      unit: 'KB',
      note: short === 0 ? '' : `${short} had not begun`,
    },
    { what: 'files left open by them', value: openAfter.files.length - openBefore.files.length, unit: 'files', budget: { atMost: 0 } },
  ];
};

/** Many streams of originals at the same time, through the server and through the plainest file server, in the same run. */
export const measureOriginals = async (server: StandaloneProcess, workFolder: string): Promise<Measurement[]> => {
  const folder = join(workFolder, 'originals');
  const file = await makeTone(folder, 'Original', SECONDS);
  await scanCatalog(server.session, await newCatalog(server.session, 'Originals', folder));
  const row = await server.session.db.selectFrom('library.song').select('id').where('title', '=', 'Original').executeTakeFirstOrThrow();
  const native = await NativeClient.login(server);
  const bare = await startPlainFileServer(file);
  try {
    const { url } = await native.json<{ url: string }>('song', { filter: row.id });
    const { pathname, search } = new URL(url);
    const ours: Served = { pid: server.pid, url: new URL(`${pathname}${search}`, server.url) };
    return [...(await measureThroughput(ours, { pid: bare.pid, url: new URL('/', bare.url) })), ...(await measureStalled(ours))];
  } finally {
    native.close();
    await bare.stop();
  }
};
