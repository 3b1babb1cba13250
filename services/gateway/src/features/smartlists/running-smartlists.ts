import { setTimeout as delay } from 'node:timers/promises';
import type { CommandClient } from '@continuo/chassis';
import { countSmartlist, Rejection, smartlistId, SYSTEM_ACTOR } from '@continuo/contracts';
import { LRUCache } from 'lru-cache';
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { ReadDatabase } from '../../reads/database/database.js';
import { IdList } from '../../reads/lists/id-list.js';
import type { PlaylistSums } from '../../reads/playlists/playlist-songs.reads.js';
import type { Viewer, VisibleCatalogs } from '../../reads/visibility/viewer.js';
import { runAs, type Searches, type SeenByAccount } from '../../search/index.js';
import { RandomPickCache } from './random-pick-cache.js';
import { firstArtOf, type SmartlistRecord } from './smartlist.reads.js';
import { atMost } from '../../server/at-most.js';

/** Dependencies of smartlists. */
export interface SmartlistDependencies {
  readonly db: ReadDatabase;
  readonly searches: Searches;
  readonly seenBy: SeenByAccount;
  readonly commands: CommandClient;
  readonly log: Logger;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Options of reading a smartlist's songs. */
export interface SongsWanted {
  /** In a random order, whatever the list says. */
  readonly random?: boolean;
  /** True for what goes on in a random list, such as a later page: it stays the choice that the viewer got last. */
  readonly isContinued?: boolean;
}

const NOTHING = new IdList(new Int32Array(0));
const NO_SUMS: PlaylistSums = { songCount: 0, durationMs: 0, artHash: null };
/** A page of lists waits for their sums no longer than this. */
const PATIENCE_MS = 400;
const AT_ONCE = 4;
const KEPT_SUMS = 10_000;
/** A list that could not be run is not tried again for its sums before this. */
const REFUSED_FOR_MS = 60_000;
/** Shortest interval in which the count of a list is stored. */
const NOTED_EVERY_MS = 60_000;
/** A list whose first so many songs have no picture has none. */
const SONGS_WITH_ART = 100;

const isSame = (one: VisibleCatalogs, other: VisibleCatalogs): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Runs the smartlists of one gateway. The caller has checked that the viewer may open them. */
export class RunningSmartlists {
  private readonly picks = new RandomPickCache();
  private readonly known = new LRUCache<string, PlaylistSums>(atMost(KEPT_SUMS));
  private readonly refused = new LRUCache<string, true>({ ...atMost(KEPT_SUMS), ttl: REFUSED_FOR_MS });
  private readonly noted = new LRUCache<number, number>(atMost(KEPT_SUMS));
  private readonly pictures = new WeakMap<IdList, Promise<string | null>>();
  private readonly durations = new WeakMap<IdList, Promise<number>>();

  constructor(private readonly parts: SmartlistDependencies) {}

  /**
   * The songs that the rules give at this moment, for the list's owner, among those that the viewer may see.
   * @throws Rejection `input.invalid` with the reason when the rules cannot be run, or not in time; `unavailable` when too many wait
   */
  async songs(list: SmartlistRecord, viewer: Viewer, { random = false, isContinued = false }: SongsWanted = {}): Promise<IdList> {
    const found = await this.run(list, viewer);
    if (!list.isRandom && !random) return found;
    const pick = this.pickOf(list, found, viewer);
    return isContinued ? this.picks.repeat(pick) : this.picks.pick(pick);
  }

  /** Returns count, duration and picture of some lists: current where they are quick to find, else the last known ones. */
  async sums(lists: readonly SmartlistRecord[], viewer: Viewer): Promise<ReadonlyMap<number, PlaylistSums>> {
    const sums = new Map<number, PlaylistSums>();
    const open = lists.filter((list) => !this.refused.has(this.keyOf(list, viewer)));
    const over = new AbortController();
    const work = async (): Promise<void> => {
      for (let list = open.shift(); list && !over.signal.aborted; list = open.shift()) {
        const summed = await this.summedUp(list, viewer);
        if (summed) sums.set(list.id, summed);
      }
    };
    const working = Promise.all(Array.from({ length: AT_ONCE }, work));
    // What is still being worked on when the time is over is there for whoever asks next.
    await Promise.race([working, delay(PATIENCE_MS, undefined, { ref: false })]);
    over.abort();
    const entries = await Promise.all(
      lists.map(async (list) => [list.id, sums.get(list.id) ?? (await this.asItWas(list, viewer))] as const),
    );
    return new Map(entries);
  }

