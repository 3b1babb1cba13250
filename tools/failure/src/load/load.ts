import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { addCatalog, type CatalogId } from '@continuo/contracts';
import type { Finding } from '../checks/finding.js';
import { checkLibrary, settled } from '../checks/library-checks.js';
import { songsOf } from '../checks/tables.js';
import type { Cluster } from '../cluster/cluster.js';
import { Listener } from '../plays/listener.js';
import { checkPlays, countsInTables, PLAYS } from '../plays/play-checks.js';
import { PlayLedger } from '../plays/play-ledger.js';
import { seededRandom } from '../random/seeded-random.js';
import { retryUntil, until } from '../until.js';
import { CatalogAdder } from '../writes/catalog-adder.js';
import { RetryingClient } from '../writes/retrying-client.js';
import { Ledger } from '../writes/ledger.js';
import { Writer } from '../writes/writer.js';

/** Size of the load. */
export interface LoadSize {
  readonly home: string;
  readonly seed: number;
  /** Those that write folders and catalogs. */
  readonly writers: number;
  /** Those that play; none without the playback service. */
  readonly listeners: number;
}

/** Outcome of the request. */
export interface LoadOutcome {
  readonly findings: readonly Finding[];
  /** Commands that were acknowledged. */
  readonly writes: number;
  readonly lost: number;
  readonly doubled: number;
  /** Longest time in which nobody was acknowledged anything, ms. */
  readonly gapMs: number;
  /** Answers that asked to come again, by code. */
  readonly refusals: Readonly<Record<string, number>>;
}

const SHARED_ACCOUNTS = 10_000;
const LOOK_MS = 120_000;
const BEGUN_MS = 60_000;

/** Writers and listeners at work, with their own account of everything that was acknowledged to them. */
export class Load {
  readonly client: RetryingClient;
  readonly #cluster: Cluster;
  readonly #ledger = new Ledger();
  readonly #plays: PlayLedger | undefined;
  readonly #catalogId: CatalogId;
  readonly #adder: CatalogAdder;
  #work: Promise<unknown> = Promise.resolve();
  #fault: unknown;
  #isOver = false;

  private constructor(cluster: Cluster, client: RetryingClient, made: { catalogId: CatalogId; adder: CatalogAdder; hears: boolean }) {
    this.#cluster = cluster;
    this.client = client;
    this.#catalogId = made.catalogId;
    this.#adder = made.adder;
    this.#plays = made.hears ? new PlayLedger() : undefined;
  }

  /** Begins, and returns when something has been acknowledged. */
  static async start(cluster: Cluster, size: LoadSize): Promise<Load> {
    const client = new RetryingClient(cluster.commands);
    const [written, catalogs] = [join(size.home, 'written'), join(size.home, 'catalogs')];
    await mkdir(written, { recursive: true });
    await mkdir(catalogs, { recursive: true });
    const { catalogId } = await client.send(addCatalog, { name: 'written', path: written });
    const adder = new CatalogAdder(client, catalogs);
    const load = new Load(cluster, client, { catalogId, adder, hears: size.listeners > 0 });
    load.#begin(size);
    await load.more(5, BEGUN_MS);
    return load;
  }

  /** Returns when so many further commands have been acknowledged. @throws Error when they are not in time, or somebody was refused for good */
  async more(count: number, withinMs: number): Promise<void> {
    const wanted = this.client.acknowledged + count;
    await until(`${count} more acknowledged commands`, withinMs, () =>
      Promise.resolve(this.#fault !== undefined || this.client.acknowledged >= wanted),
    );
    if (this.#fault !== undefined) throw new Error('somebody was refused for good', { cause: this.#fault });
  }

  /** Ends the work; what is begun is finished. */
  async finish(): Promise<void> {
    this.#isOver = true;
    await this.#work;
    if (this.#fault !== undefined) throw new Error('somebody was refused for good', { cause: this.#fault });
  }

  /** Holds the account against logs, tables and a rebuild. Call it when the work has ended and everything is up. */
  async check(): Promise<LoadOutcome> {
    const cluster = this.#cluster;
    await settled(cluster);
    const songs = await retryUntil('the songs', LOOK_MS, () => songsOf(cluster.db, this.#catalogId));
    const findings = [...this.#ledger.check(songs), ...(await this.#adder.check(cluster.db)), ...(await checkLibrary(cluster))];
    const tally = this.#ledger.tally(songs);
    let [lost, doubled] = [tally.lost, tally.doubled];
    if (this.#plays) {
      await settled(cluster, PLAYS.projection, PLAYS.stream);
      const counts = await countsInTables(cluster.db);
      findings.push(...this.#plays.check(counts), ...(await checkPlays(cluster)));
      const played = this.#plays.tally(counts);
      lost += played.lost;
      doubled += played.doubled;
    }
    const { acknowledged: writes, longestGapMs: gapMs, refusals } = this.client;
    return { findings, writes, lost, doubled, gapMs, refusals };
  }

  #begin({ writers, listeners, seed }: LoadSize): void {
    const isOver = (): boolean => this.#isOver || this.#fault !== undefined;
    const tools = { client: this.client, ledger: this.#ledger, db: this.#cluster.db, catalogId: this.#catalogId };
    const work = [
      ...Array.from({ length: writers }, (_, number) => new Writer(tools, number).run(isOver)),
      this.#adder.run(isOver),
      ...Array.from({ length: listeners }, (_, number) => this.#listener(number, seed).run(isOver)),
    ];
    for (const one of work) one.catch((error: unknown) => (this.#fault ??= error));
    this.#work = Promise.allSettled(work);
  }

  #listener(number: number, seed: number): Listener {
    const random = seededRandom(seed * 1000 + number);
    const tools = { client: this.client, ledger: this.#plays as PlayLedger, commands: this.#cluster.commands, random };
    return new Listener(tools, { own: 1 + number, shared: SHARED_ACCOUNTS + Math.floor(number / 2) });
  }
}
