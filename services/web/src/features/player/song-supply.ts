import type { Song } from '../../lib/api.js';
import type { SongCatalog } from './catalog.js';
import type { Context, Step } from './queue.js';

/** Addresses carry a token that ends after two to three hours; a song that was fetched earlier than this is fetched again, ms. */
const ADDRESS_AGE_MS = 3_600_000;

/** Fetches the songs of the queue with addresses that open them now. Each method fails when the server cannot be asked. */
export class SongSupply {
  readonly #fetchedAtMs = new WeakMap<Song, number>();

  constructor(private readonly catalog: SongCatalog) {}

  /** The song that a step leads to; undefined when this account has none there. */
  async of(step: Step, context: Context | undefined): Promise<Song | undefined> {
    if (step.from === 'up-next') return this.fresh(step.entry.song);
    if (step.from === 'current') return this.fresh(step.song);
    return this.#note(context && (await this.catalog.at(context.source, step.position)));
  }

  /** The song, fetched again when its address may have ended. */
  async fresh(song: Song): Promise<Song | undefined> {
    return Date.now() - (this.#fetchedAtMs.get(song) ?? 0) < ADDRESS_AGE_MS ? song : this.again(song.id);
  }

  /** The song with a new address. */
  async again(id: string): Promise<Song | undefined> {
    return this.#note(await this.catalog.song(id));
  }

  #note(song: Song | undefined): Song | undefined {
    if (song) this.#fetchedAtMs.set(song, Date.now());
    return song;
  }
}
