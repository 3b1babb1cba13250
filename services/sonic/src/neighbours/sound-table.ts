import type { PackedSound } from '../sound/packed-vector.js';
import { sortIntoCells, type Cells } from './cells.js';
import { NearestHeap, type SongDistance } from './nearest-heap.js';

export type { SongDistance } from './nearest-heap.js';

/** Limits of one query. */
export interface NearestTerms {
  readonly count: number;
  /** Catalogs whose songs may be answered. */
  readonly catalogs: 'all' | readonly number[];
  /** Songs that are not answered. */
  readonly without?: ReadonlySet<number>;
}

/** Below this many every one is looked at: that takes a few milliseconds. */
const CELLS_FROM = 30_000;
/** Cells are made anew when the part of rows outside of them has grown to this. */
const LOOSE_SHARE = 0.15;
/** Rows that a question goes through: this share of all, and at least so many. */
const LOOK_SHARE = 0.02;
const LEAST_PASSED = 10_000;
/** For each song that is wanted so many are compared: who sees little of the library has neighbours farther away. */
const COMPARED_PER_SONG = 30;
const NOWHERE = 0xffff;
const FIRST_ROWS = 1024;
const GROWTH = 1.5;

/**
 * Sound vectors of songs in memory: one byte per number and some 24 bytes per song beside, so that a million songs of 64 numbers take about 90 MB. Distances are Euclidean. A few
 * rows are compared with every other one; of many, those in the cells around.
 */
export class SoundTable {
  readonly dimensions: number;
  #rows = 0;
  #free: number[] = [];
  #bytes: Int8Array;
  #scales: Float32Array;
  /** Squared lengths. */
  #norms: Float32Array;
  /** 0: the row is free. */
  #songs: Int32Array;
  #catalogs: Int32Array;
  /** By song id: its row and one; 0: none. */
  #rowOf: Int32Array;
  #cells: Cells | undefined;
  /** Rows that were written since the cells were made. */
  #loose = new Set<number>();
  #arranging: Promise<void> | undefined;

  constructor(dimensions: number) {
    this.dimensions = dimensions;
    this.#bytes = new Int8Array(FIRST_ROWS * dimensions);
    this.#scales = new Float32Array(FIRST_ROWS);
    this.#norms = new Float32Array(FIRST_ROWS);
    this.#songs = new Int32Array(FIRST_ROWS);
    this.#catalogs = new Int32Array(FIRST_ROWS);
    this.#rowOf = new Int32Array(FIRST_ROWS);
  }

  get size(): number {
    return this.#rows - this.#free.length;
  }

