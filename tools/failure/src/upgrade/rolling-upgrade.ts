import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { addCatalog, readModelVersions } from '@continuo/contracts';
import { sql } from 'kysely';
import { equal, noneOf, type Finding } from '../checks/finding.js';
import { checkDeadLetters, checkRebuild } from '../checks/rebuild.js';
import { checkAgainstLog, checkTables } from '../checks/tables.js';
import { settled } from '../checks/library-checks.js';
import { linkedCopy, makeMusic } from '../disk/music.js';
import { auditLibraryLog } from '../log/library-log.js';
import { readLog } from '../log/read-log.js';
import type { Report } from '../report/report.js';
import { scanToTheEnd, type ScanOutcome } from '../scans/scan-driver.js';
import { until } from '../until.js';
import { InsistentClient } from '../writes/insistent-client.js';
import type { Build } from './build.js';
import { Fleet, type Place, type Replacement } from './fleet.js';
import { Client } from './traffic/client.js';
import { readOn, streamOn } from './traffic/readers.js';
import { Listener, ListWriter, Rater, type Bookkeeper } from './traffic/writers.js';

/** How to run the scenario. */
export interface RollingUpgrade {
  /** The releases in turn: the first one is started, each further one replaces it replica by replica. */
  readonly builds: readonly [Build, ...Build[]];
  readonly readers: number;
  readonly writers: number;
  /** Media files of the library. */
  readonly files: number;
  /** Whether each service has two replicas; one each otherwise, and two gateways always. */
  readonly twice: boolean;
  /** Folder for all data of the run; emptied first. */
  readonly home: string;
  /** Folder that keeps generated media between runs. */
  readonly musicFolder: string;
  readonly say?: ((line: string) => void) | undefined;
}

const SEED = 7;
const READ_MEDIA = 6;
/** Traffic before, between and after the releases, ms. */
const REST_MS = 2000;
const SETTLE_MS = 120_000;

/** Services first, gateways last. */
const placesOf = (twice: boolean): readonly Place[] => {
  const behind = (['library', 'social', 'playback', 'ingestion'] as const).flatMap((service) =>
    (twice ? [1, 2] : [1]).map((number) => ({ name: `${service}-${number}`, service })),
  );
  return [...behind, { name: 'gateway-1', service: 'gateway' }, { name: 'gateway-2', service: 'gateway' }];
};

/**
 * Replaces every replica of a running system, one by one, from one release to the next, while people read, write, listen and scan through a balancer. No request may fail, nothing
 * acknowledged may be missing or there twice, and rebuilt tables must be equal.
 */
export const rollingUpgrade = async (options: RollingUpgrade): Promise<Report> => {
  const startedAt = Date.now();
  const { builds, say = () => undefined } = options;
  const [first, ...later] = builds;
  const fleet = await Fleet.start(options.home);
  try {
    const places = placesOf(options.twice);
    for (const place of places) await fleet.launch(place, first);
    await fleet.ready();
    const traffic = await Traffic.start(fleet, options);
    const replacements: Replacement[] = [];
    const replacing = replaceAll(fleet, { places, builds: later }, (replaced) => {
      replacements.push(replaced);
      say(lineOf(replaced, traffic));
    });
    const [fault] = await Promise.allSettled([replacing.then(() => delay(REST_MS))]);
    await traffic.stop();
    const broken = noneOf('replicas that were not replaced', fault?.status === 'rejected' ? [String(fault.reason)] : []);
    const findings = [broken, ...(await traffic.check()), ...(await checkFleet(fleet)), ...inOrder(replacements)];
    return {
      scenario: 'rolling-upgrade',
      seed: SEED,
      durationMs: Date.now() - startedAt,
      kills: [],
      findings,
      figures: { builds: builds.map(({ name }) => name), ...traffic.figures(), replacements, served: fleet.balancer.served },
      selfExits: fleet.selfExits(),
    };
  } finally {
    await fleet.stop();
  }
};

const replaceAll = async (
  fleet: Fleet,
  { places, builds }: { readonly places: readonly Place[]; readonly builds: readonly Build[] },
  onReplaced: (replaced: Replacement) => void,
): Promise<void> => {
  for (const build of builds) {
    await delay(REST_MS);
    for (const place of places) onReplaced(await fleet.replace(place, build));
  }
};

const lineOf = ({ place, build, readyMs, endMs }: Replacement, { client }: Traffic): string =>
  `${place} is ${build} after ${readyMs} ms, the one before ended in ${endMs} ms; ${client.total} requests, ${client.failed.length} failed`;

const inOrder = (replacements: readonly Replacement[]): Finding[] => [
  noneOf(
    'replicas that did not end in order',
    replacements.filter(({ exitCode }) => exitCode !== 0).map(({ place, build, exitCode }) => `${place} before ${build}: ${exitCode}`),
    `none of ${replacements.length}`,
  ),
];

/** Everybody who uses the system meanwhile. */
class Traffic {
  readonly client: Client;
  readonly #fleet: Fleet;
  readonly #books: readonly Bookkeeper[];
  readonly #lists: readonly ListWriter[];
  readonly #work: Promise<unknown>;
  #isOver = false;
  #scans = 0;
  #scannedFiles = 0;
  readonly #failedScans: string[] = [];
  #wrongMedia: string[] = [];

