import { playedAlbumsByIds } from '../../reads/album-plays.reads.js';
import type { Page } from '../../reads/album-list.reads.js';
import { artistsByIds } from '../../reads/artists.reads.js';
import { scopeOf } from '../../reads/catalog-scope.reads.js';
import { readSearch } from '../../reads/search-words.js';
import { songsByIds } from '../../reads/songs.reads.js';
import { pageOfAll, type ListedKind } from '../../reads/whole-list.reads.js';
import { idsByWords } from '../../reads/word-search.reads.js';
import { objectBody } from '../documents.js';
import { listsByFolders, listsByTags, type ThreeLists } from '../objects/search.object.js';
import { count, musicFolder, offset, optionalText } from '../parameters.js';
import { anybody, document, type Call } from './endpoint.js';

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

const search = async ({ params, services, viewer }: Call<SearchParams>): Promise<ThreeLists> => {
  const { db, marks } = services;
  const scope = scopeOf(viewer, params.musicFolderId);
  const words = readSearch(params.query ?? '');
  const ids = (kind: ListedKind, page: Page): Promise<number[]> =>
    words.terms.length === 0 ? pageOfAll(db, marks, { kind, scope }, page) : idsByWords(db, { kind, scope }, words, page);
  const [artistIds, albumIds, songIds] = await Promise.all([
    ids('artist', { limit: params.artistCount, offset: params.artistOffset }),
    ids('album', { limit: params.albumCount, offset: params.albumOffset }),
    ids('song', { limit: params.songCount, offset: params.songOffset }),
  ]);
  const [artists, albums, songs] = await Promise.all([
    artistsByIds(db, artistIds, viewer),
    playedAlbumsByIds(db, albumIds, viewer),
    songsByIds(db, songIds, viewer),
  ]);
  return { artists, albums, songs };
};

/** Searching, and copying the whole library page by page. */
export const searchEndpoints = {
  search2: document({ access: anybody, params: searchParams, body: objectBody('searchResult2', listsByFolders), answer: search }),
  search3: document({ access: anybody, params: searchParams, body: objectBody('searchResult3', listsByTags), answer: search }),
} as const;
