import type { CallParams } from '../../servers/compat-server.js';
import type { OperationName } from '../../../src/apis/compat/registry/names.js';
import { listTypes } from '../../../src/apis/compat/registry/library/lists.endpoints.js';
import { browsed, call, type Case, type EndpointCases, golden, noFolder, nothingThere, simple, why } from './case.js';

/** Row of a list of albums, with the other parameters of each type that has a golden file. */
const albumLists = (goldens: Readonly<Record<string, CallParams>>): EndpointCases => ({
  success: [
    call({ type: 'byYear', fromYear: 2020, toYear: 1990 }),
    ...listTypes.map((type) => call({ type, fromYear: 1990, toYear: 2020, genre: 'Folk' })),
    ...Object.entries(goldens).map(([type, more]) => golden(type, { type, ...more })),
  ],
  empty: [
    call({ type: 'newest', offset: 1000 }),
    call({ type: 'byGenre', genre: 'Polka' }),
    call({ type: 'random', musicFolderId: 99 }),
    call({ type: 'starred' }, { nothingThere: true }),
    call({ type: 'byYear', fromYear: 1, toYear: 2 }),
  ],
  badParameter: [
    {},
    call({ type: 'best' }),
    call({ type: 'byYear', fromYear: 1990 }),
    call({ type: 'byGenre' }),
    call({ type: 'newest', size: 'many', offset: -1 }, { code: 'ok' }),
    call({ type: 'byYear', fromYear: '99999999999', toYear: '-99999999999', offset: '9007199254740993' }, { code: 'ok' }),
  ],
  notFound: why.namesNothing,
  notAllowed: why.onlySeen,
});

const searched = (everything: Case): EndpointCases => ({
  success: [golden('', { query: 'harbour' }), everything],
  empty: [call({ query: 'nothing like this' }), call({ query: '', musicFolderId: 99 }), call({ query: '' }, { nothingThere: true })],
  // A query that is not there means everything, as an empty one does.
  badParameter: [{ code: 'ok' }, call({ query: 'a', songCount: 'x', songOffset: -1 }, { code: 'ok' })],
  notFound: why.namesNothing,
  notAllowed: why.onlySeen,
});

const folderLists = (ofOne: Case): EndpointCases => ({
  success: [golden(''), call({ musicFolderId: 1 }), call({ musicFolderId: 'mf-2' }), ofOne],
  empty: [noFolder, nothingThere],
  badParameter: [call({ musicFolderId: 'nonsense' }, { code: 'ok' })],
  notFound: 'a folder that is not there shows nothing',
  notAllowed: why.onlySeen,
});
const inFolder = call({ musicFolderId: 2 });

const artistInfo = (first: Case): EndpointCases =>
  browsed('ar-1', 'fo-1', {
    success: [first, call({ id: 'so-1', includeNotPresent: true })],
    empty: [call({ id: 'ar-1', count: 0 })],
    badParameter: [{}, call({ id: 'ar-1', count: 'many' }, { code: 'ok' })],
  });
const oneObject = 'it is one object';

