import { setImmediate as nextTurn } from 'node:timers/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { startSonicRun } from '@continuo/contracts';
import { formatCount } from '@continuo/operations';
import { packSound, soundPath, SoundTable, type PackedSound } from '@continuo/sonic';
import { setTimeout as delay } from 'node:timers/promises';
import { makeNoise, type Random, randomFor } from '@continuo/media-fixtures';
import { newCatalog, scanCatalog } from '../harness/library.js';
import type { StandaloneProcess } from '../harness/standalone-process.js';
import { withCpu } from '../measure/memory.js';
import type { Measurement } from '../measure/report.js';
import { summarise, type Summary } from '../measure/stats.js';

/** Of the plug-in that comes with the server. */
const DIMENSIONS = 64;
/** Kinds of music, each around a middle of its own. */
const KINDS = 300;
const QUESTIONS = 200;
const WANTED = 50;
const PATHS = 20;
const PATH_SONGS = 25;
/** Questions whose answers are compared with the true ones. */
const COMPARED = 40;
const QUERY_BUDGET_MS = 50;
const MIB = 1024 ** 2;
const POLL_MS = 250;

/** Settings of a server that analyses when it is told to, one song at a time. */
export const ONE_SONIC_SLOT = { PLUGINS: 'sonic', SONIC_SLOTS: '1', SONIC_LOOK_MINUTES: '0' } as const;
const ANALYSED = { count: 40, seconds: 180 } as const;

/** About normal, from -3 to 3. */
const spread = (random: Random): number => (random.next() + random.next() + random.next() - 1.5) * 2;

const vectorsOf = (random: Random): (() => Float32Array) => {
  const middles = Array.from({ length: KINDS }, () => Float32Array.from({ length: DIMENSIONS }, () => spread(random)));
  return () => random.pick(middles).map((value) => value + spread(random) * 0.7);
};

const filled = (songs: number, next: () => Float32Array): { readonly table: SoundTable; readonly fillMs: number } => {
  const table = new SoundTable(DIMENSIONS);
  let fillMs = 0;
  for (let songId = 1; songId <= songs; songId += 1) {
    const sound: PackedSound = packSound(next());
    const started = performance.now();
    table.set(songId, 1 + (songId % 10), sound);
    fillMs += performance.now() - started;
  }
  return { table, fillMs };
};

const timesOf = (vectors: readonly Float32Array[], ask: (vector: Float32Array) => unknown): Summary =>
  summarise(
    vectors.map((vector) => {
      const started = performance.now();
      ask(vector);
      return performance.now() - started;
    }),
  );

const nearest = (table: SoundTable, vector: Float32Array): Set<number> =>
  new Set(table.nearest(vector, { count: WANTED, catalogs: 'all' }).map(({ songId }) => songId));

/** The longest that others had to wait for their turn while the table was arranged, ms. */
const arrange = async (table: SoundTable): Promise<{ readonly tookMs: number; readonly longestMs: number }> => {
  const started = performance.now();
  let [last, longestMs] = [started, 0];
  await table.arrange(async () => {
    longestMs = Math.max(longestMs, performance.now() - last);
    await nextTurn();
    last = performance.now();
  });
  return { tookMs: performance.now() - started, longestMs };
};

/** Questions to a table in memory, as the sonic service has it, at one size. */
export const measureSoundTable = async (songs: number): Promise<Measurement[]> => {
  const random = randomFor(1, `sounds ${songs}`);
  const next = vectorsOf(random);
  const { table, fillMs } = filled(songs, next);
  const asked = Array.from({ length: QUESTIONS }, next);
  // Before it is arranged every row is looked at: the answers are the true ones.
  const truth = asked.slice(0, COMPARED).map((vector) => nearest(table, vector));
  const whole = timesOf(asked.slice(0, COMPARED), (vector) => nearest(table, vector));
  const { tookMs, longestMs } = await arrange(table);
  const times = timesOf(asked, (vector) => nearest(table, vector));
  const oneOfTen = timesOf(asked, (vector) => table.nearest(vector, { count: WANTED, catalogs: [3] }));
  const hits = truth.reduce(
    (sum, wanted, n) => sum + [...nearest(table, asked[n] as Float32Array)].filter((id) => wanted.has(id)).length,
    0,
  );
  const paths: number[] = [];
  for (let n = 0; n < PATHS; n += 1) {
    const started = performance.now();
    const ends = { fromSongId: 1 + random.below(songs), toSongId: 1 + random.below(songs) };
    await soundPath(table, { ...ends, count: PATH_SONGS, catalogs: 'all' }, nextTurn);
    paths.push(performance.now() - started);
  }
  return [
    {
      what: 'memory of the table',
      value: table.sizeBytes / MIB,
      unit: 'MiB',
      note: `${(table.sizeBytes / songs).toFixed(0)} bytes a song`,
    },
    { what: 'filling', value: fillMs, unit: 'ms' },
    { what: 'arranging', value: tookMs, unit: 'ms', note: `others waited ${longestMs.toFixed(1)} ms at most` },
    { what: 'question, every row, p50', value: whole.p50, unit: 'ms' },
    { what: 'question, p50', value: times.p50, unit: 'ms' },
    { what: 'question, p99', value: times.p99, unit: 'ms', budget: { atMost: QUERY_BUDGET_MS } },
    { what: 'question for one catalog of ten, p99', value: oneOfTen.p99, unit: 'ms', budget: { atMost: QUERY_BUDGET_MS } },
    { what: 'true ones among the found', value: (hits / (COMPARED * WANTED)) * 100, unit: '%', budget: { atLeast: 90 } },
    { what: `way of ${PATH_SONGS} songs, p50`, value: summarise(paths).p50, unit: 'ms' },
  ];
};

/** Measures the sonic analysis of songs, one at a time. */
export const measureAnalysis = async (server: StandaloneProcess, workFolder: string): Promise<Measurement[]> => {
  const { session, pid } = server;
  const folder = join(workFolder, 'sonic');
  const names = Array.from({ length: ANALYSED.count }, (_, n) => `song ${String(n + 1).padStart(2, '0')}`);
  await makeNoise(folder, names, ANALYSED.seconds);
  await scanCatalog(session, await newCatalog(session, 'Sonic', folder));
  const run = async (again: boolean): Promise<number> => {
    const started = performance.now();
    const { result } = await session.commands.send(startSonicRun, { again }, session.context());
    for (;;) {
      const row = await session.db.selectFrom('sonic.run').select('state').where('id', '=', result.runId).executeTakeFirst();
      if (row?.state === 'finished') return performance.now() - started;
      await delay(POLL_MS);
    }
  };
  const { result: tookMs, cpuMs } = await withCpu(pid, () => run(false));
  const knownMs = await run(false);
  const note = `${formatCount(ANALYSED.count)} FLAC files of ${ANALYSED.seconds} s, on ${cpus().length} cores`;
  return [
    { what: 'songs analysed', value: ANALYSED.count / (tookMs / 1000), unit: 'songs/s', note },
    {
      what: 'songs analysed per core',
      value: ANALYSED.count / (cpuMs / 1000),
      unit: 'songs/s',
      note: 'by processor time, ffmpeg included',
    },
    { what: 'looking at them again', value: ANALYSED.count / (knownMs / 1000), unit: 'songs/s' },
  ];
};
