import { LRUCache } from 'lru-cache';
import type { IdList } from './id-list.js';

/** Bytes of a cache entry beside its ids. */
const ENTRY_BYTES = 200;
/** A list of more ids than this is served as it was while it is made anew: making it takes longer than anybody should wait. */
const LONG_LIST = 100_000;
/** But it is never older than this. */
const STALE_MS = 10_000;

interface KeptList {
  readonly list: IdList;
  readonly version: string;
  readonly madeAtMs: number;
}

/** Is told what went wrong beside a caller who has been answered already. */
export type OnFailure = (error: unknown) => void;

/** For callers whom such failures do not concern. */
export const unheard: OnFailure = () => undefined;

/** Whether the cache had what was asked for; `stale` is a long list of the version before. */
export type Lookup = 'hit' | 'stale' | 'miss';

/** Callbacks of a cache. */
export interface CacheListener {
  readonly onFailure?: OnFailure | undefined;
  readonly onLookup?: ((outcome: Lookup) => void) | undefined;
}

/** Keeps id lists by what was asked, and makes each of them once at a time. */
export class ListCache {
  private readonly kept: LRUCache<string, KeptList>;
  private readonly making = new Map<string, Promise<IdList>>();

  constructor(
    maxBytes: number,
    private readonly listener: CacheListener = {},
  ) {
    this.kept = new LRUCache({
      maxSize: Math.max(1, maxBytes),
      sizeCalculation: ({ list, version }, key) => list.sizeBytes + (key.length + version.length) * 2 + ENTRY_BYTES,
    });
  }

  /** The list as it was made last, whatever its version. */
  peek(key: string): IdList | undefined {
    return this.kept.peek(key)?.list;
  }

  /**
   * A list of this version, or a long one of the version before.
   * @param exact true where a long list must not be an older one either
   */
  async get(key: string, version: string, make: () => Promise<IdList>, exact = false): Promise<IdList> {
    const known = this.kept.get(key);
    if (known?.version === version) {
      this.listener.onLookup?.('hit');
      return known.list;
    }
    const made = this.making.get(`${version} ${key}`) ?? this.makeAndKeep(key, version, make);
    if (exact || !known || known.list.total < LONG_LIST || performance.now() - known.madeAtMs > STALE_MS) {
      this.listener.onLookup?.('miss');
      return made;
    }
    this.listener.onLookup?.('stale');
    // Whoever awaits it next sees its failure; this caller has an answer already.
    made.catch(this.listener.onFailure ?? unheard);
    return known.list;
  }

  private makeAndKeep(key: string, version: string, make: () => Promise<IdList>): Promise<IdList> {
    const entry = `${version} ${key}`;
    const making = (async () => {
      try {
        const list = await make();
        this.kept.set(key, { list, version, madeAtMs: performance.now() });
        return list;
      } finally {
        this.making.delete(entry);
      }
    })();
    this.making.set(entry, making);
    return making;
  }
}
