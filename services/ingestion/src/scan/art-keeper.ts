import type { ArtStore } from '@continuo/media-store';
import type { FoundPicture } from '../tags/tag-reader.js';

/** Hashes that are remembered: the tracks of an album carry the same picture. */
const MAX_REMEMBERED = 10_000;

/** Stores pictures once: a picture that was stored lately is not written, not even looked for, again. */
export class ArtKeeper {
  readonly #stored = new Map<string, Promise<unknown>>();

  constructor(private readonly store: ArtStore) {}

  /** Resolves when the picture is durable. */
  async keep(picture: FoundPicture): Promise<void> {
    const { hash } = picture.ref;
    let stored = this.#stored.get(hash);
    if (stored === undefined) {
      stored = this.store.put(picture.bytes);
      this.#stored.set(hash, stored);
      stored.catch(() => this.#stored.delete(hash));
      const oldest = this.#stored.size > MAX_REMEMBERED ? this.#stored.keys().next().value : undefined;
      if (oldest !== undefined) this.#stored.delete(oldest);
    }
    await stored;
  }
}