  private constructor(
    fleet: Fleet,
    client: Client,
    { songs, media, options }: { songs: readonly number[]; media: ReadonlyMap<number, Uint8Array>; options: RollingUpgrade },
  ) {
    this.#fleet = fleet;
    this.client = client;
    this.#lists = Array.from({ length: options.writers }, (_, number) => new ListWriter(client, songs, number));
    this.#books = [...this.#lists, new Rater(client, songs.slice(0, 20)), new Listener(client, songs)];
    const isOver = (): boolean => this.#isOver;
    const readers = Array.from({ length: options.readers }, (_, number) => readOn(client, number * 4, isOver));
    const streams = streamOn(client, media, isOver).then((wrong) => (this.#wrongMedia = wrong));
    this.#work = Promise.all([...this.#books.map((book) => book.run(isOver)), ...readers, streams, this.#scanOn(options, isOver)]);
    // Looked at when the traffic stops; nothing may be thrown before that.
    this.#work.catch(() => undefined);
  }

  /** Scans a library, then lets everybody begin. */
  static async start(fleet: Fleet, options: RollingUpgrade): Promise<Traffic> {
    const music = await makeMusic(options.musicFolder, options.files, SEED);
    const root = await linkedCopy(music, join(options.home, 'library'));
    await scanned(fleet, 'library', root);
    const { rows } = await sql<{ id: number; path: string }>`
      select s.id, case f.path when '' then '' else f.path || '/' end || s.file_name as path from library.song s join library.folder f on f.id = s.folder_id
      order by s.id`.execute(fleet.db);
    const media = new Map<number, Uint8Array>();
    for (const { id, path } of rows.slice(0, READ_MEDIA)) media.set(id, await readFile(join(root, path)));
    const client = new Client(fleet.balancer.url);
    return new Traffic(fleet, client, { songs: rows.map(({ id }) => id), media, options });
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#work;
  }

  figures(): Readonly<Record<string, unknown>> {
    const { total, failed, counts, slowestMs } = this.client;
    return {
      requests: total,
      failed: failed.length,
      byKind: counts,
      slowestMs,
      acknowledgedWrites: this.#books.reduce((sum, { writes }) => sum + writes, 0),
      readsBehindOwnWrite: this.#lists.reduce((sum, { stale }) => sum + stale, 0),
      scans: this.#scans,
      scannedFiles: this.#scannedFiles,
    };
  }

  async check(): Promise<Finding[]> {
    const { failed } = this.client;
    const findings = [
      noneOf(
        'failed requests',
        failed.map(({ atMs, what, why }) => `${(atMs / 1000).toFixed(1)} s ${what}: ${why}`),
        `none of ${this.client.total}`,
      ),
      noneOf('media that were other bytes', this.#wrongMedia),
      noneOf('scans that failed', this.#failedScans, `none of ${this.#scans}`),
    ];
    await allSettled(this.#fleet);
    for (const book of this.#books) findings.push(...(await book.check(this.#fleet.db)));
    return findings;
  }

  /** One catalog after the other, for as long as there is traffic. */
  async #scanOn({ musicFolder, files, home }: RollingUpgrade, isOver: () => boolean): Promise<void> {
    const music = await makeMusic(musicFolder, files, SEED);
    for (let number = 1; !isOver(); number += 1) {
      const { filesSeen, failedWith } = await scanned(
        this.#fleet,
        `scan ${number}`,
        await linkedCopy(music, join(home, 'scans', String(number))),
      );
      this.#scannedFiles += filesSeen;
      this.#failedScans.push(...failedWith);
      this.#scans += 1;
    }
  }
}

/** Adds a folder as a catalog and scans it to the end. */
const scanned = async (fleet: Fleet, name: string, root: string): Promise<ScanOutcome> => {
  const client = new InsistentClient(fleet.commands);
  const { catalogId } = await client.send(addCatalog, { name, path: root });
  return scanToTheEnd(client, fleet.db, catalogId);
};

/** Waits until every projection of the read model has read its whole log. */
const allSettled = (fleet: Fleet): Promise<void> =>
  until('every projection has read its log', SETTLE_MS, async () => {
    const { rows } = await sql<{ name: string; stream: string; position: number }>`
      select name, stream, position from chassis.projection_checkpoint where state = 'live'`.execute(fleet.db);
    for (const { name, stream } of rows) await settled(fleet, name, stream);
    return rows.length > 0;
  });

/** What must hold whatever was replaced. */
const checkFleet = async (fleet: Fleet): Promise<Finding[]> => {
  const findings = [
    ...(await checkTables(fleet.db)),
    ...(await checkAgainstLog(fleet.db, await auditLibraryLog(readLog(fleet.nats, 'EV_LIBRARY')))),
    await checkDeadLetters(fleet.nats),
  ];
  const { rows } = await sql<{ name: string }>`select name from chassis.projection_checkpoint where state = 'live' order by name`.execute(
    fleet.db,
  );
  for (const { name } of rows) {
    const finding = await checkRebuild(fleet.nats, name);
    findings.push({ ...finding, check: `${name}: ${finding.check}` });
  }
  const wanted = Object.keys(readModelVersions).filter((name) => !/^(?:sonic|transcoding)-/.test(name));
  return [...findings, equal('projections of the read model', rows.filter(({ name }) => wanted.includes(name)).length, wanted.length)];
};
