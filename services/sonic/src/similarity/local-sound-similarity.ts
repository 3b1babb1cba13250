import { setImmediate as nextTurn } from 'node:timers/promises';
import { projectedSubject, type ReadModel, type SonicMatch } from '@continuo/contracts';
import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { similarityAt, usualDistance } from '../neighbours/similarity.js';
import {
  lastSoundPosition,
  presentSongs,
  songPlaces,
  soundsAfterPosition,
  soundsAfterSong,
  type SoundRow,
} from '../neighbours/sound-rows.reads.js';
import { SoundTable } from '../neighbours/sound-table.js';
import { libraryChangeState } from '../run/part-songs.reads.js';
import { songsProjection } from '../song/songs.projection.js';
import { signed } from '../sound/packed-vector.js';
import { soundPath } from './sound-path.js';
import type { Sounds, SoundScope } from './sounds.js';

/** Dependencies of {@link LocalSoundSimilarity}. */
export interface LocalSoundSimilarityDependencies {
  readonly db: Kysely<ReadModel>;
  readonly nats: NatsConnection;
  readonly log: Logger;
  readonly model: string;
  readonly dimensions: number;
  /** Told of the number of songs and the bytes that they take, whenever that changes. */
  readonly sized: (songs: number, sizeBytes: number) => void;
}

const ROWS_PER_PAGE = 10_000;
/** Notices come by the second while songs are analysed; they are followed this long after the first. */
const FOLLOW_AFTER_MS = 300;
/** Notices may be lost, and songs go or move to other catalogs: looked at so often. */
const LOOK_MS = 30_000;
/** After something could not be read. */
const RETRY_MS = 2000;
/** An answer is looked at in the library; songs that have gone are asked for again this many times. */
const MOST_TRIES = 4;
/** Asked for beyond what is wanted, since some may have gone. */
const SPARE = 8;

/**
 * Sound vectors of all songs in memory, kept current with the table. Answers are checked against the library at that moment: songs that have gone, or lie in
 * catalogs that the caller may not see, are never among it.
 */
export class LocalSoundSimilarity implements Sounds {
  readonly #deps: LocalSoundSimilarityDependencies;
  readonly #table: SoundTable;
  readonly #stopped = new AbortController();
  #subscription: Subscription | undefined;
  #timer: NodeJS.Timeout | undefined;
  #reading: Promise<void> = Promise.resolve();
  #dueAtMs = Number.POSITIVE_INFINITY;
  #isLoaded = false;
  #position = 0;
  #libraryVersion = -1;
  #usual = 1;
  #usualAt = 0;

  constructor(deps: LocalSoundSimilarityDependencies) {
    this.#deps = deps;
    this.#table = new SoundTable(deps.dimensions);
  }

  get size(): number {
    return this.#table.size;
  }