  private async run(list: SmartlistRecord, viewer: Viewer): Promise<IdList> {
    // Every rule of it is one that is no more.
    if (list.rules.length === 0) return NOTHING;
    const owner = await this.ownerOf(list);
    const { rules, logic, isRandom, limit } = list;
    const search = { rules, logic, ...(isRandom ? { unordered: true } : { limit }) };
    return this.parts.searches.ids({ type: 'song', ...search }, runAs(list.ownerId, viewer, owner));
  }

  private async ownerOf({ ownerId }: SmartlistRecord): ReturnType<SeenByAccount> {
    return ownerId === null ? undefined : this.parts.seenBy(ownerId);
  }

  private pickOf(list: SmartlistRecord, from: IdList, viewer: Viewer) {
    return { of: `${list.id} ${list.revision}`, from, limit: list.isRandom ? list.limit : 0, viewer };
  }

  /** Undefined when the list cannot be run. */
  private async summedUp(list: SmartlistRecord, viewer: Viewer): Promise<PlaylistSums | undefined> {
    try {
      const found = await this.run(list, viewer);
      const isDrawn = list.isRandom && list.limit > 0 && list.limit < found.total;
      const songs = isDrawn ? this.picks.repeat(this.pickOf(list, found, viewer)) : found;
      const sums = {
        songCount: songs.total,
        durationMs: await this.durationOrLast(songs, list, viewer),
        artHash: await this.pictureOf(songs),
      };
      this.known.set(this.keyOf(list, viewer), sums);
      await this.note(list, viewer, sums);
      return sums;
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      // A busy server is none of the list's fault.
      if (error.code !== 'unavailable') this.refused.set(this.keyOf(list, viewer), true);
      return undefined;
    }
  }

  /** Returns this gateway's last sums, else the stored ones, unless they reveal what the viewer may not see. */
  private async asItWas(list: SmartlistRecord, viewer: Viewer): Promise<PlaylistSums> {
    const known = this.known.get(this.keyOf(list, viewer));
    if (known) return known;
    return (await this.seesAllOf(list, viewer)) ? { songCount: list.lastCount, durationMs: list.lastDurationMs, artHash: null } : NO_SUMS;
  }

  private async seesAllOf(list: SmartlistRecord, viewer: Viewer): Promise<boolean> {
    const owner = await this.ownerOf(list);
    return isSame(runAs(list.ownerId, viewer, owner).catalogs, owner?.catalogs ?? 'all');
  }

  /** Writes down what is in a list when it is another number than before. Nobody waits for it, and a number that is lost is found again. */
  private async note(list: SmartlistRecord, viewer: Viewer, { songCount, durationMs }: PlaylistSums): Promise<void> {
    if (songCount === list.lastCount && Math.round(durationMs) === list.lastDurationMs) return;
    const now = this.parts.now();
    if (now - (this.noted.get(list.id) ?? Number.NEGATIVE_INFINITY) < NOTED_EVERY_MS || !(await this.seesAllOf(list, viewer))) return;
    this.noted.set(list.id, now);
    const context = { actor: SYSTEM_ACTOR, correlationId: randomUUID(), causationId: 'gateway' };
    const counted = { smartlistId: smartlistId.parse(list.id), songCount, durationMs: Math.round(durationMs) };
    this.parts.commands
      .send(countSmartlist, counted, context)
      .catch((err: unknown) => this.parts.log.debug({ err, smartlistId: list.id }, 'failed to store the song count of a smartlist'));
  }

  /** Adding up a million songs takes longer than a page of lists may; what is at hand then is what was noted. */
  private async durationOrLast(songs: IdList, list: SmartlistRecord, viewer: Viewer): Promise<number> {
    try {
      return await this.durationOf(songs);
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      return (await this.seesAllOf(list, viewer)) ? list.lastDurationMs : 0;
    }
  }

  private pictureOf(songs: IdList): Promise<string | null> {
    return this.once(this.pictures, songs, () => firstArtOf(this.parts.db, songs.ids.subarray(0, SONGS_WITH_ART)));
  }

  private durationOf(songs: IdList): Promise<number> {
    return this.once(this.durations, songs, () => this.parts.searches.durationOf(songs));
  }

  private once<T>(kept: WeakMap<IdList, Promise<T>>, songs: IdList, read: () => Promise<T>): Promise<T> {
    const known = kept.get(songs);
    if (known) return known;
    const reading = read();
    kept.set(songs, reading);
    reading.catch(() => kept.delete(songs));
    return reading;
  }

  private keyOf(list: SmartlistRecord, viewer: Viewer): string {
    return JSON.stringify([list.id, list.revision, viewer.userId, viewer.catalogs]);
  }
}

/** Runs stored searches. */
export interface HasSmartlists {
  readonly smartlists: RunningSmartlists;
}
