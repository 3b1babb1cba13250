import { artistsByIds } from '../../reads/artists.reads.js';
import { scopeOf, type CatalogScope } from '../../reads/catalog-scope.reads.js';
import { readSearch } from '../../reads/search-words.js';
import { songsByIds } from '../../reads/songs.reads.js';
import { pageOfAll, type ListedKind } from '../../reads/whole-list.reads.js';
import { findByWords, type KindIds, type KindPages } from '../../word-search/words.reads.js';
import type { SearchRule } from '../../search/index.js';
import { objectBody } from '../documents.js';
import { foundSongs, listsByFolders, listsByTags, type FoundSongs, type ThreeLists } from '../objects/search.object.js';
import { count, musicFolder, offset, optionalInt, optionalText } from '../parameters.js';
import { anybody, document, type Call } from './endpoint.js';
import { shownAlbums } from './shown-albums.js';

const DEFAULT_COUNT = 20;
/** Clients that copy the library ask for thousands at a time; a page shorter than asked for would tell them that they are done. */
const COUNT_CAP = 10_000;

const size = count(DEFAULT_COUNT, COUNT_CAP);
const searchParams = {
  query: optionalText,
  artistCount: size,
  artistOffset: offset,
  albumCount: size,
  albumOffset: offset,
  songCount: size,
  songOffset: offset,
  musicFolderId: musicFolder,
};

interface SearchParams {
  readonly query: string | undefined;
  readonly artistCount: number;
  readonly artistOffset: number;
  readonly albumCount: number;
  readonly albumOffset: number;
  readonly songCount: number;
  readonly songOffset: number;
  readonly musicFolderId: number | null | undefined;
}

/** A page of everything, for clients that copy the library. */
const pagesOfAll = async ({ db, marks }: Call<unknown>['services'], scope: CatalogScope, pages: KindPages): Promise<KindIds> => {
  const ids = (kind: ListedKind): Promise<number[]> => pageOfAll(db, marks, { kind, scope }, pages[kind]);
  const [artist, album, song] = await Promise.all([ids('artist'), ids('album'), ids('song')]);
  return { artist, album, song };
};

const search = async ({ params, services, viewer }: Call<SearchParams>): Promise<ThreeLists> => {
  const { db } = services;
  const scope = scopeOf(viewer, params.musicFolderId);
  const pages: KindPages = {
    artist: { limit: params.artistCount, offset: params.artistOffset },
    album: { limit: params.albumCount, offset: params.albumOffset },
    song: { limit: params.songCount, offset: params.songOffset },
  };
  const query = params.query ?? '';
  const ids =
    readSearch(query).terms.length === 0
      ? await pagesOfAll(services, scope, pages)
      : await findByWords(services, { query, scope, viewerId: viewer.userId, pages });
  const [artists, albums, songs] = await Promise.all([
    artistsByIds(db, ids.artist, viewer),
    shownAlbums({ services, viewer }, ids.album),
    songsByIds(db, ids.song, viewer),
  ]);
  return { artists, albums, songs };
};

const rules = { artist: 'artist', album: 'album', title: 'title', any: 'anywhere' } as const;
type RuleParameter = keyof typeof rules;

const songParams = {
  artist: optionalText,
  album: optionalText,
  title: optionalText,
  any: optionalText,
  count: size,
  offset,
  newerThan: optionalInt,
};
interface SongSearchParams extends Readonly<Record<RuleParameter, string | undefined>> {
  readonly count: number;
  readonly offset: number;
  /** Epoch milliseconds. */
  readonly newerThan: number | undefined;
}

/** As far as dates of rules reach; nothing is newer. */
const END_OF_TIME_SECONDS = 99_999_999_999;

const newerRule = (newerThanMs: number): SearchRule => {
  const seconds = Math.min(END_OF_TIME_SECONDS, Math.max(0, Math.floor(newerThanMs / 1000)));
  return { name: 'added', operator: 'gt', input: `@${seconds}`, subtype: null, parameter: 'newerThan' };
};

const rulesFrom = (params: SongSearchParams): SearchRule[] => [
  ...(Object.keys(rules) as RuleParameter[]).flatMap((parameter): SearchRule[] => {
    const input = params[parameter]?.trim() ?? '';
    return input === '' ? [] : [{ name: rules[parameter], operator: 'contain', input, subtype: null, parameter }];
  }),
  ...(params.newerThan === undefined ? [] : [newerRule(params.newerThan)]),
];

/** The oldest kind of search: songs whose texts contain what is asked for, all of it. Without any condition it finds nothing. */
const searchSongs = async ({ params, services, viewer }: Call<SongSearchParams>): Promise<FoundSongs> => {
  const asked = rulesFrom(params);
  if (asked.length === 0) return { offset: params.offset, totalHits: 0, songs: [] };
  const list = await services.searches.ids({ type: 'song', rules: asked, logic: 'and' }, viewer);
  const songs = await songsByIds(services.db, [...list.page(params.offset, params.count)], viewer);
  return { offset: params.offset, totalHits: list.total, songs };
};

/** Searching, and copying the whole library page by page. */
export const searchEndpoints = {
  search: document({ access: anybody, params: songParams, body: objectBody('searchResult', foundSongs), answer: searchSongs }),
  search2: document({ access: anybody, params: searchParams, body: objectBody('searchResult2', listsByFolders), answer: search }),
  search3: document({ access: anybody, params: searchParams, body: objectBody('searchResult3', listsByTags), answer: search }),
} as const;
