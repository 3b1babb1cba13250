import type { SearchIndex, SearchKind, SearchMatches, SearchPage, SearchRequest, SearchResult } from '@continuo/search-index';
import type { ReadDatabase } from '../../reads/database/database.js';
import { readSearch } from './search-words.js';
import type { ListedKind } from '../../reads/lists/whole-list.reads.js';
import { idsByWords } from './word-search.reads.js';

const NOTHING: SearchMatches = { ids: [], estimatedTotal: 0 };

const isListed = (kind: SearchKind): kind is ListedKind => kind === 'song' || kind === 'album' || kind === 'artist';

/**
 * Searches the read model itself: names that hold the words as they are spelt. What answers while no index is there, or none that works; never behind the
 * catalogue, and less forgiving.
 */
export class ReadModelSearchIndex implements SearchIndex {
  readonly name = 'read-model';

  constructor(private readonly db: ReadDatabase) {}

  async search({ text, pages, catalogs }: SearchRequest): Promise<SearchResult> {
    const words = readSearch(text);
    const matches = async (kind: SearchKind, page: SearchPage): Promise<SearchMatches> => {
      if (!isListed(kind) || words.terms.length === 0) return NOTHING;
      const ids = await idsByWords(this.db, { kind, scope: catalogs }, words, page);
      return { ids, estimatedTotal: page.offset + ids.length };
    };
    const kinds = Object.entries(pages) as [SearchKind, SearchPage][];
    return Object.fromEntries(await Promise.all(kinds.map(async ([kind, page]) => [kind, await matches(kind, page)] as const)));
  }
}
