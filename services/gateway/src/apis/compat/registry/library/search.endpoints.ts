import type { Page } from '../../../../reads/library/album-list.reads.js';
import { scopeOf, type CatalogScope } from '../../../../reads/visibility/catalog-scope.reads.js';
import { readMusicBrainzId, readSearch } from '../../../../search/words/search-words.js';
import { songFlow } from '../../../../reads/songs/songs.reads.js';
import { pageOfAll, type ListedKind } from '../../../../reads/lists/whole-list.reads.js';
import { findByWords } from '../../../../search/words/words.reads.js';
import type { SearchRule } from '../../../../search/index.js';
import { objectBody } from '../../documents.js';
import { foundSongs, listsByFolders, listsByTags, type FoundSongs, type ThreeLists } from '../../objects/search.object.js';
import { count, musicFolder, offset, optionalInt, optionalText } from '../../parameters.js';
import { endpointsUsing, anybody, type Call, type Parsed } from '../endpoint.js';
import { threeLists } from './three-lists.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasSearches } from '../../../../search/searches.js';
import type { HasWordSearch } from '../../../../search/words/create-word-search.js';
import type { HasPageCursors } from '../../../../reads/lists/page-cursors.js';
import type { HasPreferences } from '../../../../preferences/preferences.js';

type Services = HasReadModel & HasPageCursors & HasSearches & HasWordSearch & HasPreferences;
const { document } = endpointsUsing<Services>();

const DEFAULT_COUNT = 20;
/** Page limit: clients that copy the library take a shorter page as the last one. */
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
type SearchParams = Parsed<typeof searchParams>;

type EachKind<T> = Readonly<Record<ListedKind, T>>;

/** A page of everything, for clients that copy the library. */
const pagesOfAll = async (
  { db, marks }: Call<unknown, Services>['services'],
  scope: CatalogScope,
  pages: EachKind<Page>,
): Promise<EachKind<readonly number[]>> => {
  const ids = (kind: ListedKind): Promise<number[]> => pageOfAll(db, marks, { kind, scope }, pages[kind]);
  const [artist, album, song] = await Promise.all([ids('artist'), ids('album'), ids('song')]);
  return { artist, album, song };
};

const search = async ({ params, services, viewer }: Call<SearchParams, Services>): Promise<ThreeLists> => {
  const scope = scopeOf(viewer, params.musicFolderId);
  const pages: EachKind<Page> = {
    artist: { limit: params.artistCount, offset: params.artistOffset },
    album: { limit: params.albumCount, offset: params.albumOffset },
    song: { limit: params.songCount, offset: params.songOffset },
  };
  const query = params.query ?? '';
  const ids =
    readSearch(query).terms.length === 0
      ? await pagesOfAll(services, scope, pages)
      : await findByWords(services, { query, scope, viewerId: viewer.userId, pages });
  return threeLists({ services, viewer, scope }, { artists: ids.artist, albums: ids.album, songs: ids.song });
};

const rules = { artist: 'artist', album: 'album', title: 'title', any: 'anywhere' } as const;
/** Rules used instead when a MusicBrainz id is given. */
const idRules = { artist: 'mbid_artist', album: 'mbid_album', title: 'mbid', any: 'mbid' } as const;
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
type SongSearchParams = Parsed<typeof songParams>;

/** Latest date that rules support. */
const END_OF_TIME_SECONDS = 99_999_999_999;

const newerRule = (newerThanMs: number): SearchRule => {
  const seconds = Math.min(END_OF_TIME_SECONDS, Math.max(0, Math.floor(newerThanMs / 1000)));
  return { name: 'added', operator: 'gt', input: `@${seconds}`, subtype: null, parameter: 'newerThan' };
};

const rulesFrom = (params: SongSearchParams): SearchRule[] => [
  ...(Object.keys(rules) as RuleParameter[]).flatMap((parameter): SearchRule[] => {
    const input = params[parameter]?.trim() ?? '';
    const mbid = readMusicBrainzId(input);
    if (mbid !== undefined) return [{ name: idRules[parameter], operator: 'equal', input: mbid, subtype: null, parameter }];
    return input === '' ? [] : [{ name: rules[parameter], operator: 'contain', input, subtype: null, parameter }];
  }),
  ...(params.newerThan === undefined ? [] : [newerRule(params.newerThan)]),
];

/** The oldest search: songs whose texts contain all conditions. Without a condition it finds nothing. */
const searchSongs = async ({ params, services, viewer }: Call<SongSearchParams, Services>): Promise<FoundSongs> => {
  const asked = rulesFrom(params);
  if (asked.length === 0) return { offset: params.offset, totalHits: 0, songs: [] };
  const list = await services.searches.ids({ type: 'song', rules: asked, logic: 'and' }, viewer);
  const songs = songFlow(services.db, list.page(params.offset, params.count), viewer);
  return { offset: params.offset, totalHits: list.total, songs };
};

/** Operations for searching and for copying the library. */
export const searchEndpoints = {
  search: document({ access: anybody, params: songParams, body: objectBody('searchResult', foundSongs), flows: true, answer: searchSongs }),
  search2: document({
    access: anybody,
    params: searchParams,
    body: objectBody('searchResult2', listsByFolders),
    flows: true,
    answer: search,
  }),
  search3: document({ access: anybody, params: searchParams, body: objectBody('searchResult3', listsByTags), flows: true, answer: search }),
} as const;
