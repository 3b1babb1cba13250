import { LRUCache } from 'lru-cache';
import { randomIds } from '../../reads/songs/random-ids.js';
import { IdList } from '../../reads/lists/id-list.js';
import type { Viewer } from '../../reads/visibility/viewer.js';

const CACHE_BYTES = 16 * 1024 * 1024;
/** Lifetime of a pick: the longest pause between two pages. */
const KEPT_MS = 600_000;
const ENTRY_BYTES = 200;

/** Source and viewer of a random pick. */
export interface RandomPick {
  /** Cache key of the source; a new text means new rules. */
  readonly of: string;
  readonly from: IdList;
  /** The most songs; 0 = all of them, in a random order. */
  readonly limit: number;
  readonly viewer: Viewer;
}

/**
 * Caches random picks per viewer. The first page of a random list makes a new pick; later pages continue the same pick, so that they neither repeat songs nor
 * leave some out.
 */
export class RandomPickCache {
  private readonly kept = new LRUCache<string, IdList>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (list, key) => list.sizeBytes + key.length * 2 + ENTRY_BYTES,
    ttl: KEPT_MS,
  });

  /** Makes and caches a new pick. */
  pick(query: RandomPick): IdList {
    const { from, limit } = query;
    const list = new IdList(randomIds(from.ids, limit === 0 ? from.total : limit));
    this.kept.set(this.key(query), list);
    return list;
  }

  /** Returns the viewer's last pick, or a new one. */
  repeat(query: RandomPick): IdList {
    return this.kept.get(this.key(query)) ?? this.pick(query);
  }

  private key({ of, viewer, limit }: RandomPick): string {
    return JSON.stringify([of, viewer.userId, viewer.catalogs, limit]);
  }
}
