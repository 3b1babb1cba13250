import { searchKinds, type SearchIndex, type SearchKind } from '@continuo/search-index';
import type { Page } from '../../reads/library/album-list.reads.js';
import type { CatalogScope } from '../../reads/visibility/catalog-scope.reads.js';
import type { ReadDatabase } from '../../reads/database/database.js';
import { MAX_SEARCH_CHARS, readMusicBrainzId, readSearch } from './search-words.js';
import { idsByMusicBrainzId } from '../../reads/library/musicbrainz-id.reads.js';
import type { ListedKind } from '../../reads/lists/whole-list.reads.js';
import { idsByWords } from './word-search.reads.js';

/** A page for each kind of thing that is looked for. */
export type KindPages = Readonly<Partial<Record<SearchKind, Page>>>;
/** Ids of each kind, the best first; none of kinds that were not looked for. */
export type KindIds = Readonly<Record<SearchKind, readonly number[]>>;

const NOTHING: KindIds = { song: [], album: [], artist: [], playlist: [], video: [] };
const kindsOfReadModel: readonly ListedKind[] = ['song', 'album', 'artist'];

/** Looks in the read model for the kinds that it can find without an index. */
const inTheReadModel = async (pages: KindPages, idsOf: (kind: ListedKind, page: Page) => Promise<number[]>): Promise<KindIds> => {
  const found = await Promise.all(kindsOfReadModel.map(async (kind) => [kind, pages[kind] ? await idsOf(kind, pages[kind]) : []] as const));
  return { ...NOTHING, ...Object.fromEntries(found) };
};

const isEmpty = (ids: KindIds): boolean => searchKinds.every((kind) => ids[kind].length === 0);

const isBeyond = (pages: KindPages): boolean => Object.values(pages).some(({ limit, offset }) => limit > 0 && offset > 0);

/** Viewer and scope of a full-text search. */
export interface WordSearch {
  readonly query: string;
  readonly scope: CatalogScope;
  readonly viewerId: number;
  readonly pages: KindPages;
}

/**
 * Things by words, or songs, albums and artists by MusicBrainz id, for which the read model has indexes. Quoted and plus+joined groups stand for exactly these words in this order, which no index
 * knows, so the read model is asked; and so it is when an index finds nothing: an index follows the catalogue by moments, and of several words any may do.
 */
export const findByWords = async (
  services: { readonly db: ReadDatabase; readonly wordSearch: SearchIndex },
  search: WordSearch,
): Promise<KindIds> => {
  const { query, scope, viewerId, pages } = search;
  const mbid = readMusicBrainzId(query);
  if (mbid !== undefined) {
    const identified = await inTheReadModel(pages, (kind, page) => idsByMusicBrainzId(services.db, { kind, scope }, mbid, page));
    if (!isEmpty(identified)) return identified;
  }
  const words = readSearch(query);
  if (words.terms.length === 0 || Object.keys(pages).length === 0) return NOTHING;
  const asSpelt = (): Promise<KindIds> => inTheReadModel(pages, (kind, page) => idsByWords(services.db, { kind, scope }, words, page));
  if (words.terms.some(({ exact }) => exact)) return asSpelt();
  const text = query.slice(0, MAX_SEARCH_CHARS).replace(/[*%]+\s*$/, '');
  const found = await services.wordSearch.search({ text, pages, catalogs: scope, viewerId });
  const ids: KindIds = { ...NOTHING, ...Object.fromEntries(Object.entries(found).map(([kind, matches]) => [kind, matches.ids])) };
  // A later page that is empty is the end, not a search that found nothing.
  return isEmpty(ids) && !isBeyond(pages) ? asSpelt() : ids;
};
