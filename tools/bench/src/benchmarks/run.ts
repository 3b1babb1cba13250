import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatCount, formatDuration } from '@continuo/operations';
import { formatNames, generateFiles } from '@continuo/media-fixtures';
import { loadLibrary } from '../harness/library.js';
import { undoAtEnd } from '../harness/clean-up.js';
import { startStandaloneProcess, type StandaloneProcess } from '../harness/standalone-process.js';
import { describeResult, loadNow, writeResult, type Measurement } from '../measure/report.js';
import { measureBackup } from './backup.bench.js';
import { measureLargePage, measureOtherFlows, measureWholeList } from './bulk.bench.js';
import { measureCommands } from './commands.bench.js';
import { compareSizes, measureLists } from './lists.bench.js';
import { measureIdleMemory } from './memory.bench.js';
import { untilSettled } from './peers/scanning.js';
import { measureOverFiles, measurePage, PAGE_SETTINGS } from './page.bench.js';
import { measurePeople } from './people.bench.js';
import { measurePlaylists } from './playlists.bench.js';
import { measurePlays } from './plays.bench.js';
import { measureProjecting } from './projecting.bench.js';
import { measureScan } from './scan.bench.js';
import { measureScanGrowth, measureScanWorkers, type ScannedFiles } from './scan-workers.bench.js';
import { measureSearchIndex } from './search-index.bench.js';
import { measureSearches } from './searches.bench.js';
import { comparePeers, type PeersOptions } from './peers/peers.bench.js';
import { measureRequestsBySize } from './peers/requests-by-size.bench.js';
import { measureOriginals } from './originals.bench.js';
import { measureAnalysis, measureSoundTable, ONE_SONIC_SLOT } from './sonic.bench.js';
import { measureStalls, measureWorstAtOnce, STALLS_SETTINGS } from './stalls/stalls.bench.js';
import { measureStreaming } from './streaming.bench.js';
import { measureSync } from './sync.bench.js';
import { measureAborts } from './transcoding/aborts.js';
import { measureFirstBytes } from './transcoding/first-bytes.js';
import { measureRealtime } from './transcoding/realtime.js';
import { transcodedSongs, type TranscodedSongs } from './transcoding/transcoded-songs.js';
import { measureWorkers, ONE_PLACE } from './transcoding/workers.js';

/** The benchmarks by their names on the command line. */
export const benchmarkNames = [
  'scan',
  'scan-workers',
  'scan-growth',
  'streaming',
  'originals',
  'transcoding',
  'transcode-speed',
  'transcode-aborts',
  'transcode-workers',
  'lists',
  'requests',
  'searches',
  'search-index',
  'sonic',
  'large-page',
  'whole-list',
  'sync',
  'commands',
  'plays',
  'playlists',
  'people',
  'projecting',
  'memory',
  'backup',
  'stalls',
  'page',
  'peers',
] as const;
export type BenchmarkName = (typeof benchmarkNames)[number];

/** Options of a benchmark run. */
export interface RunOptions {
  readonly benchmarks: ReadonlySet<BenchmarkName>;
  /** Songs of the synthetic libraries, smallest first. */
  readonly sizes: readonly number[];
  /** Files of the scanned folder. */
  readonly files: number;
  /** How long the list of the web page is scrolled, s. */
  readonly scroll: number;
  /** Folder for the results. */
  readonly out: string;
  readonly print: (line: string) => void;
  /** Other servers to compare with, own files for it, and its duration. */
  readonly peers: Pick<PeersOptions, 'navidrome' | 'gonic' | 'music' | 'seconds'>;
}

/** Library size at which memory is looked at, as the budget says. */
const MEMORY_SONGS = 100_000;

const publish = async (options: RunOptions, benchmark: string, measurements: readonly Measurement[]): Promise<void> => {
  const result = { benchmark, measurements };
  options.print(`\n${describeResult(result)}`);
  const busy = loadNow();
  if (busy > cpus().length) options.print(`Other work kept the machine busy (load ${busy.toFixed(1)}): only ratios mean anything.`);
  await writeResult(options.out, result, Date.now());
};

/** Runs one benchmark if it is wanted. A failure is reported and does not keep the others from running. */
const measure = async (options: RunOptions, name: BenchmarkName, label: string, work: () => Promise<Measurement[]>): Promise<void> => {
  if (!options.benchmarks.has(name)) return;
  try {
    await publish(options, label, await work());
  } catch (error) {
    options.print(`\n${label}\ncould not be measured: ${error instanceof Error ? error.message : String(error)}`);
  }
};

const wants = (options: RunOptions, ...names: BenchmarkName[]): boolean => names.some((name) => options.benchmarks.has(name));

