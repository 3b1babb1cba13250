import type { Song } from '../../lib/api.js';
import { isLossless } from './form.js';

/** So many songs of a kind the browser has to refuse before others of it are not tried, either. */
const REFUSED_KIND = 2;

const kindOf = (song: Song): string => `${song.stream_mime} ${isLossless(song)}`;

/** Songs that the browser did not play, by their kind. */
export class Refusals {
  readonly #songs = new Map<string, Set<string>>();

  add(song: Song): void {
    const kind = kindOf(song);
    this.#songs.set(kind, new Set([...(this.#songs.get(kind) ?? []), song.id]));
  }

  /** True for a song that was refused, and for those of a kind of which several were. */
  readonly has = (song: Song): boolean => {
    const ofKind = this.#songs.get(kindOf(song));
    return ofKind !== undefined && (ofKind.size >= REFUSED_KIND || ofKind.has(song.id));
  };
}

/** Pauses between attempts to reach the server, ms; the last one again and again. */
const PAUSES_MS = [500, 1000, 2000] as const;
const LAST_PAUSE_MS = 4000;

/** Waits before the next attempt, longer after each. @param attempt number of attempts before, from 0 */
export const pauseFor = (attempt: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, PAUSES_MS[attempt] ?? LAST_PAUSE_MS);
  });

/** Counts how often a song broke off at the same place. */
export class BreakCounter {
  #last: { readonly id: string; readonly positionS: number; readonly count: number } | undefined;

  /** Notes a break at a position, s. @returns how often the song has broken off there by now */
  note(id: string, positionS: number): number {
    const isSamePlace = this.#last?.id === id && Math.abs(this.#last.positionS - positionS) < 1;
    const count = isSamePlace && this.#last ? this.#last.count + 1 : 1;
    this.#last = { id, positionS, count };
    return count;
  }
}
