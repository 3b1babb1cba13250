import type { SearchDocument } from '../../search-document.js';
import { nameWords, plainName, withoutArticle } from '../../search-words.js';

/*
 * A document is one array of elements under one inverted index: its words, the words of its name once more with a mark, so that names alone can be
 * searched by the same index, its catalogs, and the accounts that may find it. Words hold letters and digits only, so no mark is mistaken for one.
 */

/** The element of a word in the thing's own names. */
export const inName = (word: string): string => `=${word}`;

/** The element of a catalog; of no catalog without an id. */
export const inCatalog = (catalogId?: number): string => `#${catalogId ?? ''}`;

/** The element of an account. */
export const foundByAccount = (accountId: number): string => `@${accountId}`;

/** Columns of an indexed row. */
export interface IndexedDocument {
  readonly id: number;
  /** The plain name without leading article. */
  readonly key: string;
  readonly plain: string;
  readonly popularity: number;
  readonly private: boolean;
  readonly words: readonly string[];
}

/** Names longer than this are compared by their beginning: an index entry has to fit a page. */
const KEY_CHARS = 200;

const placesOf = ({ catalogIds }: SearchDocument): string[] => (catalogIds.length === 0 ? [inCatalog()] : catalogIds.map(inCatalog));

/** A document as its row. */
export const indexedDocument = (document: SearchDocument): IndexedDocument => {
  const { album, artists = [], albumArtists = [], composers = [], otherNames = [], foundBy } = document;
  const own = new Set([document.name, ...otherNames].flatMap(nameWords));
  const around = [...(album === undefined ? [] : [album]), ...artists, ...albumArtists, ...composers].flatMap(nameWords);
  const plain = plainName(document.name).slice(0, KEY_CHARS);
  const accounts = foundBy === 'everybody' ? [] : foundBy.map(foundByAccount);
  const words = [...new Set([...own, ...around]), ...[...own].map(inName), ...placesOf(document), ...accounts];
  const popularity = Math.max(0, Math.min(2_147_483_647, Math.trunc(document.popularity)));
  return { id: document.id, key: withoutArticle(plain), plain, popularity, private: foundBy !== 'everybody', words };
};