const runOnFiles = async (options: RunOptions): Promise<void> => {
  if (!wants(options, 'scan', 'streaming', 'originals')) return;
  const work = await mkdtemp(join(tmpdir(), 'continuo-bench-music-'));
  const removeWork = undoAtEnd(() => rm(work, { recursive: true, force: true }));
  const server = await startStandaloneProcess();
  try {
    options.print(`Standalone ready after ${formatDuration(server.readyAfterMs)}.`);
    if (options.benchmarks.has('scan')) {
      const folder = join(work, 'files');
      const manifest = await generateFiles({ out: folder, count: options.files, formats: formatNames, seed: 1, flat: false });
      await measure(options, 'scan', 'scan', () => measureScan(server, folder, manifest));
    }
    await measure(options, 'streaming', 'streaming', () => measureStreaming(server, work));
    await measure(options, 'originals', 'originals', () => measureOriginals(server, work));
  } finally {
    await server.stop();
    await removeWork();
  }
};

/** Scans on a server of their own: what is left of the scans before would count. */
const runOnScans = async (options: RunOptions): Promise<void> => {
  if (!wants(options, 'scan-workers', 'scan-growth')) return;
  const work = await mkdtemp(join(tmpdir(), 'continuo-bench-music-'));
  const removeWork = undoAtEnd(() => rm(work, { recursive: true, force: true }));
  const generated = async (name: string, count: number): Promise<ScannedFiles> => {
    const folder = join(work, name);
    return { folder, manifest: await generateFiles({ out: folder, count, formats: formatNames, seed: 1, flat: false }) };
  };
  const server = await startStandaloneProcess();
  try {
    const small = await generated('small', options.files);
    await measure(options, 'scan-workers', 'scan-workers', () => measureScanWorkers(server, small));
    await measure(options, 'scan-growth', 'scan-growth', async () =>
      measureScanGrowth(server, small, await generated('large', options.files * 10)),
    );
  } finally {
    await server.stop();
    await removeWork();
  }
};

/** A server that converts, with songs for it. */
const onTranscoder = async (
  options: RunOptions,
  settings: Readonly<Record<string, string>>,
  steps: readonly (readonly [BenchmarkName, label: string, TranscodeStep])[],
): Promise<void> => {
  if (!wants(options, ...steps.map(([name]) => name))) return;
  const work = await mkdtemp(join(tmpdir(), 'continuo-bench-music-'));
  const removeWork = undoAtEnd(() => rm(work, { recursive: true, force: true }));
  try {
    const server = await startStandaloneProcess(settings);
    try {
      const songs = await transcodedSongs(server, work);
      for (const [name, label, step] of steps) await measure(options, name, label, () => step(server, songs));
    } finally {
      await server.stop();
    }
  } finally {
    await removeWork();
  }
};

/** On a server with a place for each processor, then on one with a single place, to which workers are added. */
const runOnTranscodes = async (options: RunOptions): Promise<void> => {
  await onTranscoder(options, {}, [
    ['transcoding', 'transcodes, first bytes', measureFirstBytes],
    ['transcode-speed', 'transcodes, speed', measureRealtime],
    ['transcode-aborts', 'transcodes, broken off', measureAborts],
  ]);
  await onTranscoder(options, ONE_PLACE, [['transcode-workers', 'transcodes, workers', measureWorkers]]);
};

type TranscodeStep = (server: StandaloneProcess, songs: TranscodedSongs) => Promise<Measurement[]>;

interface LoadedServer {
  readonly server: StandaloneProcess;
  readonly songs: number;
  readonly events: number;
}

const load = async (options: RunOptions, songs: number): Promise<LoadedServer> => {
  const server = await startStandaloneProcess();
  try {
    const library = await loadLibrary(server, songs);
    await publish(options, `load ${formatCount(songs)} songs`, [
      { what: 'append', value: library.events / (library.appendMs / 1000), unit: 'events/s' },
      {
        what: 'append until readable',
        value: songs / (library.untilReadableMs / 1000),
        unit: 'songs/s',
        note: formatDuration(library.untilReadableMs),
      },
    ]);
    // A fresh start restores the registry of ids and gives every size the same caches to begin with.
    return { server: await server.restart(), songs, events: library.events };
  } catch (error) {
    await server.stop();
    throw error;
  }
};

const measureOne = async (options: RunOptions, { server, songs, events }: LoadedServer): Promise<void> => {
  const label = `${formatCount(songs)} songs`;
  await measure(options, 'large-page', `large page at ${label}`, () => measureLargePage(server));
  if (songs === options.sizes.at(-1)) {
    await measure(options, 'whole-list', `whole list at ${label}`, () => measureWholeList(server, songs));
    await measure(options, 'whole-list', `other whole lists at ${label}`, () => measureOtherFlows(server, songs));
  }
  if (songs === options.sizes.at(-1)) await measure(options, 'sync', `copies of ${label}`, () => measureSync(server, songs));
  if (songs === options.sizes[0]) await measure(options, 'commands', 'commands', () => measureCommands(server));
  await measure(options, 'plays', `plays at ${label}`, () => measurePlays(server, songs));
  if (songs === options.sizes.at(-1)) await measure(options, 'playlists', `playlists at ${label}`, () => measurePlaylists(server, songs));
  if (songs === options.sizes.at(-1)) await measure(options, 'people', `people at ${label}`, () => measurePeople(server, songs));
  await measure(options, 'projecting', `projecting ${label}`, () => measureProjecting(server, { events, songs }));
};

