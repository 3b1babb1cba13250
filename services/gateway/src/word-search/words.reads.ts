import type { SearchIndex } from '@continuo/chassis';
import type { Page } from '../reads/album-list.reads.js';
import type { CatalogScope } from '../reads/catalog-scope.reads.js';
import type { ReadDatabase } from '../reads/database.js';
import { readSearch, type SearchWords } from '../reads/search-words.js';
import type { ListedKind } from '../reads/whole-list.reads.js';
import { idsByWords } from '../reads/word-search.reads.js';

/** A page for each kind of thing. */
export type KindPages = Readonly<Record<ListedKind, Page>>;
/** Ids of each kind, the best first. */
export type KindIds = Readonly<Record<ListedKind, readonly number[]>>;

const kinds: readonly ListedKind[] = ['song', 'album', 'artist'];

const inTheReadModel = async (db: ReadDatabase, scope: CatalogScope, words: SearchWords, pages: KindPages): Promise<KindIds> => {
  const ids = (kind: ListedKind): Promise<number[]> => idsByWords(db, { kind, scope }, words, pages[kind]);
  const [song, album, artist] = await Promise.all([ids('song'), ids('album'), ids('artist')]);
  return { song, album, artist };
};

const isBeyond = (pages: KindPages): boolean => kinds.some((kind) => pages[kind].limit > 0 && pages[kind].offset > 0);

/** Who searches, in what. */
export interface WordSearch {
  readonly query: string;
  readonly scope: CatalogScope;
  readonly viewerId: number;
  readonly pages: KindPages;
}

/**
 * Songs, albums and artists by words. Quoted and plus+joined groups stand for exactly these words in this order (compat facts, section 8.5), which no index
 * knows, so the read model is asked; and so it is when an index finds nothing: an index follows the catalogue by moments, and of several words any may do.
 */
export const findByWords = async (
  services: { readonly db: ReadDatabase; readonly wordSearch: SearchIndex },
  search: WordSearch,
): Promise<KindIds> => {
  const { query, scope, viewerId, pages } = search;
  const words = readSearch(query);
  if (words.terms.some(({ exact }) => exact)) return inTheReadModel(services.db, scope, words, pages);
  const text = query.replace(/[*%]+\s*$/, '');
  const found = await services.wordSearch.search({ text, pages, catalogs: scope, viewerId });
  const ids: KindIds = { song: found.song?.ids ?? [], album: found.album?.ids ?? [], artist: found.artist?.ids ?? [] };
  const isNothing = kinds.every((kind) => ids[kind].length === 0);
  // A later page that is empty is the end, not a search that found nothing.
  return isNothing && !isBeyond(pages) ? inTheReadModel(services.db, scope, words, pages) : ids;
};
