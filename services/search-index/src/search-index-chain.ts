import { SearchUnavailable, type SearchIndex, type SearchRequest, type SearchResult } from './search-index.js';

/** Why an index did not answer. `open`: it was not asked, because it failed a moment ago. */
export type SearchFault = 'unavailable' | 'late' | 'failed' | 'open';

/** An index of the chain, with its timeouts. */
export interface ChainedIndex {
  readonly index: SearchIndex;
  /** An answer that takes longer is not waited for; absent: as long as it takes. */
  readonly timeoutMs?: number;
}

/** Observes searches that the first index did not answer. */
export interface ChainObserver {
  /** An index did not answer. `error` is undefined for `open` and `late`. */
  missed(index: string, fault: SearchFault, error?: unknown): void;
  /** An index answered. */
  answered(index: string, durationMs: number): void;
}

/** After so many failures in a row an index is left alone. */
const FAILURES_TO_OPEN = 2;
/** For so long; then one search tries it again, and the others go on without it until that one succeeds. */
const LEFT_ALONE_MS = 5000;

class Late extends Error {
  override readonly name = 'Late';
}

/** An index with the memory of how it did. */
class Breaker {
  private failures = 0;
  private closedAgainAtMs = 0;

  constructor(
    readonly chained: ChainedIndex,
    private readonly nowMs: () => number,
  ) {}

  /** True when the index may be asked; whoever asks after the pause does it for all others. */
  mayAsk(): boolean {
    if (this.failures < FAILURES_TO_OPEN) return true;
    const now = this.nowMs();
    if (now < this.closedAgainAtMs) return false;
    this.closedAgainAtMs = now + LEFT_ALONE_MS;
    return true;
  }

  succeeded(): void {
    this.failures = 0;
  }

  failed(): void {
    this.failures += 1;
    this.closedAgainAtMs = this.nowMs() + LEFT_ALONE_MS;
  }
}

const inTime = async ({ index, timeoutMs }: ChainedIndex, request: SearchRequest): Promise<SearchResult> => {
  if (timeoutMs === undefined) return index.search(request);
  const late = new AbortController();
  const signal = request.signal ? AbortSignal.any([request.signal, late.signal]) : late.signal;
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Late(`no answer within ${timeoutMs} ms`));
      late.abort();
    }, timeoutMs);
  });
  const answer = index.search({ ...request, signal });
  // Nobody waits any more for one that fails after its time.
  answer.catch(() => undefined);
  try {
    return await Promise.race([answer, over]);
  } finally {
    clearTimeout(timer);
  }
};

const faultOf = (error: unknown): SearchFault =>
  error instanceof Late ? 'late' : error instanceof SearchUnavailable ? 'unavailable' : 'failed';

/**
 * Several indexes as one: the first that answers in time counts. One that failed twice in a row is left alone for five seconds, so that a dead server
 * costs its time limit now and then instead of with every search. When none answers, the failure of the last one is thrown.
 */
export class SearchIndexChain implements SearchIndex {
  readonly name = 'chain';
  private readonly breakers: readonly Breaker[];

  constructor(
    indexes: readonly ChainedIndex[],
    private readonly observer: ChainObserver,
    private readonly nowMs: () => number = () => performance.now(),
  ) {
    this.breakers = indexes.map((chained) => new Breaker(chained, nowMs));
  }

  async search(request: SearchRequest): Promise<SearchResult> {
    let failure: unknown;
    for (const breaker of this.breakers) {
      const { name } = breaker.chained.index;
      // The last one is asked in any case: there is nobody behind it.
      if (!breaker.mayAsk() && breaker !== this.breakers.at(-1)) {
        this.observer.missed(name, 'open');
        continue;
      }
      const startedMs = this.nowMs();
      try {
        const result = await inTime(breaker.chained, request);
        breaker.succeeded();
        this.observer.answered(name, this.nowMs() - startedMs);
        return result;
      } catch (error) {
        if (request.signal?.aborted) throw error;
        breaker.failed();
        this.observer.missed(name, faultOf(error), error instanceof Late ? undefined : error);
        failure = error;
      }
    }
    throw failure instanceof Error ? failure : new SearchUnavailable('no search index answers', { cause: failure });
  }
}