/** Loads every size into a server of its own; they then run side by side, so that sizes can be compared page by page. */
const runOnLibraries = async (options: RunOptions): Promise<void> => {
  if (
    !wants(
      options,
      'lists',
      'requests',
      'searches',
      'large-page',
      'whole-list',
      'sync',
      'commands',
      'plays',
      'playlists',
      'people',
      'projecting',
      'memory',
      'backup',
    )
  )
    return;
  const memorySize = options.sizes.includes(MEMORY_SONGS) ? MEMORY_SONGS : options.sizes.at(-1);
  const loaded: LoadedServer[] = [];
  try {
    for (const songs of options.sizes) {
      const one = await load(options, songs);
      loaded.push(one);
      if (songs === memorySize)
        await measure(options, 'memory', `memory at ${formatCount(songs)} songs`, () => measureIdleMemory(one.server));
    }
    await measure(options, 'lists', 'lists', async () => compareSizes(await measureLists(loaded)));
    await measure(options, 'requests', 'requests', () => measureRequestsBySize(loaded, options.peers.seconds));
    await measure(options, 'searches', 'searches', () => measureSearches(loaded));
    for (const one of loaded) await measureOne(options, one);
    // Servers end here: what is compared must not move.
    for (const { server, songs } of loaded)
      await measure(options, 'backup', `backup of ${formatCount(songs)} songs`, () => measureBackup(server, songs));
  } finally {
    for (const { server } of loaded) await server.stop();
  }
};

const runOnSearchIndexes = async (options: RunOptions): Promise<void> => {
  for (const songs of options.sizes)
    await measure(options, 'search-index', `search index at ${formatCount(songs)} songs`, () => measureSearchIndex(songs));
};

/** Tables of every size in this process, then the analysis on a server. */
const runOnSounds = async (options: RunOptions): Promise<void> => {
  if (!wants(options, 'sonic')) return;
  for (const songs of options.sizes)
    await measure(options, 'sonic', `sounds of ${formatCount(songs)} songs`, () => measureSoundTable(songs));
  const work = await mkdtemp(join(tmpdir(), 'continuo-bench-music-'));
  const removeWork = undoAtEnd(() => rm(work, { recursive: true, force: true }));
  try {
    const server = await startStandaloneProcess(ONE_SONIC_SLOT);
    try {
      await measure(options, 'sonic', 'sonic analysis', () => measureAnalysis(server, work));
    } finally {
      await server.stop();
    }
  } finally {
    await removeWork();
  }
};

/** Runs the stall cases over a library of the smallest size. */
const runOnStalls = async (options: RunOptions): Promise<void> => {
  if (!wants(options, 'stalls')) return;
  const server = await startStandaloneProcess(STALLS_SETTINGS);
  try {
    const songs = options.sizes[0] ?? 10_000;
    await loadLibrary(server, songs);
    await measure(options, 'stalls', `one bad request at a time, ${formatCount(songs)} songs`, () => measureStalls(server, songs));
    await measure(options, 'stalls', 'twenty clients at their worst', () => measureWorstAtOnce(server, songs));
  } finally {
    await server.stop();
  }
};

/** The web page over a library of the largest size, and over songs that can be heard. */
const runOnPage = async (options: RunOptions): Promise<void> => {
  if (!wants(options, 'page')) return;
  const server = await startStandaloneProcess(PAGE_SETTINGS);
  try {
    const songs = options.sizes.at(-1) ?? 10_000;
    await loadLibrary(server, songs);
    // Postgres analyses and vacuums the new tables meanwhile.
    await untilSettled(server.pid);
    await measure(options, 'page', `web page, ${formatCount(songs)} songs`, () => measurePage(server, songs, options.scroll));
  } finally {
    await server.stop();
  }
  const work = await mkdtemp(join(tmpdir(), 'continuo-bench-music-'));
  const removeWork = undoAtEnd(() => rm(work, { recursive: true, force: true }));
  const audible = await startStandaloneProcess(PAGE_SETTINGS);
  try {
    await measure(options, 'page', 'web page over files', () => measureOverFiles(audible, work, options.files));
  } finally {
    await audible.stop();
    await removeWork();
  }
};

/** Runs the wanted benchmarks, each on a standalone of its own that is gone afterwards. */
export const runBenchmarks = async (options: RunOptions): Promise<void> => {
  await runOnFiles(options);
  await runOnScans(options);
  await runOnTranscodes(options);
  await runOnSearchIndexes(options);
  await runOnSounds(options);
  await runOnLibraries(options);
  await runOnStalls(options);
  await runOnPage(options);
  if (wants(options, 'peers')) await comparePeers({ ...options, ...options.peers });
};