/** Cases of operations about songs, albums, artists, lists, searches, videos and the server itself. */
export const libraryCases = {
  getMusicFolders: simple([nothingThere], { notAllowed: why.onlySeen }),
  getIndexes: {
    success: [golden(''), golden('one-folder', { musicFolderId: 2 }), call({ ifModifiedSince: 1 })],
    empty: [noFolder, nothingThere, golden('unchanged', { ifModifiedSince: 9_999_999_999_999 })],
    badParameter: [call({ ifModifiedSince: 'yesterday' }, { code: 'ok' }), call({ musicFolderId: 'x' }, { code: 'ok' })],
    notFound: 'a folder that is not there shows nothing',
    notAllowed: why.onlySeen,
  },
  getMusicDirectory: {
    success: [
      golden('catalog', { id: '1' }),
      call({ id: 'mf-2' }),
      golden('folder', { id: 'fo-3' }),
      golden('artist', { id: 'ar-1' }),
      golden('album', { id: 'al-1' }),
    ],
    empty: 'a folder without anything below is not kept',
    badParameter: [{}],
    notFound: [call({ id: 'fo-999' }), call({ id: '99' }), call({ id: 'so-1' }), call({ id: 'x' })],
    notAllowed: why.onlySeen,
  },
  getArtists: folderLists(inFolder),
  getArtist: browsed('ar-1', 'al-1', {
    success: [golden('', { id: 'ar-1' }), golden('credited-only', { id: 'ar-2' })],
    empty: [call({ id: 'ar-1', musicFolderId: 99 })],
  }),
  getAlbum: browsed('al-1', 'so-1'),
  getSong: browsed('so-1', 'al-1', { success: [golden('', { id: 'so-1' }), golden('untagged', { id: 'so-4' })] }),
  getGenres: folderLists(inFolder),
  getVideos: simple([nothingThere], { notAllowed: why.onlySeen }),
  getVideoInfo: browsed('vi-1', 'so-1', {
    empty: [golden('bare', { id: 'vi-2' })],
    notFound: [golden('unknown', { id: 'vi-99' }), call({ id: 'so-1' }), call({ id: 'nonsense' })],
  }),
  getArtistInfo: artistInfo(call({ id: 'ar-1' })),
  getArtistInfo2: artistInfo(golden('', { id: 'ar-1' })),
  getAlbumInfo: browsed('al-1', 'ar-1', { success: [call({ id: 'al-1' })], empty: oneObject }),
  getAlbumInfo2: browsed('al-1', 'ar-1', { empty: oneObject }),
  getSimilarSongs: browsed('so-1', 'fo-1', {
    success: [golden('', { id: 'so-1' }), golden('album', { id: 'al-1', count: 2 })],
    empty: [call({ id: 'so-1', count: 0 })],
    badParameter: [{}, call({ id: 'so-1', count: 'x' }, { code: 'ok' })],
  }),
  getSimilarSongs2: browsed('ar-1', 'so-1', {
    success: [call({ id: 'ar-1' }), golden('', { id: 'ar-1', count: 3 })],
    empty: [call({ id: 'ar-1', count: 0 })],
    badParameter: [{}, call({ id: 'ar-1', count: '-3' }, { code: 'ok' })],
  }),
  getTopSongs: {
    success: [golden('', { id: 'ar-1' }), call({ artist: 'The Harbour Lights' })],
    empty: [call({ artist: 'Nobody' })],
    badParameter: [{}, call({ id: '' }), call({ id: 'ar-1', count: 'x' }, { code: 'ok' })],
    notFound: [call({ id: 'ar-999' }), call({ id: 'al-1' })],
    notAllowed: why.onlySeen,
  },
  getSonicSimilarTracks: {
    success: [call({ id: 'so-1' }), golden('', { id: 'so-1', count: 2 }), call({ id: 'so-3', count: 3 }, { as: 'gus' })],
    empty: [golden('unanalysed', { id: 'so-2' }), call({ id: 'so-1', count: 0 })],
    badParameter: [{}, call({ id: '' }), call({ id: 'so-1', count: 'x' }, { code: 'ok' })],
    notFound: [call({ id: 'so-999' }), call({ id: 'al-1' })],
    notAllowed: why.onlySeen,
  },
  findSonicPath: {
    success: [call({ startSongId: 'so-1', endSongId: 'so-4' }), golden('', { startSongId: 'so-1', endSongId: 'so-4', count: 3 })],
    empty: [call({ startSongId: 'so-1', endSongId: 'so-2' })],
    badParameter: [{}, call({ startSongId: 'so-1' }), call({ endSongId: 'so-1' })],
    notFound: [call({ startSongId: 'so-999', endSongId: 'so-1' }), call({ startSongId: 'so-1', endSongId: 'ar-1' })],
    notAllowed: why.onlySeen,
  },

  getAlbumList: albumLists({ newest: {}, highest: {} }),
  getAlbumList2: albumLists({ alphabeticalByName: {}, starred: {}, frequent: { size: 2 }, recent: { size: 2 } }),
  getRandomSongs: {
    success: [{}, call({ genre: 'folk', fromYear: 1990, toYear: 2020, size: 3 })],
    empty: [call({ genre: 'Polka' }), call({ fromYear: 3000 }), noFolder, nothingThere],
    badParameter: [call({ size: 'x', fromYear: 'x', toYear: '1e3' }, { code: 'ok' })],
    notFound: why.namesNothing,
    notAllowed: why.onlySeen,
  },
  getSongsByGenre: {
    success: [call({ genre: 'Folk' }), golden('', { genre: 'folk' })],
    empty: [call({ genre: 'Polka' }), call({ genre: 'Folk', offset: 99 }), call({ genre: 'Folk', musicFolderId: 99 })],
    badParameter: [{}, call({ genre: '' }), call({ genre: 'Folk', count: 'x', offset: 'y' }, { code: 'ok' })],
    notFound: 'a genre that is not there has no songs',
    notAllowed: why.onlySeen,
  },
  getNowPlaying: simple([nothingThere]),
  getStarred: folderLists(inFolder),
  getStarred2: folderLists(golden('one-folder', { musicFolderId: 2 })),

  search: {
    success: [
      call({ any: 'harbour' }),
      golden('any', { any: 'harbour', count: 1, offset: 1 }),
      golden('', { title: 'opening', artist: 'zo' }),
    ],
    empty: [
      call({ any: 'nothing like this' }),
      call({ any: 'harbour', newerThan: 9_999_999_999_999 }),
      call({ any: 'harbour' }, { nothingThere: true }),
    ],
    badParameter: [call({ any: 'harbour', count: 'x', offset: 'y', newerThan: 'z' }, { code: 'ok' })],
    notFound: why.namesNothing,
    notAllowed: why.onlySeen,
  },
  search2: searched(call({ query: '""' })),
  search3: searched(golden('everything', { query: '""' })),

  getLyrics: {
    success: [golden('', { artist: 'The Harbour Lights', title: 'Opening Æther' })],
    empty: [golden('none', { artist: 'Nobody', title: 'Nothing' }), {}],
    badParameter: [call({ artist: 'The Harbour Lights' }, { code: 'ok' })],
    notFound: 'a song that is not there has no words',
    notAllowed: why.onlySeen,
  },
  getLyricsBySongId: browsed('so-1', 'al-1', {
    success: [golden('', { id: 'so-1' }), golden('enhanced', { id: 'so-1', enhanced: true })],
    empty: [call({ id: 'so-4' })],
  }),
  getCaptions: {
    success: [call({ id: 'vi-1' }), call({ id: 'vi-1', format: 'vtt' })],
    empty: why.bytes,
    badParameter: [golden('missing'), golden('format', { id: 'vi-1', format: 'ttml' })],
    notFound: [golden('none', { id: 'vi-2' }), golden('unknown', { id: 'vi-99' }), call({ id: 'so-1' })],
    notAllowed: why.onlySeen,
  },
  getCoverArt: {
    success: [call({ id: 'al-1' }), call({ id: 'al-1', size: 10 })],
    empty: why.bytes,
    badParameter: [{}, call({ id: 'al-1', size: 'x' }, { code: 'ok' }), call({ id: 'al-1', size: -1 }, { code: 'ok' })],
    notFound: [call({ id: 'al-999' }), call({ id: 'us-1' }), call({ id: 'x' })],
    notAllowed: why.onlySeen,
  },

  getScanStatus: simple(why.noList),
  startScan: simple(why.noList, { success: [{}], notAllowed: [{ as: 'bob' }] }),
  ping: simple(why.does, {
    badParameter: [call({ v: '' }), call({ c: '' }), call({ v: 'x' })],
  }),
  getLicense: simple(why.noList),
  getOpenSubsonicExtensions: simple('the list is the same on every server', { notAllowed: 'everybody may, also without an account' }),
  tokenInfo: {
    success: [call({ apiKey: 'key-ada' })],
    empty: why.noList,
    badParameter: [golden('password', {}, { code: 44 })],
    notFound: why.namesNothing,
    notAllowed: why.everybody,
  },
} satisfies Partial<Record<OperationName, EndpointCases>>;
