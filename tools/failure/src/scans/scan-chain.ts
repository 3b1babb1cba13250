import { join } from 'node:path';
import { addCatalog, type CatalogId } from '@continuo/contracts';
import { libraryPosition, settled } from '../checks/library-checks.js';
import { songsOf, type SongSeen } from '../checks/tables.js';
import type { Cluster } from '../cluster/cluster.js';
import { alter, type Alterations } from '../disk/alter.js';
import { linkedCopy, mediaFiles, type MediaFile } from '../disk/music.js';
import type { SeededRandom } from '../random/seeded-random.js';
import { retryUntil, until } from '../until.js';
import type { RetryingClient } from '../writes/retrying-client.js';
import { scanState, scanToTheEnd, type ScanOutcome } from './scan-driver.js';

/** A catalog that was scanned, and what its tables must show. */
export interface ScannedFolder {
  readonly catalogId: CatalogId;
  readonly root: string;
  readonly files: readonly MediaFile[];
  /** Set when the folder was changed and scanned again. */
  readonly altered?: {
    readonly songsBefore: readonly SongSeen[];
    /** Old path by new path of what was moved. */
    readonly origins: ReadonlyMap<string, string>;
    readonly done: Alterations;
  };
}

/** Dependencies of {@link ScanChain}. */
export interface ScanChainDependencies {
  readonly cluster: Cluster;
  readonly client: RetryingClient;
  /** Folder that every catalog is a copy of. */
  readonly music: string;
  readonly home: string;
  readonly random: SeededRandom;
}

const LOOK_MS = 90_000;
/** A worker that was killed is missed after its acknowledgement time only. */
const BUSY_MS = 180_000;

/** One scan after the other: of a new catalog, of the same catalog after it was altered, of a new catalog, and so on. */
export class ScanChain {
  readonly #tools: ScanChainDependencies;
  readonly #catalogs: ScannedFolder[] = [];
  readonly #outcomes: ScanOutcome[] = [];
  #current: { readonly catalogId: CatalogId; readonly scan: Promise<void> } | undefined;
  #fault: Error | undefined;

  constructor(tools: ScanChainDependencies) {
    this.#tools = tools;
  }

  /**
   * Returns when a scan is writing to the log, the next one when the last is over: after a kill of its worker it rests for a while, and a kill
   * in that time would meet nothing. @throws Error when a scan could not be brought to an end
   */
  async busy(): Promise<void> {
    let position = Number.POSITIVE_INFINITY;
    await until('a scan is at work', BUSY_MS, async () => {
      if (this.#fault) return true;
      this.#current ??= await this.#begin();
      const before = position;
      position = await libraryPosition(this.#tools.cluster);
      return position > before && (await scanState(this.#tools.cluster.db, this.#current.catalogId)).isRunning;
    });
    if (this.#fault) throw this.#fault;
  }

  /** The scan that is at work at this moment. */
  async interrupted(): Promise<string | undefined> {
    const current = this.#current;
    if (!current) return undefined;
    const look = () => scanState(this.#tools.cluster.db, current.catalogId);
    const { isRunning, songsShown } = await retryUntil('the state of the scan', LOOK_MS, look);
    const kind = this.#catalogs.at(-1)?.altered ? 'second scan' : 'scan';
    return isRunning ? `${kind} of catalog ${current.catalogId}, ${songsShown} songs shown` : undefined;
  }

  /** Waits for the last scan. */
  async finish(): Promise<{ catalogs: readonly ScannedFolder[]; outcomes: readonly ScanOutcome[] }> {
    await this.#current?.scan;
    if (this.#fault) throw this.#fault;
    return { catalogs: this.#catalogs, outcomes: this.#outcomes };
  }

  async #begin(): Promise<{ catalogId: CatalogId; scan: Promise<void> }> {
    const last = this.#catalogs.at(-1);
    const { catalogId } = last && !last.altered ? await this.#alter(last) : await this.#add();
    return { catalogId, scan: this.#scan(catalogId) };
  }

  async #add(): Promise<ScannedFolder> {
    const { client, music, home } = this.#tools;
    const name = `copy ${this.#catalogs.length + 1}`;
    const root = await linkedCopy(music, join(home, 'catalogs', name));
    const { catalogId } = await client.send(addCatalog, { name, path: root });
    const added = { catalogId, root, files: await mediaFiles(root) };
    this.#catalogs.push(added);
    return added;
  }

  async #alter(last: ScannedFolder): Promise<ScannedFolder> {
    const { cluster, random } = this.#tools;
    await settled(cluster);
    const songsBefore = await retryUntil('the songs before the alteration', LOOK_MS, () => songsOf(cluster.db, last.catalogId));
    const { files, origins, done } = await alter(last.root, random);
    const altered = { ...last, files, altered: { songsBefore, origins, done } };
    this.#catalogs[this.#catalogs.length - 1] = altered;
    return altered;
  }

  async #scan(catalogId: CatalogId): Promise<void> {
    try {
      this.#outcomes.push(await scanToTheEnd(this.#tools.client, this.#tools.cluster.db, catalogId));
    } catch (error) {
      this.#fault = error instanceof Error ? error : new Error(String(error));
    }
    this.#current = undefined;
  }
}
