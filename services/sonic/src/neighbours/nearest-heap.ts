/** A song and its distance from what was asked for. */
export interface SongDistance {
  readonly songId: number;
  readonly distance: number;
}

/** Keeps the nearest of what it is shown, at most so many. */
export class NearestHeap {
  readonly #songs: Int32Array;
  readonly #distances: Float64Array;
  #size = 0;

  constructor(capacity: number) {
    this.#songs = new Int32Array(capacity);
    this.#distances = new Float64Array(capacity);
  }

  /** Largest distance that is kept. */
  get bound(): number {
    if (this.#songs.length === 0) return Number.NEGATIVE_INFINITY;
    return this.#size < this.#songs.length ? Number.POSITIVE_INFINITY : (this.#distances[0] ?? 0);
  }

  /** Shows a song whose (squared) distance lies below the bound. */
  push(songId: number, distance: number): void {
    if (this.#size < this.#songs.length) this.#rise(this.#size++, songId, distance);
    else this.#sink(songId, distance);
  }

  /** The nearest first; of two at the same distance the one with the smaller id. */
  sorted(): { readonly songId: number; readonly distance: number }[] {
    return Array.from({ length: this.#size }, (_, at) => ({ songId: this.#songs[at] ?? 0, distance: this.#distances[at] ?? 0 })).toSorted(
      (a, b) => a.distance - b.distance || a.songId - b.songId,
    );
  }

  #rise(from: number, songId: number, distance: number): void {
    let at = from;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if ((this.#distances[above] ?? 0) >= distance) break;
      this.#move(above, at);
      at = above;
    }
    this.#put(at, songId, distance);
  }

  /** Takes the place of the farthest. */
  #sink(songId: number, distance: number): void {
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= this.#size) break;
      if (below + 1 < this.#size && (this.#distances[below + 1] ?? 0) > (this.#distances[below] ?? 0)) below += 1;
      if ((this.#distances[below] ?? 0) <= distance) break;
      this.#move(below, at);
      at = below;
    }
    this.#put(at, songId, distance);
  }

  #move(from: number, to: number): void {
    this.#songs[to] = this.#songs[from] ?? 0;
    this.#distances[to] = this.#distances[from] ?? 0;
  }

  #put(at: number, songId: number, distance: number): void {
    this.#songs[at] = songId;
    this.#distances[at] = distance;
  }
}
