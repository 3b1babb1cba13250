import type { Settings } from 'meilisearch';
import { MAX_SEARCH_MATCHES } from '../../search-index.js';
import { searchKinds, type SearchKind } from '../../search-document.js';

/** The oldest Meilisearch that knows every setting and parameter used here (`skipCreation` is the newest of them). */
export const OLDEST_MEILISEARCH = '1.31';

/** Goes up with every change of the settings or of the form of the documents: what another version wrote is built anew. */
export const MEILISEARCH_FORM_VERSION = 1;

/** Names of the indexes of one Continuo on a Meilisearch that may serve others too. */
export interface IndexNames {
  readonly byKind: Readonly<Record<SearchKind, string>>;
  /** Holds one document, the checkpoint; swapped together with the others. */
  readonly state: string;
  readonly all: readonly string[];
}

/** The live indexes, or with `run` those of a rebuild. */
export const indexNames = (prefix: string, run?: string): IndexNames => {
  const nameOf = (part: string): string => [prefix, part, ...(run === undefined ? [] : [run])].join('_');
  const byKind = Object.fromEntries(searchKinds.map((kind) => [kind, nameOf(kind)])) as Record<SearchKind, string>;
  const state = nameOf('state');
  return { byKind, state, all: [...Object.values(byKind), state] };
};

/** True for an index that a rebuild of this prefix made. */
export const isRebuildIndex = (prefix: string, uid: string): boolean => {
  const [run, part, ...rest] = uid.split('_').toReversed();
  const known: readonly (string | undefined)[] = [...searchKinds, 'state'];
  return rest.toReversed().join('_') === prefix && known.includes(part) && /^r[0-9a-z]+$/.test(run ?? '');
};

/** Attributes in which words are looked for, the ones that count most first. */
export const SEARCHED_ATTRIBUTES = ['name', 'otherNames', 'artists', 'album', 'albumArtists', 'composers', 'words'] as const;

const onlyEquality = { facetSearch: false, filter: { equality: true, comparison: false } };

/**
 * Settings of the indexes of things. Texts arrive folded and cut, so that nothing is left to the server's guess of a language: with `cmn` given,
 * it guesses none, for documents and searches alike. Typing mistakes are forgiven as in the Postgres adapter.
 */
export const thingSettings: Settings = {
  searchableAttributes: [...SEARCHED_ATTRIBUTES],
  displayedAttributes: ['id'],
  filterableAttributes: [{ attributePatterns: ['catalogIds', 'isInCatalogs', 'isPrivate', 'accountIds'], features: onlyEquality }],
  sortableAttributes: [],
  rankingRules: ['words', 'typo', 'proximity', 'attribute', 'sort', 'exactness', 'popularity:desc', 'id:asc'],
  stopWords: [],
  synonyms: {},
  typoTolerance: { enabled: true, minWordSizeForTypos: { oneTypo: 4, twoTypos: 8 }, disableOnNumbers: true },
  pagination: { maxTotalHits: MAX_SEARCH_MATCHES },
  localizedAttributes: [{ attributePatterns: ['*'], locales: ['cmn'] }],
  prefixSearch: 'indexingTime',
  facetSearch: false,
  proximityPrecision: 'byWord',
  // Below the time after which a gateway asks Postgres: a search that takes longer answers what it has found.
  searchCutoffMs: 300,
};

/** Nothing is searched in the index of the checkpoint. */
export const stateSettings: Settings = { searchableAttributes: [], filterableAttributes: [], facetSearch: false, prefixSearch: 'disabled' };