  /** Memory of the vectors and what belongs to them, bytes. */
  get sizeBytes(): number {
    const parts = [this.#bytes, this.#scales, this.#norms, this.#songs, this.#catalogs, this.#rowOf];
    const { middles, cellOf, order } = this.#cells ?? {};
    const cells = [middles, cellOf, order].reduce((sum, part) => sum + (part?.byteLength ?? 0), 0);
    return parts.reduce((sum, part) => sum + part.byteLength, cells);
  }

  /** Writes what a song sounds like. */
  set(songId: number, catalogId: number, { scale, bytes }: PackedSound): void {
    const row = this.#place(songId);
    this.#bytes.set(bytes.subarray(0, this.dimensions), row * this.dimensions);
    this.#scales[row] = scale;
    let norm = 0;
    for (const byte of bytes) norm += byte * byte;
    this.#norms[row] = norm * scale * scale;
    this.#songs[row] = songId;
    this.#catalogs[row] = catalogId;
    if (!this.#cells) return;
    if (row < this.#cells.cellOf.length) this.#cells.cellOf[row] = NOWHERE;
    this.#loose.add(row);
  }

  has(songId: number): boolean {
    return this.#row(songId) !== undefined;
  }

  /** Says where a song is now. */
  move(songId: number, catalogId: number): void {
    const row = this.#row(songId);
    if (row !== undefined) this.#catalogs[row] = catalogId;
  }

  delete(songId: number): void {
    const row = this.#row(songId);
    if (row === undefined) return;
    this.#rowOf[songId] = 0;
    this.#songs[row] = 0;
    this.#free.push(row);
  }

  /** No song has a higher id. */
  get highestSongId(): number {
    return this.#rowOf.length - 1;
  }

  /** Ids of all songs. */
  *songIds(): Generator<number, void, undefined> {
    for (let row = 0; row < this.#rows; row += 1) if (this.#songs[row] !== 0) yield this.#songs[row] as number;
  }

  /** The vector of a song. */
  vectorOf(songId: number): Float32Array | undefined {
    const row = this.#row(songId);
    if (row === undefined) return undefined;
    const scale = this.#scales[row] as number;
    return Float32Array.from({ length: this.dimensions }, (_, n) => (this.#bytes[row * this.dimensions + n] as number) * scale);
  }

  /** Distance of a song from a vector. */
  distanceOf(songId: number, vector: Float32Array): number | undefined {
    const row = this.#row(songId);
    return row === undefined ? undefined : Math.sqrt(Math.max(0, this.#squared(row, vector, lengthOf(vector))));
  }

  /** The songs nearest to a vector, the nearest first. Of a large table nearly all of them are the true ones; a spec says how many. */
  nearest(vector: Float32Array, terms: NearestTerms): SongDistance[] {
    const heap = new NearestHeap(terms.count);
    const look = new Look(heap, terms);
    if (this.#cells) this.#lookIntoCells(this.#cells, vector, look);
    else this.#lookAt(look, vector, { from: 0, to: this.#rows });
    return heap.sorted().map(({ songId, distance }) => ({ songId, distance: Math.sqrt(distance) }));
  }

  /** Sorts the table into cells when that has become worth while; questions are answered meanwhile. */
  async arrange(breathe: () => Promise<void>): Promise<void> {
    if (!this.isDue) return;
    this.#arranging ??= this.#sort(breathe).finally(() => {
      this.#arranging = undefined;
    });
    await this.#arranging;
  }

  /** True when many rows lie outside of the cells. */
  get isDue(): boolean {
    const outside = this.#cells ? this.#loose.size : this.#rows;
    return this.#rows >= CELLS_FROM && outside > this.#rows * LOOSE_SHARE;
  }

  async #sort(breathe: () => Promise<void>): Promise<void> {
    const { dimensions } = this;
    const rows = this.#rows;
    // Rows that are written while it goes on may land in a wrong cell, which their neighbours' cells make up for; new ones are loose.
    const [bytes, scales] = [this.#bytes, this.#scales];
    const cells = await sortIntoCells({ dimensions, rows, bytes, scales }, breathe);
    this.#cells = cells;
    this.#loose = new Set(Array.from({ length: this.#rows - rows }, (_, n) => rows + n));
  }

  #lookIntoCells(cells: Cells, vector: Float32Array, look: Look): void {
    const { count, middles, order, starts, cellOf } = cells;
    const { dimensions } = this;
    const distances = new Float64Array(count);
    for (let cell = 0; cell < count; cell += 1) {
      let sum = 0;
      for (let n = 0; n < dimensions; n += 1) sum += ((vector[n] as number) - (middles[cell * dimensions + n] as number)) ** 2;
      distances[cell] = sum;
    }
    const length = lengthOf(vector);
    for (const row of this.#loose) this.#compare(row, vector, length, look);
    const enough = Math.max(LEAST_PASSED, this.#rows * LOOK_SHARE);
    let passed = 0;
    const nearestFirst = Uint16Array.from({ length: count }, (_, cell) => cell).toSorted(
      (a, b) => (distances[a] ?? 0) - (distances[b] ?? 0),
    );
    for (const cell of nearestFirst) {
      if (passed >= enough && look.isDone) return;
      const [from, end] = [starts[cell] as number, starts[cell + 1] as number];
      passed += end - from;
      for (let at = from; at < end; at += 1) {
        const row = order[at] as number;
        if (cellOf[row] === cell) this.#compare(row, vector, length, look);
      }
    }
  }

  #lookAt(look: Look, vector: Float32Array, { from, to }: { readonly from: number; readonly to: number }): void {
    const length = lengthOf(vector);
    for (let row = from; row < to; row += 1) this.#compare(row, vector, length, look);
  }

  #compare(row: number, vector: Float32Array, length: number, look: Look): void {
    const songId = this.#songs[row] as number;
    if (songId === 0 || !look.accepts(songId, this.#catalogs[row] as number)) return;
    const distance = this.#squared(row, vector, length);
    look.compared += 1;
    if (distance < look.heap.bound) look.heap.push(songId, Math.max(0, distance));
  }

  #squared(row: number, vector: Float32Array, length: number): number {
    const { dimensions } = this;
    const bytes = this.#bytes;
    const from = row * dimensions;
    let dot = 0;
    for (let n = 0; n < dimensions; n += 1) dot += (vector[n] as number) * (bytes[from + n] as number);
    return length + (this.#norms[row] as number) - 2 * (this.#scales[row] as number) * dot;
  }

  #row(songId: number): number | undefined {
    const row = (this.#rowOf[songId] ?? 0) - 1;
    return row < 0 ? undefined : row;
  }

  #place(songId: number): number {
    const known = this.#row(songId);
    if (known !== undefined) return known;
    const row = this.#free.pop() ?? this.#rows++;
    if (row >= this.#songs.length) this.#grow(Math.ceil(this.#songs.length * GROWTH));
    if (songId >= this.#rowOf.length) this.#rowOf = longer(this.#rowOf, Math.ceil(Math.max(songId + 1, this.#rowOf.length * GROWTH)));
    this.#rowOf[songId] = row + 1;
    return row;
  }

  #grow(rows: number): void {
    this.#bytes = longer(this.#bytes, rows * this.dimensions);
    this.#scales = longer(this.#scales, rows);
    this.#norms = longer(this.#norms, rows);
    this.#songs = longer(this.#songs, rows);
    this.#catalogs = longer(this.#catalogs, rows);
  }
}

/** State of one query: rows seen, and filters. */
class Look {
  /** Songs that it may answer and has looked at. */
  compared = 0;
  readonly #enough: number;
  readonly #catalogs: ReadonlySet<number> | undefined;
  readonly #without: ReadonlySet<number> | undefined;

  constructor(
    readonly heap: NearestHeap,
    { catalogs, without, count }: NearestTerms,
  ) {
    this.#enough = count * COMPARED_PER_SONG;
    this.#catalogs = catalogs === 'all' ? undefined : new Set(catalogs);
    this.#without = without;
  }

  get isDone(): boolean {
    return this.compared >= this.#enough;
  }

  accepts(songId: number, catalogId: number): boolean {
    return (this.#catalogs === undefined || this.#catalogs.has(catalogId)) && this.#without?.has(songId) !== true;
  }
}

const lengthOf = (vector: Float32Array): number => {
  let sum = 0;
  for (const value of vector) sum += value * value;
  return sum;
};

const longer = <A extends Int8Array | Float32Array | Int32Array>(before: A, length: number): A => {
  const after = new (before.constructor as new (length: number) => A)(length);
  after.set(before);
  return after;
};
