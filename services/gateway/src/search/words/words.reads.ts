import type { SearchIndex } from '@continuo/search-index';
import type { Page } from '../../reads/library/album-list.reads.js';
import type { CatalogScope } from '../../reads/visibility/catalog-scope.reads.js';
import type { ReadDatabase } from '../../reads/database/database.js';
import { MAX_SEARCH_CHARS, readMusicBrainzId, readSearch, type SearchWords } from './search-words.js';
import { idsByMusicBrainzId } from '../../reads/library/musicbrainz-id.reads.js';
import type { ListedKind } from '../../reads/lists/whole-list.reads.js';
import { idsByWords } from './word-search.reads.js';

/** A page for each kind of thing. */
export type KindPages = Readonly<Record<ListedKind, Page>>;
/** Ids of each kind, the best first. */
export type KindIds = Readonly<Record<ListedKind, readonly number[]>>;

const kinds: readonly ListedKind[] = ['song', 'album', 'artist'];

const ofEachKind = async (ids: (kind: ListedKind) => Promise<number[]>): Promise<KindIds> => {
  const [song, album, artist] = await Promise.all([ids('song'), ids('album'), ids('artist')]);
  return { song, album, artist };
};

const inTheReadModel = (db: ReadDatabase, scope: CatalogScope, words: SearchWords, pages: KindPages): Promise<KindIds> =>
  ofEachKind((kind) => idsByWords(db, { kind, scope }, words, pages[kind]));

const isEmpty = (ids: KindIds): boolean => kinds.every((kind) => ids[kind].length === 0);

const isBeyond = (pages: KindPages): boolean => kinds.some((kind) => pages[kind].limit > 0 && pages[kind].offset > 0);

/** Viewer and scope of a full-text search. */
export interface WordSearch {
  readonly query: string;
  readonly scope: CatalogScope;
  readonly viewerId: number;
  readonly pages: KindPages;
}

/**
 * Songs, albums and artists by words, or by MusicBrainz id, for which the read model has indexes. Quoted and plus+joined groups stand for exactly these words in this order, which no index
 * knows, so the read model is asked; and so it is when an index finds nothing: an index follows the catalogue by moments, and of several words any may do.
 */
export const findByWords = async (
  services: { readonly db: ReadDatabase; readonly wordSearch: SearchIndex },
  search: WordSearch,
): Promise<KindIds> => {
  const { query, scope, viewerId, pages } = search;
  const mbid = readMusicBrainzId(query);
  if (mbid !== undefined) {
    const identified = await ofEachKind((kind) => idsByMusicBrainzId(services.db, { kind, scope }, mbid, pages[kind]));
    if (!isEmpty(identified)) return identified;
  }
  const words = readSearch(query);
  if (words.terms.some(({ exact }) => exact)) return inTheReadModel(services.db, scope, words, pages);
  const text = query.slice(0, MAX_SEARCH_CHARS).replace(/[*%]+\s*$/, '');
  const found = await services.wordSearch.search({ text, pages, catalogs: scope, viewerId });
  const ids: KindIds = { song: found.song?.ids ?? [], album: found.album?.ids ?? [], artist: found.artist?.ids ?? [] };
  // A later page that is empty is the end, not a search that found nothing.
  return isEmpty(ids) && !isBeyond(pages) ? inTheReadModel(services.db, scope, words, pages) : ids;
};