  /** Reads the table, which takes some seconds for a million songs, and follows it. Nobody waits for that: what is asked meanwhile is answered from what is there. */
  start(): void {
    this.#subscription = this.#deps.nats.subscribe(projectedSubject(songsProjection.name), {
      callback: () => this.#soon(FOLLOW_AFTER_MS),
    });
    this.#soon(0);
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    clearTimeout(this.#timer);
    this.#subscription?.unsubscribe();
    await this.#reading;
  }

  async similar(songId: number, scope: SoundScope): Promise<readonly SonicMatch[] | undefined> {
    const vector = await this.#vectorOf(songId, scope);
    if (!vector) return undefined;
    if (scope.count === 0) return [];
    const without = new Set([songId]);
    for (let tries = 1; ; tries += 1) {
      const near = this.#table.nearest(vector, { count: scope.count + SPARE, catalogs: scope.catalogs, without });
      const here = await this.#here(
        near.map((one) => one.songId),
        scope,
      );
      // Those that had gone are gone from the table now, too.
      const isEnough = here.size === near.length || here.size >= scope.count || tries === MOST_TRIES;
      if (!isEnough) continue;
      const found = near.filter((one) => here.has(one.songId)).slice(0, scope.count);
      return found.map((one) => ({ songId: one.songId, similarity: similarityAt(one.distance, this.#usual) }));
    }
  }

  async path(fromSongId: number, toSongId: number, scope: SoundScope): Promise<readonly SonicMatch[] | undefined> {
    const start = await this.#vectorOf(fromSongId, scope);
    if (!start || !(await this.#vectorOf(toSongId, scope))) return undefined;
    for (let tries = 1; ; tries += 1) {
      const way = await soundPath(this.#table, { fromSongId, toSongId, ...scope }, nextTurn);
      const here = await this.#here(way, scope);
      if (here.size < way.length && tries < MOST_TRIES) continue;
      return way
        .filter((songId) => here.has(songId))
        .map((songId) => ({ songId, similarity: similarityAt(this.#table.distanceOf(songId, start) ?? 0, this.#usual) }));
    }
  }

  /** The vector of a song that the caller may see. */
  async #vectorOf(songId: number, scope: SoundScope): Promise<Float32Array | undefined> {
    if (!this.#table.has(songId)) return undefined;
    return (await this.#here([songId], scope)).has(songId) ? this.#table.vectorOf(songId) : undefined;
  }

  /** Those of some songs that are there for the caller; what the table believes of the others is put right. */
  async #here(songIds: readonly number[], { catalogs }: SoundScope): Promise<ReadonlySet<number>> {
    const present = await presentSongs(this.#deps.db, songIds);
    const here = new Set<number>();
    for (const songId of songIds) {
      const catalogId = present.get(songId);
      if (catalogId === undefined) this.#table.delete(songId);
      else this.#table.move(songId, catalogId);
      if (catalogId !== undefined && (catalogs === 'all' || catalogs.includes(catalogId))) here.add(songId);
    }
    return here;
  }

  #soon(afterMs: number): void {
    const dueAtMs = performance.now() + afterMs;
    // Notices that come faster than they are followed do not put it off.
    if (this.#stopped.signal.aborted || this.#dueAtMs <= dueAtMs) return;
    clearTimeout(this.#timer);
    this.#dueAtMs = dueAtMs;
    this.#timer = setTimeout(() => {
      this.#dueAtMs = Number.POSITIVE_INFINITY;
      this.#reading = this.#reading.then(() => this.#read());
    }, afterMs);
    this.#timer.unref();
  }

  async #read(): Promise<void> {
    if (this.#stopped.signal.aborted) return;
    try {
      if (this.#isLoaded) await this.#follow();
      else await this.#load();
      await this.#replace();
      await this.#table.arrange(nextTurn);
      this.#measure();
      this.#soon(LOOK_MS);
    } catch (err) {
      // Right after the first start of all services the library has no tables yet.
      this.#deps.log[this.#isLoaded ? 'warn' : 'debug']({ err }, 'the table of sounds cannot be read');
      this.#soon(RETRY_MS);
    }
  }

  async #load(): Promise<void> {
    const { db, model, log } = this.#deps;
    const startedAtMs = performance.now();
    const position = await lastSoundPosition(db);
    for (let after = 0; ;) {
      const rows = await soundsAfterSong(db, model, after, ROWS_PER_PAGE);
      for (const row of rows) this.#take(row);
      this.#stopped.signal.throwIfAborted();
      const last = rows.at(-1);
      if (!last || rows.length < ROWS_PER_PAGE) break;
      after = last.songId;
    }
    this.#position = position;
    this.#isLoaded = true;
    if (this.size > 0)
      log.info({ songs: this.size, durationMs: Math.round(performance.now() - startedAtMs) }, 'sound vectors loaded into memory');
  }

  /** Reads the rows that were written since. */
  async #follow(): Promise<void> {
    for (;;) {
      const rows = await soundsAfterPosition(this.#deps.db, this.#position, ROWS_PER_PAGE);
      for (const row of rows) this.#take(row);
      this.#position = rows.at(-1)?.position ?? this.#position;
      if (rows.length < ROWS_PER_PAGE) return;
      this.#stopped.signal.throwIfAborted();
    }
  }

  #take({ songId, catalogId, scale, vector, model }: SoundRow): void {
    const isOurs = model === this.#deps.model && vector?.length === this.#deps.dimensions && scale !== null;
    if (isOurs) this.#table.set(songId, catalogId, { scale, bytes: signed(vector) });
    else this.#table.delete(songId);
  }

  /** Looks where all songs are, when the library's songs have changed. */
  async #replace(): Promise<void> {
    const { db, model } = this.#deps;
    const { version } = await libraryChangeState(db);
    if (version === this.#libraryVersion) return;
    const seen = new Uint8Array(this.#table.highestSongId + 1);
    for (let after = 0; ;) {
      const rows = await songPlaces(db, model, after, ROWS_PER_PAGE);
      for (const { songId, catalogId } of rows) {
        seen[songId] = 1;
        this.#table.move(songId, catalogId);
        // It was gone for a while, and is back with the same file.
        if (!this.#table.has(songId)) this.#isLoaded = false;
      }
      this.#stopped.signal.throwIfAborted();
      const last = rows.at(-1);
      if (!last || rows.length < ROWS_PER_PAGE) break;
      after = last.songId;
    }
    for (const songId of this.#table.songIds()) if (seen[songId] !== 1) this.#table.delete(songId);
    if (!this.#isLoaded) await this.#load();
    this.#libraryVersion = version;
  }

  /** Measures the usual distance again when the table has grown or shrunk by a tenth. */
  #measure(): void {
    const { size } = this.#table;
    this.#deps.sized(size, this.#table.sizeBytes);
    if (Math.abs(size - this.#usualAt) <= this.#usualAt / 10) return;
    this.#usual = usualDistance(this.#table, [...this.#table.songIds()]);
    this.#usualAt = size;
  }
}
