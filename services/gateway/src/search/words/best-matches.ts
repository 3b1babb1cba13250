import { searchKinds, type SearchKind } from '@continuo/search-index';
import type { HasReadModel } from '../../reads/database/database.js';
import { IdList } from '../../reads/lists/id-list.js';
import type { Viewer } from '../../reads/visibility/viewer.js';
import type { SearchType } from '../search-types.js';
import type { HasSearches } from '../searches.js';
import type { HasWordSearch } from './create-word-search.js';
import { findByWords } from './words.reads.js';

/** So many of a type are found by words at most: who wants all that match asks by rules. */
export const BEST_MATCHES = 200;

type Services = HasReadModel & HasSearches & HasWordSearch;

const isIndexed = (type: SearchType): type is SearchType & SearchKind => (searchKinds as readonly string[]).includes(type);

/**
 * The best matches of each type for what somebody types, `limit` at most: of those in the index forgivingly, the best first; of others those whose title
 * contains the words, or sounds like them when nothing of any type was found.
 */
export const bestMatches = async (
  services: Services,
  { words, types, limit }: { readonly words: string; readonly types: readonly SearchType[]; readonly limit: number },
  viewer: Viewer,
): Promise<ReadonlyMap<SearchType, IdList>> => {
  const page = { offset: 0, limit: Math.min(limit, BEST_MATCHES) };
  const pages = Object.fromEntries(types.filter(isIndexed).map((kind) => [kind, page]));
  const others = types.filter((type) => !isIndexed(type));
  const titled = (operator: 'contain' | 'sounds'): Promise<[SearchType, IdList][]> => {
    const rules = [{ name: 'title', operator, input: words, subtype: null, parameter: 'words' }];
    const search = { rules, logic: 'and', limit: BEST_MATCHES } as const;
    return Promise.all(others.map(async (type) => [type, await services.searches.ids({ ...search, type }, viewer)]));
  };
  const [found, contained] = await Promise.all([
    findByWords(services, { query: words, scope: viewer.catalogs, viewerId: viewer.userId, pages }),
    titled('contain'),
  ]);
  const indexed = types.filter(isIndexed).map((type) => [type, new IdList(Int32Array.from(found[type]))] as const);
  const isNothing = [...indexed, ...contained].every(([, { total }]) => total === 0);
  return new Map([...indexed, ...(isNothing ? await titled('sounds') : contained)]);
};
