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
