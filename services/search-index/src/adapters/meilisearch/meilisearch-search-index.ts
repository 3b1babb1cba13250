import type { Meilisearch, MultiSearchQuery } from 'meilisearch';
import type { SearchKind } from '../../search-document.js';
import type { SearchIndex, SearchMatches, SearchPage, SearchRequest, SearchResult } from '../../search-index.js';
import { connectMeilisearch, limitsOf, unavailable, type MeilisearchLimits, type MeilisearchOptions } from './meilisearch-connection.js';
import { attemptsOf, visibilityFilter } from './meilisearch-documents.js';
import { indexNames, type IndexNames } from './meilisearch-index-settings.js';

type Pages = readonly (readonly [SearchKind, SearchPage])[];

/** Searches in Meilisearch. A kind that the words as they stand do not find is looked for by each further reading of them. */
export class MeilisearchSearchIndex implements SearchIndex {
  readonly name = 'meilisearch';
  readonly #client: Meilisearch;
  readonly #names: IndexNames;
  readonly #limits: MeilisearchLimits;

  constructor(options: MeilisearchOptions) {
    this.#client = connectMeilisearch(options);
    this.#limits = limitsOf(options);
    this.#names = indexNames(options.prefix);
  }

  async search(request: SearchRequest): Promise<SearchResult> {
    const found: Partial<Record<SearchKind, SearchMatches>> = {};
    let open: Pages = Object.entries(request.pages) as [SearchKind, SearchPage][];
    for (const [kind] of open) found[kind] = { ids: [], estimatedTotal: 0 };
    const timeout = AbortSignal.timeout(this.#limits.searchTimeoutMs);
    const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout;
    for (const words of attemptsOf(request.text)) {
      if (open.length === 0) break;
      const answers = await this.#ask(words, open, request, signal);
      answers.forEach((matches, place) => {
        const kind = open[place]?.[0];
        if (kind !== undefined && matches.estimatedTotal > 0) found[kind] = matches;
      });
      open = open.filter(([kind]) => found[kind]?.estimatedTotal === 0);
    }
    return found;
  }

  /** One request for all kinds. */
  async #ask(words: string, pages: Pages, request: SearchRequest, signal: AbortSignal): Promise<SearchMatches[]> {
    const filter = visibilityFilter(request);
    const queries = pages.map(([kind, { offset, limit }]): MultiSearchQuery => ({
      indexUid: this.#names.byKind[kind],
      q: words,
      filter,
      offset,
      limit,
      attributesToRetrieve: ['id'],
      matchingStrategy: 'all',
    }));
    try {
      const { results } = await this.#client.multiSearch<{ queries: MultiSearchQuery[] }, { id: number }>({ queries }, { signal });
      return results.map(({ hits, estimatedTotalHits }, place) => {
        const ids = hits.map(({ id }) => id);
        return {
          ids,
          estimatedTotal: Math.max(estimatedTotalHits ?? 0, ids.length > 0 ? (pages[place]?.[1].offset ?? 0) + ids.length : 0),
        };
      });
    } catch (error) {
      request.signal?.throwIfAborted();
      throw unavailable(error);
    }
  }
}
