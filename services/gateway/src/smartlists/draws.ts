import { LRUCache } from 'lru-cache';
import { drawn } from '../reads/drawn-ids.js';
import { IdList } from '../reads/id-list.js';
import type { Viewer } from '../reads/viewer.js';

/** Room for what was drawn lately. */
const DRAWS_BYTES = 16 * 1024 * 1024;
/** How long somebody may take from page to page. */
const KEPT_MS = 600_000;
const ENTRY_BYTES = 200;

/** What is drawn from, for whom. */
export interface Drawing {
  /** Names what is drawn from: another text means other rules. */
  readonly of: string;
  readonly from: IdList;
  /** The most songs; 0 = all of them, in a random order. */
  readonly limit: number;
  readonly viewer: Viewer;
}

/**
 * What chance has given to whom. Who looks at the beginning of a random list gets another choice each time; who goes on from there gets the rest of the same
 * one, so that pages neither repeat songs nor leave some out.
 */
export class Draws {
  private readonly kept = new LRUCache<string, IdList>({
    maxSize: DRAWS_BYTES,
    sizeCalculation: (list, key) => list.sizeBytes + key.length * 2 + ENTRY_BYTES,
    ttl: KEPT_MS,
  });

  /** Another choice. */
  anew(drawing: Drawing): IdList {
    const { from, limit } = drawing;
    const list = new IdList(drawn(from.ids, limit === 0 ? from.total : limit));
    this.kept.set(this.key(drawing), list);
    return list;
  }

  /** The choice that the viewer got last, or the first one. */
  again(drawing: Drawing): IdList {
    return this.kept.get(this.key(drawing)) ?? this.anew(drawing);
  }

  private key({ of, viewer, limit }: Drawing): string {
    return JSON.stringify([of, viewer.userId, viewer.catalogs, limit]);
  }
}
