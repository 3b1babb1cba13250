import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addCatalog } from '@continuo/contracts';
import { sql } from 'kysely';
import { noneOf, type Finding } from '../../checks/finding.js';
import { settled } from '../../checks/library-checks.js';
import { linkedCopy, makeMusic } from '../../disk/music.js';
import { scanToTheEnd, type ScanOutcome } from '../../scans/scan-driver.js';
import { until } from '../../until.js';
import { RetryingClient } from '../../writes/retrying-client.js';
import type { Fleet } from '../fleet.js';
import { Client } from './client.js';
import { readOn, streamOn } from './readers.js';
import { Listener, ListWriter, Rater, type AcknowledgedWrites } from './writers.js';

/** Accounts and size of the traffic. */
export interface TrafficOptions {
  readonly readers: number;
  /** Writers with a list of their own each; one who rates and one who listens come on top. */
  readonly writers: number;
  /** Media files of the library, and of each scan. */
  readonly files: number;
  /** Folder for all data of the run; emptied first. */
  readonly home: string;
  /** Folder that keeps generated media between runs. */
  readonly musicFolder: string;
}

const SEED = 7;
const READ_MEDIA = 6;
const SETTLE_MS = 120_000;

/** Everybody who uses the system meanwhile. */
export class Traffic {
  readonly client: Client;
  readonly #fleet: Fleet;
  readonly #books: readonly AcknowledgedWrites[];
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
    { songs, media, options }: { songs: readonly number[]; media: ReadonlyMap<number, Uint8Array>; options: TrafficOptions },
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
  static async start(fleet: Fleet, options: TrafficOptions): Promise<Traffic> {
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

  get acknowledgedWrites(): number {
    return this.#books.reduce((sum, { writes }) => sum + writes, 0);
  }

  /** Reads that did not show the write before them. */
  get readsBehindOwnWrite(): readonly string[] {
    return this.#lists.flatMap(({ stale }) => stale);
  }

  /** Each reader has to see what they wrote. */
  behindOwnWrites(): Finding {
    return noneOf('reads that did not show the write before them', this.readsBehindOwnWrite);
  }

  figures(): Readonly<Record<string, unknown>> {
    const { total, failed, counts, slowestMs } = this.client;
    return {
      requests: total,
      failed: failed.length,
      byKind: counts,
      slowestMs,
      readsBehindOwnWrite: this.readsBehindOwnWrite.length,
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
  async #scanOn({ musicFolder, files, home }: TrafficOptions, isOver: () => boolean): Promise<void> {
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
  const client = new RetryingClient(fleet.commands);
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
