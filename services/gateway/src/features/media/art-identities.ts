import type { ProjectionWatch } from '@continuo/chassis';
import { readModelProjections } from '@continuo/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import { LRUCache } from 'lru-cache';
import type { ArtRecord } from '../../reads/art/art.reads.js';
import type { ReadSide } from '../../reads/database/read-side-index.js';
import { followProjections } from '../../reads/database/snapshot-reader.js';
import type { Viewer } from '../../reads/visibility/viewer.js';
import { atMost } from '../../server/at-most.js';

/** Objects whose pictures are known by the library's projections alone. */
export type PicturedObject = 'song' | 'album' | 'artist';

/** Hash of an object's picture: null when it has none, undefined when there is no such object for the viewer. */
type ArtHash = string | null | undefined;

interface KeptAnswer<T> {
  readonly answer: T;
  readonly keptAtMs: number;
}

/** Options of {@link ArtIdentities}. */
export interface ArtIdentityOptions {
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Answers are kept for so long, in case a notice of a change was lost; 0 keeps none. */
  readonly keptMs: number;
}

const MAX_KEPT = 20_000;

/** Keeps answers of the read model until it changes. */
class KeptAnswers<T> {
  readonly #kept = new LRUCache<string, KeptAnswer<T>>(atMost(MAX_KEPT));
  #change = 0;

  constructor(private readonly options: ArtIdentityOptions) {}

  clear(): void {
    this.#change += 1;
    this.#kept.clear();
  }

  async find(key: string, read: () => Promise<T>): Promise<T> {
    const { now, keptMs } = this.options;
    const known = this.#kept.get(key);
    if (known && now() - known.keptAtMs < keptMs) return known.answer;
    const change = this.#change;
    const answer = await read();
    // What was read before a change may be what was before it.
    if (keptMs > 0 && change === this.#change) this.#kept.set(key, { answer, keptAtMs: now() });
    return answer;
  }
}

/**
 * Knows which picture an object has, so that a picture that is sent again costs no statement. It forgets everything with every change of the library. What somebody
 * may see is part of the question.
 */
export class ArtIdentities {
  readonly #hashes: KeptAnswers<ArtHash>;
  readonly #records: KeptAnswers<ArtRecord | undefined>;

  constructor(options: ArtIdentityOptions) {
    this.#hashes = new KeptAnswers(options);
    this.#records = new KeptAnswers(options);
  }

  /** Tells that the library, or the pictures that were found for it, have changed. */
  noteChange(): void {
    this.#hashes.clear();
    this.#records.clear();
  }

  /** The picture of an object, as `read` finds it for this viewer. */
  hashOf(kind: PicturedObject, id: number, { catalogs }: Pick<Viewer, 'catalogs'>, read: () => Promise<ArtHash>): Promise<ArtHash> {
    return this.#hashes.find(`${kind} ${id} ${catalogs === 'all' ? catalogs : catalogs.join()}`, read);
  }

  /** The picture of a hash, as `read` finds it. */
  record(hash: string, read: () => Promise<ArtRecord | undefined>): Promise<ArtRecord | undefined> {
    return this.#records.find(hash, read);
  }
}

/** Answers are kept for so long, in case a notice of a change was lost. */
const KEPT_MS = 30_000;

/** Picture identities that follow the library, and a watch for commands after which they are forgotten: who has changed a picture sees the new one. */
export interface FollowedPictures {
  readonly identities: ArtIdentities;
  readonly watchedBy: (watch: ProjectionWatch) => ProjectionWatch;
  readonly unfollow: () => void;
}

/** Follows the projections of the library. A replica of the database may be behind their notices, so that nothing is kept of it. */
export const followPictures = (nats: NatsConnection, { isBehind }: Pick<ReadSide, 'isBehind'>, now: () => number): FollowedPictures => {
  const identities = new ArtIdentities({ now, keptMs: isBehind ? 0 : KEPT_MS });
  return {
    identities,
    watchedBy: (watch) => ({
      waitFor: async (positions, timeoutMs, options) => {
        const isShown = await watch.waitFor(positions, timeoutMs, options);
        identities.noteChange();
        return isShown;
      },
    }),
    unfollow: followProjections(nats, readModelProjections.EV_LIBRARY, identities),
  };
};
