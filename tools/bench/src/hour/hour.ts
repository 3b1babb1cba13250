import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startCluster, type Cluster } from '@continuo/failure';
import { generateFiles } from '@continuo/media-fixtures';
import { formatBytes, locateServer, openSession, readSettings, requestRebuild, type Session } from '@continuo/operations';
import { sql } from 'kysely';
import { undoAtEnd } from '../harness/clean-up.js';
import { newCatalog, scanCatalog } from '../harness/library.js';
import { machine } from '../measure/report.js';
import { Crowd } from './crowd.js';
import { populate } from './populate.js';
import { describeStretches, Stretches, type Stretch } from './stretches.js';
import { Times } from './times.js';

/** Size and length of the load. */
export interface HourOptions {
  readonly songs: number;
  readonly accounts: number;
  /** New files that are scanned meanwhile. */
  readonly files: number;
  /** Time without that of the scan and of the rebuild. */
  readonly minutes: number;
  readonly listeners: number;
  readonly browsers: number;
  readonly writers: number;
  /** Folder for the results as JSON. */
  readonly out: string;
  readonly print: (line: string) => void;
}

const SERVICES = ['gateway-1', 'library-1', 'social', 'ingestion', 'playback-1', 'transcoding-1', 'sonic'] as const;
const SETTINGS = {
  CONTINUO_ADMIN_USER: 'operator',
  CONTINUO_ADMIN_PASSWORD: 'the password of the bench',
  LOG_LEVEL: 'warn',
  TRANSCODE_SLOTS: '0',
};
const MINUTE_MS = 60_000;

/** Lets the crowd use the server for as long as is wanted, and does the two large works of an operator meanwhile. */
const spendTime = async (
  session: Session,
  crowd: Crowd,
  stretches: Stretches,
  { minutes, newFiles }: { readonly minutes: number; readonly newFiles: string },
): Promise<void> => {
  const aThird = () => delay((minutes * MINUTE_MS) / 3);
  crowd.begin();
  try {
    await stretches.during('listening', aThird);
    const catalogId = await newCatalog(session, 'New', newFiles);
    await stretches.during('a scan', () => scanCatalog(session, catalogId));
    await stretches.during('after the scan', aThird);
    await stretches.during('a rebuild', () => requestRebuild(session, 'library-catalogue', { mode: 'verify' }));
    await stretches.during('after the rebuild', aThird);
  } finally {
    await crowd.end();
    await stretches.end();
  }
};

/** Sentences about what was confirmed and is not there, and about services that ended by themselves. */
const problems = async (cluster: Cluster, crowd: Crowd, plays: number): Promise<string[]> => {
  const { confirmed, unsure } = crowd.plays;
  const isRight = plays >= confirmed && plays <= confirmed + unsure;
  return [
    ...(await crowd.lost()),
    ...(isRight ? [] : [`${confirmed} plays were confirmed, of ${unsure} nobody knows, ${plays} are there`]),
    ...cluster.selfExits().map(({ name, code, signal }) => `${name} ended by itself: ${code ?? signal}`),
  ];
};

const report = async (
  { print, out, ...options }: HourOptions,
  times: Times,
  stretches: readonly Stretch[],
  outcome: { readonly plays: number; readonly databaseBytes: number; readonly logBytes: number; readonly problems: readonly string[] },
): Promise<void> => {
  for (const table of [times.describe(), ...describeStretches(stretches)]) print(`${table}\n`);
  for (const [label, reasons] of times.failures) print(`${label}: ${reasons.length} failed, the first: ${reasons[0]}`);
  const { plays, databaseBytes, logBytes, problems: wrong } = outcome;
  print(`${plays} plays; Postgres ${formatBytes(databaseBytes)}; NATS ${formatBytes(logBytes)}; ${wrong.length} problems`);
  await mkdir(out, { recursive: true });
  const figures = { machine: machine(), options, times: times.summaries(), failures: [...times.failures], stretches, ...outcome };
  await writeFile(join(out, 'hour.json'), `${JSON.stringify(figures, null, 2)}\n`);
};

/**
 * Runs all services, each in a process of its own, with a large library and a crowd that uses it; meanwhile new files are scanned and the catalogue is filled anew beside the live one.
 * Prints times by operation, use by process, and what was lost.
 * @throws Error when something does not start, or what was confirmed is not there
 */
export const measureHour = async (options: HourOptions): Promise<void> => {
  const { songs, accounts, files, minutes, listeners, browsers, writers, print } = options;
  const home = await mkdtemp(join(tmpdir(), 'continuo-hour-'));
  const removeHome = undoAtEnd(() => rm(home, { recursive: true, force: true }));
  const newFiles = join(home, 'new');
  await mkdir(newFiles);
  await generateFiles({ out: newFiles, count: files, formats: ['mp3', 'flac', 'opus'], seed: 3, flat: false });
  const cluster = await startCluster({ home: join(home, 'cluster'), services: SERVICES, settings: SETTINGS });
  const stopCluster = undoAtEnd(() => cluster.stop());
  const session = await openSession(await locateServer(readSettings({ ...cluster.addresses })));
  try {
    const population = { songs, accounts, keys: listeners + browsers + writers };
    const there = await populate({ cluster, session, home, print }, population);
    const times = new Times();
    const crowd = new Crowd({ ...there, url: cluster.gatewayUrl('gateway-1'), listeners, browsers }, times);
    const watched = [...SERVICES, 'nats' as const, 'postgres' as const].map((name) => ({ name, pid: cluster.part(name).pid }));
    const stretches = new Stretches(session, watched, times, print);
    await spendTime(session, crowd, stretches, { minutes, newFiles });

    const { rows } = await sql<{ plays: number; databaseBytes: number }>`
      select coalesce(sum(play_count), 0)::int as plays, pg_database_size(current_database()) as "databaseBytes"
      from playback.user_song_plays`.execute(session.db);
    const { plays = 0, databaseBytes = 0 } = rows[0] ?? {};
    const { storage: logBytes } = await session.manager.getAccountInfo();
    const wrong = await problems(cluster, crowd, plays);
    await report(options, times, await stretches.end(), { plays, databaseBytes, logBytes, problems: wrong });
    if (wrong.length > 0) throw new Error(wrong.join('\n'));
  } finally {
    await session.close();
    await stopCluster();
    await removeHome();
  }
};
