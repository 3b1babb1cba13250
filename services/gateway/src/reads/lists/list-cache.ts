import { LRUCache } from 'lru-cache';
import type { IdList } from './id-list.js';

/** Bytes of a cache entry beside its ids. */
const ENTRY_BYTES = 200;
/** A list of more ids than this is served as it was while it is made anew: making it takes longer than anybody should wait. */
const LONG_LIST = 50_000;
/** But it is never older than this. */
const STALE_MS = 10_000;
/** It is made anew after so many times as long as that took: a scan changes the version again and again, and has to be served, too. */
const RESTS = 4;
const LONGEST_REST_MS = STALE_MS / 2;

/** A list that is kept. Times in milliseconds of the process. */
export interface KeptList {
  readonly list: IdList;
  readonly version: string;
  readonly madeAtMs: number;
  readonly tookMs: number;
  isMadeAnew: boolean;
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

  /** The list that is kept for a key, of any version; counts as a use of it. */
  known(key: string): KeptList | undefined {
    return this.kept.get(key);
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
    const now = performance.now();
    if (exact || !known || known.list.total < LONG_LIST || now - known.madeAtMs > STALE_MS) {
      this.listener.onLookup?.('miss');
      return this.make(key, version, make);
    }
    this.listener.onLookup?.('stale');
    if (!known.isMadeAnew && now - known.madeAtMs >= Math.min(known.tookMs * RESTS, LONGEST_REST_MS)) {
      known.isMadeAnew = true;
      // This caller has an answer already.
      const made = this.make(key, version, make).catch(this.listener.onFailure ?? unheard);
      void made.then(() => (known.isMadeAnew = false));
    }
    return known.list;
  }

  /** Makes a list and keeps it, or waits for the one of this version that is being made. */
  make(key: string, version: string, make: () => Promise<IdList>): Promise<IdList> {
    const entry = `${version} ${key}`;
    const underWay = this.making.get(entry);
    if (underWay) return underWay;
    const beganAtMs = performance.now();
    const making = (async () => {
      try {
        const list = await make();
        const madeAtMs = performance.now();
        this.kept.set(key, { list, version, madeAtMs, tookMs: madeAtMs - beganAtMs, isMadeAnew: false });
        return list;
      } finally {
        this.making.delete(entry);
      }
    })();
    this.making.set(entry, making);
    return making;
  }
}
