import type { CallParams, TestAccount } from '../../servers/compat-server.js';
import type { CompatErrorCode } from '../../../src/apis/compat/errors.js';
import type { OperationName } from '../../../src/apis/compat/registry/names.js';

/** A call, and what it must come to where that is not what its column says. */
export interface Case {
  readonly params?: CallParams;
  /** Caller; ada, an administrator, when absent. */
  readonly as?: TestAccount;
  /** Sent as JSON in the body. */
  readonly body?: object;
  /** Asked of the server that holds nothing. */
  readonly nothingThere?: true;
  /** The refusal; `ok` for what is answered, since what is wrong with it counts as not said. */
  readonly code?: CompatErrorCode | 'ok';
}

/** Calls of one kind, or why there can be none. */
export type Cases = readonly [Case, ...Case[]] | string;

/** The five ways in which an operation is called. */
export interface EndpointCases {
  /** Expected outcome: ok, or bytes for media operations. */
  readonly success: Cases;
  /** Ok, and every list of the answer is empty. */
  readonly empty: Cases;
  /** Refused with 10 when nothing else is said. */
  readonly badParameter: Cases;
  /** Refused with 70 when nothing else is said. */
  readonly notFound: Cases;
  /** Refused with 50 when nothing else is said. Calls with wrong credentials are refused with 40 everywhere, which needs no rows. */
  readonly notAllowed: Cases;
}

const NO_PARAMETERS = 'it has no parameters of its own';
const NO_LIST = 'it answers no list';
const DOES = 'it does something and answers an empty envelope';
const NAMES_NOTHING = 'it names nothing that could be missing';
const EVERYBODY = 'every account may, guests included';
const BYTES = 'it answers bytes';
/** A folder that cannot exist shows nothing. */
const noFolder: Case = { params: { musicFolderId: 99 } };
const nothingThere: Case = { nothingThere: true };
const onlySeen = 'what the account may not see is missing from it: access-matrix/hidden-catalog.int.spec.ts';

const browsed = (id: string, other: string, extra: Partial<EndpointCases> = {}): EndpointCases => ({
  success: [{ params: { id } }],
  empty: 'a thing without parts is not kept',
  badParameter: [{}, { params: { id: '' } }],
  notFound: [{ params: { id: `${id.slice(0, 3)}999` } }, { params: { id: other } }, { params: { id: 'nonsense' } }],
  notAllowed: `${EVERYBODY}; ${onlySeen}`,
  ...extra,
});

const albumLists = (): EndpointCases => ({
  success: [
    { params: { type: 'random' } },
    { params: { type: 'newest' } },
    { params: { type: 'highest' } },
    { params: { type: 'frequent' } },
    { params: { type: 'recent' } },
    { params: { type: 'alphabeticalByName' } },
    { params: { type: 'alphabeticalByArtist' } },
    { params: { type: 'starred' } },
    { params: { type: 'byYear', fromYear: 1990, toYear: 2020 } },
    { params: { type: 'byYear', fromYear: 2020, toYear: 1990 } },
    { params: { type: 'byGenre', genre: 'Folk' } },
  ],
  empty: [
    { params: { type: 'newest', offset: 1000 } },
    { params: { type: 'byGenre', genre: 'Polka' } },
    { params: { type: 'random', musicFolderId: 99 } },
    { params: { type: 'starred' }, nothingThere: true },
    { params: { type: 'byYear', fromYear: 1, toYear: 2 } },
  ],
  badParameter: [
    {},
    { params: { type: 'best' } },
    { params: { type: 'byYear', fromYear: 1990 } },
    { params: { type: 'byGenre' } },
    { params: { type: 'newest', size: 'many', offset: -1 }, code: 'ok' },
    { params: { type: 'byYear', fromYear: '99999999999', toYear: '-99999999999', offset: '9007199254740993' }, code: 'ok' },
  ],
  notFound: NAMES_NOTHING,
  notAllowed: `${EVERYBODY}; ${onlySeen}`,
});

const searched = (): EndpointCases => ({
  success: [{ params: { query: 'harbour' } }, { params: { query: '""' } }],
  empty: [
    { params: { query: 'nothing like this' } },
    { params: { query: '', musicFolderId: 99 } },
    { params: { query: '' }, nothingThere: true },
  ],
  // A query that is not there means everything, as an empty one does.
  badParameter: [{ code: 'ok' }, { params: { query: 'a', songCount: 'x', songOffset: -1 }, code: 'ok' }],
  notFound: NAMES_NOTHING,
  notAllowed: `${EVERYBODY}; ${onlySeen}`,
});

const folderLists = (): EndpointCases => ({
  success: [{}, { params: { musicFolderId: 1 } }, { params: { musicFolderId: 'mf-2' } }],
  empty: [noFolder, nothingThere],
  badParameter: [{ params: { musicFolderId: 'nonsense' }, code: 'ok' }],
  notFound: 'a folder that is not there shows nothing',
  notAllowed: `${EVERYBODY}; ${onlySeen}`,
});

const starring = (): EndpointCases => ({
  success: [{ params: { id: ['so-1', 'fo-3'], albumId: 'al-1', artistId: 'ar-1' } }],
  empty: DOES,
  badParameter: [{}, { params: { id: '' } }],
  notFound: [{ params: { id: 'so-999' } }, { params: { albumId: 'al-999' } }, { params: { artistId: 'x' } }],
  notAllowed: EVERYBODY,
});

const artistInfo = (): EndpointCases =>
  browsed('ar-1', 'fo-1', {
    success: [{ params: { id: 'ar-1' } }, { params: { id: 'so-1', includeNotPresent: true } }],
    empty: [{ params: { id: 'ar-1', count: 0 } }],
    badParameter: [{}, { params: { id: 'ar-1', count: 'many' }, code: 'ok' }],
  });
const albumInfo = (): EndpointCases => browsed('al-1', 'ar-1', { empty: 'it is one object' });

const needs = (role: string, calls: readonly [Case, ...Case[]]): Cases => (role === '' ? EVERYBODY : calls);
const profile = { name: 'spec', platform: 'spec' };
const mp3Alone = {
  ...profile,
  directPlayProfiles: [{ containers: ['mp3'], audioCodecs: ['mp3'], protocols: ['http'] }],
  transcodingProfiles: [{ container: 'mp3', audioCodec: 'mp3', protocol: 'http' }],
};
const limited = (comparison: string) => ({
  ...mp3Alone,
  codecProfiles: [{ type: 'AudioCodec', name: 'mp3', limitations: [{ name: 'audioChannels', comparison, values: ['2'], required: true }] }],
});
const station = { streamUrl: 'http://radio.example/live', name: 'Radio' };

const podcastTask = (id: string): EndpointCases => ({
  success: [{ params: { id } }],
  empty: DOES,
  badParameter: [{}, { params: { id: '' } }],
  notFound: [{ params: { id: `${id.slice(0, 3)}999` } }, { params: { id: 'so-1' } }, { params: { id: 'nonsense' } }],
  notAllowed: [
    { params: { id }, as: 'bob' },
    { params: { id }, as: 'gus' },
  ],
});

const queued = (): EndpointCases => ({
  success: [{}, { as: 'bob' }],
  empty: [nothingThere],
  badParameter: NO_PARAMETERS,
  notFound: NAMES_NOTHING,
  notAllowed: EVERYBODY,
});

/**
 * Cases of every operation: each has calls of all five kinds, or the reason why there can be none. Suites run all of them in both forms and formats
 * against the published descriptions; an operation without its row does not compile.
 */
export const endpointCases: Readonly<Record<OperationName, EndpointCases>> = {
  ping: {
    success: [{}],
    empty: DOES,
    badParameter: [{ params: { v: '' } }, { params: { c: '' } }, { params: { v: 'x' } }],
    notFound: NAMES_NOTHING,
    notAllowed: EVERYBODY,
  },
  getLicense: { success: [{}], empty: NO_LIST, badParameter: NO_PARAMETERS, notFound: NAMES_NOTHING, notAllowed: EVERYBODY },
  getOpenSubsonicExtensions: {
    success: [{}],
    empty: 'the list is the same on every server',
    badParameter: NO_PARAMETERS,
    notFound: NAMES_NOTHING,
    notAllowed: 'everybody may, also without an account',
  },
  tokenInfo: {
    success: [{ params: { apiKey: 'key-ada' } }],
    empty: NO_LIST,
    badParameter: [{ code: 44 }],
    notFound: NAMES_NOTHING,
    notAllowed: EVERYBODY,
  },
  getMusicFolders: {
    success: [{}],
    empty: [nothingThere],
    badParameter: NO_PARAMETERS,
    notFound: NAMES_NOTHING,
    notAllowed: `${EVERYBODY}; ${onlySeen}`,
  },

  getIndexes: {
    success: [{}, { params: { musicFolderId: 2 } }, { params: { ifModifiedSince: 1 } }],
    empty: [noFolder, nothingThere, { params: { ifModifiedSince: 9_999_999_999_999 } }],
    badParameter: [
      { params: { ifModifiedSince: 'yesterday' }, code: 'ok' },
      { params: { musicFolderId: 'x' }, code: 'ok' },
    ],
    notFound: 'a folder that is not there shows nothing',
    notAllowed: `${EVERYBODY}; ${onlySeen}`,
  },
  getMusicDirectory: {
    success: [
      { params: { id: '1' } },
      { params: { id: 'mf-2' } },
      { params: { id: 'fo-3' } },
      { params: { id: 'ar-1' } },
      { params: { id: 'al-1' } },
    ],
    empty: 'a folder without anything below is not kept',
    badParameter: [{}],
    notFound: [{ params: { id: 'fo-999' } }, { params: { id: '99' } }, { params: { id: 'so-1' } }, { params: { id: 'x' } }],
    notAllowed: `${EVERYBODY}; ${onlySeen}`,
  },
  getArtists: folderLists(),
  getArtist: browsed('ar-1', 'al-1', { empty: [{ params: { id: 'ar-1', musicFolderId: 99 } }] }),
  getAlbum: browsed('al-1', 'so-1'),
  getSong: browsed('so-1', 'al-1'),
  getGenres: folderLists(),
  getVideos: {
    success: [{}],
    empty: [nothingThere],
    badParameter: NO_PARAMETERS,
    notFound: NAMES_NOTHING,
    notAllowed: `${EVERYBODY}; ${onlySeen}`,
  },
  getVideoInfo: browsed('vi-1', 'so-1', { empty: [{ params: { id: 'vi-2' } }] }),
  getArtistInfo: artistInfo(),
  getArtistInfo2: artistInfo(),
  getAlbumInfo: albumInfo(),
  getAlbumInfo2: albumInfo(),
  getSimilarSongs: browsed('so-1', 'fo-1', {
    empty: [{ params: { id: 'so-1', count: 0 } }],
    badParameter: [{}, { params: { id: 'so-1', count: 'x' }, code: 'ok' }],
  }),
  getSimilarSongs2: browsed('ar-1', 'so-1', {
    empty: [{ params: { id: 'ar-1', count: 0 } }],
    badParameter: [{}, { params: { id: 'ar-1', count: '-3' }, code: 'ok' }],
  }),
  getTopSongs: {
    success: [{ params: { id: 'ar-1' } }, { params: { artist: 'The Harbour Lights' } }],
    empty: [{ params: { artist: 'Nobody' } }],
    badParameter: [{}, { params: { id: '' } }, { params: { id: 'ar-1', count: 'x' }, code: 'ok' }],
    notFound: [{ params: { id: 'ar-999' } }, { params: { id: 'al-1' } }],
    notAllowed: `${EVERYBODY}; ${onlySeen}`,
  },

  getAlbumList: albumLists(),
  getAlbumList2: albumLists(),
  getRandomSongs: {
    success: [{}, { params: { genre: 'folk', fromYear: 1990, toYear: 2020, size: 3 } }],
    empty: [{ params: { genre: 'Polka' } }, { params: { fromYear: 3000 } }, noFolder, nothingThere],
    badParameter: [{ params: { size: 'x', fromYear: 'x', toYear: '1e3' }, code: 'ok' }],
    notFound: NAMES_NOTHING,
    notAllowed: `${EVERYBODY}; ${onlySeen}`,
  },
  getSongsByGenre: {
    success: [{ params: { genre: 'Folk' } }],
    empty: [{ params: { genre: 'Polka' } }, { params: { genre: 'Folk', offset: 99 } }, { params: { genre: 'Folk', musicFolderId: 99 } }],
    badParameter: [{}, { params: { genre: '' } }, { params: { genre: 'Folk', count: 'x', offset: 'y' }, code: 'ok' }],
    notFound: 'a genre that is not there has no songs',
    notAllowed: `${EVERYBODY}; ${onlySeen}`,
  },
  getNowPlaying: { success: [{}], empty: [nothingThere], badParameter: NO_PARAMETERS, notFound: NAMES_NOTHING, notAllowed: EVERYBODY },
  getStarred: folderLists(),
  getStarred2: folderLists(),

  search: {
    success: [{ params: { any: 'harbour' } }, { params: { title: 'opening', artist: 'zo' } }],
    empty: [
      { params: { any: 'nothing like this' } },
      { params: { any: 'harbour', newerThan: 9_999_999_999_999 } },
      { params: { any: 'harbour' }, nothingThere: true },
    ],
    badParameter: [{ params: { any: 'harbour', count: 'x', offset: 'y', newerThan: 'z' }, code: 'ok' }],
    notFound: NAMES_NOTHING,
    notAllowed: `${EVERYBODY}; ${onlySeen}`,
  },
  search2: searched(),
  search3: searched(),

  getPlaylists: {
    success: [{}, { params: { username: 'listener' } }],
    empty: [nothingThere],
    badParameter: [{ params: { username: '' }, code: 'ok' }],
    notFound: [{ params: { username: 'nobody' } }],
    notAllowed: [{ params: { username: 'listener' }, as: 'bob' }],
  },
  getPlaylist: browsed('pl-1', 'so-1', {
    empty: [{ params: { id: 'pl-2' } }],
    notAllowed: `${EVERYBODY}; ${onlySeen}`,
  }),
  createPlaylist: {
    success: [{ params: { name: 'New', songId: ['so-1', 'so-2'] } }, { params: { playlistId: 'pl-1', songId: 'so-1' } }],
    empty: [{ params: { name: 'New' } }],
    badParameter: [{}, { params: { songId: 'so-1' } }, { params: { name: ' ' } }],
    notFound: [{ params: { playlistId: 'pl-999' } }, { params: { name: 'New', songId: 'so-999' } }],
    notAllowed: [{ params: { playlistId: 'pl-4', songId: 'so-1' }, as: 'bob' }],
  },
  updatePlaylist: {
    success: [{ params: { playlistId: 'pl-1', name: 'x', comment: 'y', public: true, songIndexToRemove: 0, songIdToAdd: 'so-1' } }],
    empty: DOES,
    badParameter: [
      {},
      { params: { playlistId: 'pl-1', songIndexToRemove: 99 } },
      { params: { playlistId: 'pl-1', songIndexToRemove: 'x' } },
      { params: { playlistId: 'pl-1', name: 'x'.repeat(5000) } },
    ],
    notFound: [{ params: { playlistId: 'pl-999' } }, { params: { playlistId: 'pl-1', songIdToAdd: 'so-999' } }],
    notAllowed: [{ params: { playlistId: 'pl-4', name: 'x' }, as: 'bob' }],
  },
  deletePlaylist: {
    success: [{ params: { id: 'pl-2' } }, { params: { id: 'sp-1' } }],
    empty: DOES,
    badParameter: [{}],
    notFound: [{ params: { id: 'pl-999' } }, { params: { id: 'so-1' } }],
    notAllowed: [{ params: { id: 'pl-4' }, as: 'bob' }],
  },

  stream: {
    success: [{ params: { id: 'so-1' } }, { params: { id: 'so-1', format: 'raw' } }],
    empty: BYTES,
    badParameter: [{}, { params: { id: 'so-1', maxBitRate: 'x', timeOffset: 'y', size: 'z' }, code: 'ok' }],
    notFound: [{ params: { id: 'so-999' } }, { params: { id: 'al-1' } }, { params: { id: 'pe-999' } }],
    notAllowed: [{ params: { id: 'so-1' }, as: 'gus' }],
  },
  download: {
    success: [{ params: { id: 'so-1' } }],
    empty: BYTES,
    badParameter: [{}],
    notFound: [{ params: { id: 'so-999' } }, { params: { id: 'fo-1' } }, { params: { id: 'so-2' } }],
    notAllowed: [{ params: { id: 'so-1' }, as: 'gus' }],
  },
  'hls.m3u8': {
    success: [{ params: { id: 'so-1' } }, { params: { id: 'so-1', bitRate: ['64', '128'] } }],
    empty: BYTES,
    badParameter: [{}, { params: { id: 'so-1', bitRate: 'fast' } }, { params: { id: 'vi-1', audioTrack: 'x' } }],
    notFound: [{ params: { id: 'so-999' } }, { params: { id: 'al-1' } }],
    notAllowed: [{ params: { id: 'so-1' }, as: 'gus' }],
  },
  getCaptions: {
    success: [{ params: { id: 'vi-1' } }, { params: { id: 'vi-1', format: 'vtt' } }],
    empty: BYTES,
    badParameter: [{}, { params: { id: 'vi-1', format: 'ttml' } }],
    notFound: [{ params: { id: 'vi-2' } }, { params: { id: 'vi-999' } }, { params: { id: 'so-1' } }],
    notAllowed: `${EVERYBODY}; ${onlySeen}`,
  },
  getCoverArt: {
    success: [{ params: { id: 'al-1' } }, { params: { id: 'al-1', size: 10 } }],
    empty: BYTES,
    badParameter: [{}, { params: { id: 'al-1', size: 'x' }, code: 'ok' }, { params: { id: 'al-1', size: -1 }, code: 'ok' }],
    notFound: [{ params: { id: 'al-999' } }, { params: { id: 'us-1' } }, { params: { id: 'x' } }],
    notAllowed: `${EVERYBODY}; ${onlySeen}`,
  },
  getAvatar: {
    success: [{ params: { username: 'admin' } }],
    empty: BYTES,
    badParameter: [{}],
    notFound: [{ params: { username: 'nobody' } }, { params: { username: 'listener' } }],
    notAllowed: [{ params: { username: 'admin' }, as: 'bob' }],
  },
  getLyrics: {
    success: [{ params: { artist: 'The Harbour Lights', title: 'Opening Æther' } }],
    empty: [{ params: { artist: 'Nobody', title: 'Nothing' } }, {}],
    badParameter: [{ params: { artist: 'The Harbour Lights' }, code: 'ok' }],
    notFound: 'a song that is not there has no words',
    notAllowed: `${EVERYBODY}; ${onlySeen}`,
  },
  getLyricsBySongId: browsed('so-1', 'al-1', {
    success: [{ params: { id: 'so-1' } }, { params: { id: 'so-1', enhanced: true } }],
    empty: [{ params: { id: 'so-4' } }],
  }),
  getTranscodeDecision: {
    success: [
      { params: { mediaId: 'so-1', mediaType: 'song' }, body: profile },
      { params: { mediaId: 'pe-1', mediaType: 'podcast' }, body: profile },
      { params: { mediaId: 'so-1', mediaType: 'song' }, body: mp3Alone },
      { params: { mediaId: 'so-1', mediaType: 'song' }, body: limited('lessthanequal') },
      { params: { mediaId: 'so-1', mediaType: 'song' }, body: { ...mp3Alone, transcodingProfiles: [] } },
    ],
    empty: NO_LIST,
    badParameter: [
      { body: profile },
      { params: { mediaId: 'so-1', mediaType: 'film' }, body: profile },
      { params: { mediaId: 'so-1', mediaType: 'song' } },
      { params: { mediaId: 'so-1', mediaType: 'song' }, body: { ...profile, directPlayProfiles: 1 } },
      { params: { mediaId: 'so-1', mediaType: 'song' }, body: limited('Above') },
      { params: { mediaId: 'so-1', mediaType: 'song' }, body: { ...profile, directPlayProfiles: [{ protocols: ['gopher'] }] } },
      {
        params: { mediaId: 'so-1', mediaType: 'song' },
        body: { ...profile, transcodingProfiles: [{ container: 'mp3', audioCodec: 'mp3', protocol: 'rtsp' }] },
      },
    ],
    notFound: [
      { params: { mediaId: 'so-999', mediaType: 'song' }, body: profile },
      { params: { mediaId: 'pe-999', mediaType: 'podcast' }, body: profile },
    ],
    notAllowed: [{ params: { mediaId: 'so-1', mediaType: 'song' }, body: profile, as: 'gus' }],
  },
  getTranscodeStream: {
    success: 'with the parameters of a decision: compat-media specs of transcoding',
    empty: BYTES,
    badParameter: [{}, { params: { mediaId: 'so-1', mediaType: 'song', transcodeParams: 'forged' } }],
    notFound: 'whatever is not there has no parameters that could be right',
    notAllowed: [{ params: { mediaId: 'so-1', mediaType: 'song', transcodeParams: 'x' }, as: 'gus' }],
  },

  star: starring(),
  unstar: starring(),
  setRating: {
    success: [{ params: { id: 'so-1', rating: 5 } }, { params: { id: 'al-1', rating: 0 } }],
    empty: DOES,
    badParameter: [{}, { params: { id: 'so-1' } }, { params: { id: 'so-1', rating: 6 } }, { params: { id: 'so-1', rating: '4.5' } }],
    notFound: [{ params: { id: 'so-999', rating: 1 } }, { params: { id: 'us-1', rating: 1 } }],
    notAllowed: EVERYBODY,
  },
  scrobble: {
    success: [
      { params: { id: ['so-1', 'so-2', 'pe-1'], time: ['1714550000000'] } },
      { params: { id: 'so-1', submission: false } },
      { params: { id: 'pe-1', submission: false } },
    ],
    empty: DOES,
    badParameter: [{}, { params: { id: 'so-1', time: 'never' }, code: 'ok' }],
    notFound: [{ params: { id: 'so-999' } }, { params: { id: 'al-1' } }],
    notAllowed: EVERYBODY,
  },
  reportPlayback: {
    success: [
      { params: { mediaId: 'so-1', mediaType: 'song', positionMs: 0, state: 'playing' } },
      { params: { mediaId: 'pe-1', mediaType: 'podcast', positionMs: 0, state: 'playing' } },
    ],
    empty: DOES,
    badParameter: [
      {},
      { params: { mediaId: 'so-1', mediaType: 'song', positionMs: -1, state: 'playing' } },
      { params: { mediaId: 'so-1', mediaType: 'song', positionMs: 0, state: 'dancing' } },
      { params: { mediaId: 'so-1', mediaType: 'song', positionMs: 0, state: 'playing', playbackRate: 'NaN' } },
    ],
    notFound: [
      { params: { mediaId: 'so-999', mediaType: 'song', positionMs: 0, state: 'playing' } },
      { params: { mediaId: 'pe-999', mediaType: 'podcast', positionMs: 0, state: 'playing' } },
      { params: { mediaId: 'pe-1', mediaType: 'song', positionMs: 0, state: 'playing' } },
    ],
    notAllowed: EVERYBODY,
  },

  getShares: { success: [{}], empty: [nothingThere], badParameter: NO_PARAMETERS, notFound: NAMES_NOTHING, notAllowed: [{ as: 'gus' }] },
  createShare: {
    success: [{ params: { id: 'so-2', description: 'A song', expires: 1_900_000_000_000 } }],
    empty: 'a share has something in it',
    badParameter: [{}, { params: { id: 'so-2', expires: 'soon' }, code: 'ok' }],
    notFound: [{ params: { id: 'so-999' } }, { params: { id: 'fo-1' } }],
    notAllowed: [{ params: { id: 'so-2' }, as: 'gus' }],
  },
  updateShare: {
    success: [{ params: { id: 'sh-1', description: 'x', expires: 0 } }],
    empty: DOES,
    badParameter: [{}],
    notFound: [{ params: { id: 'sh-99' } }, { params: { id: 'x' } }],
    notAllowed: [
      { params: { id: 'sh-1' }, as: 'gus' },
      { params: { id: 'sh-1' }, as: 'bob', code: 70 },
    ],
  },
  deleteShare: {
    success: [{ params: { id: 'sh-1' } }],
    empty: DOES,
    badParameter: [{}],
    notFound: [{ params: { id: 'sh-99' } }],
    notAllowed: [
      { params: { id: 'sh-1' }, as: 'gus' },
      { params: { id: 'sh-1' }, as: 'bob', code: 70 },
    ],
  },

  getBookmarks: queued(),
  createBookmark: {
    success: [{ params: { id: 'so-4', position: 61_500, comment: 'Here' } }],
    empty: DOES,
    badParameter: [{}, { params: { id: 'so-4' } }, { params: { id: 'so-4', position: -1 } }, { params: { id: 'so-4', position: 'x' } }],
    notFound: [{ params: { id: 'so-999', position: 1 } }, { params: { id: 'al-1', position: 1 } }],
    notAllowed: EVERYBODY,
  },
  deleteBookmark: {
    success: [{ params: { id: 'so-4' } }],
    empty: DOES,
    badParameter: [{}],
    notFound: [{ params: { id: 'so-2' } }, { params: { id: 'so-999' } }],
    notAllowed: EVERYBODY,
  },
  getPlayQueue: queued(),
  getPlayQueueByIndex: queued(),
  savePlayQueue: {
    success: [{ params: { id: ['so-4', 'so-2'], current: 'so-2', position: 10 } }, {}],
    empty: DOES,
    badParameter: [
      { params: { id: ['so-4', 'so-2'] } },
      { params: { id: 'so-4', current: 'so-1' } },
      { params: { id: 'so-4', current: 'so-4', position: 'x' } },
    ],
    notFound: [{ params: { id: ['so-4', 'so-999'], current: 'so-999' } }],
    notAllowed: EVERYBODY,
  },
  savePlayQueueByIndex: {
    success: [{ params: { id: ['so-4', 'so-2'], currentIndex: 1, position: 10 } }, {}],
    empty: DOES,
    badParameter: [{ params: { id: 'so-4' } }, { params: { id: 'so-4', currentIndex: 1 } }, { params: { id: 'so-4', currentIndex: 'x' } }],
    notFound: 'what nobody knows is left out of a queue',
    notAllowed: EVERYBODY,
  },

  getInternetRadioStations: {
    success: [{}],
    empty: [nothingThere],
    badParameter: NO_PARAMETERS,
    notFound: NAMES_NOTHING,
    notAllowed: `${EVERYBODY}; ${onlySeen}`,
  },
  createInternetRadioStation: {
    success: [{ params: { ...station, homepageUrl: 'http://radio.example' } }],
    empty: DOES,
    badParameter: [{}, { params: { name: 'Radio' } }, { params: { ...station, streamUrl: 'javascript:alert(1)' } }],
    notFound: NAMES_NOTHING,
    notAllowed: needs('admin', [{ params: station, as: 'bob' }]),
  },
  updateInternetRadioStation: {
    success: [{ params: { ...station, id: 'li-1' } }],
    empty: DOES,
    badParameter: [{}, { params: { id: 'li-1', name: 'Radio' } }, { params: { ...station, id: 'li-1', streamUrl: 'no address' } }],
    notFound: [{ params: { ...station, id: 'li-99' } }, { params: { ...station, id: 'so-1' } }],
    notAllowed: [{ params: { ...station, id: 'li-1' }, as: 'bob' }],
  },
  deleteInternetRadioStation: {
    success: [{ params: { id: 'li-1' } }],
    empty: DOES,
    badParameter: [{}],
    notFound: [{ params: { id: 'li-99' } }],
    notAllowed: [{ params: { id: 'li-1' }, as: 'bob' }],
  },

  getPodcasts: {
    success: [{}, { params: { id: 'po-1' } }, { params: { includeEpisodes: false }, as: 'gus' }],
    empty: [nothingThere],
    badParameter: [{ params: { includeEpisodes: 'x' }, code: 'ok' }],
    notFound: [{ params: { id: 'po-999' } }, { params: { id: 'pe-1' } }, { params: { id: 'po-1' }, nothingThere: true }],
    notAllowed: `${EVERYBODY}; ${onlySeen}`,
  },
  getNewestPodcasts: {
    success: [{}, { params: { count: 1 } }],
    empty: [{ params: { count: 0 } }, nothingThere],
    badParameter: [{ params: { count: 'x' }, code: 'ok' }],
    notFound: NAMES_NOTHING,
    notAllowed: `${EVERYBODY}; ${onlySeen}`,
  },
  getPodcastEpisode: {
    success: [{ params: { id: 'pe-1' } }, { params: { id: 'pe-3' }, as: 'gus' }],
    empty: NO_LIST,
    badParameter: [{}, { params: { id: '' } }],
    notFound: [{ params: { id: 'pe-999' } }, { params: { id: 'po-1' } }, { params: { id: 'nonsense' } }],
    notAllowed: `${EVERYBODY}; ${onlySeen}`,
  },
  createPodcastChannel: {
    // No catalog of the fixture gathers podcasts: podcast.int.spec.ts has one.
    success: 'with a catalog of podcasts: compat/podcasts.int.spec.ts',
    empty: DOES,
    badParameter: [{}, { params: { url: '' } }, { params: { url: 'http://example.org/feed' }, code: 0 }],
    notFound: NAMES_NOTHING,
    notAllowed: [{ params: { url: 'http://example.org/feed' }, as: 'bob' }, { as: 'gus' }],
  },
  deletePodcastChannel: podcastTask('po-1'),
  deletePodcastEpisode: podcastTask('pe-1'),
  downloadPodcastEpisode: podcastTask('pe-2'),
  refreshPodcasts: {
    success: [{}],
    empty: DOES,
    badParameter: NO_PARAMETERS,
    notFound: NAMES_NOTHING,
    notAllowed: [{ as: 'bob' }, { as: 'gus' }],
  },

  jukeboxControl: {
    success: [
      { params: { action: 'get' } },
      { params: { action: 'status' } },
      { params: { action: 'set', id: ['so-1', 'so-2'] } },
      { params: { action: 'skip', index: 1 } },
      { params: { action: 'setGain', gain: 0.5 } },
    ],
    empty: 'an empty queue: jukebox.int.spec.ts',
    badParameter: [
      {},
      { params: { action: 'dance' } },
      { params: { action: 'skip' } },
      { params: { action: 'skip', index: 'x' } },
      { params: { action: 'setGain', gain: 'loud' } },
      { params: { action: 'setGain', gain: 7 } },
    ],
    notFound: [{ params: { action: 'add', id: 'so-999' } }],
    notAllowed: [{ params: { action: 'get' }, as: 'gus' }],
  },

  getChatMessages: {
    success: [{}],
    empty: [{ params: { since: 9_999_999_999_999 } }, nothingThere],
    badParameter: [{ params: { since: 'x' }, code: 'ok' }],
    notFound: NAMES_NOTHING,
    notAllowed: EVERYBODY,
  },
  addChatMessage: {
    success: [{ params: { message: 'hello' } }],
    empty: DOES,
    badParameter: [{}, { params: { message: 'x'.repeat(10_000) } }],
    notFound: NAMES_NOTHING,
    notAllowed: [{ params: { message: 'hello' }, as: 'gus' }],
  },

  getUser: {
    success: [{ params: { username: 'ada' } }, { params: { username: 'listener' } }],
    empty: NO_LIST,
    badParameter: [{}],
    notFound: [{ params: { username: 'nobody' } }],
    notAllowed: [{ params: { username: 'ada' }, as: 'bob' }],
  },
  getUsers: {
    success: [{}],
    empty: 'who asks is an account',
    badParameter: NO_PARAMETERS,
    notFound: NAMES_NOTHING,
    notAllowed: [{ as: 'mia' }],
  },
  createUser: {
    success: [{ params: { username: 'new', password: 'enc:6e6577', email: 'new@example.org', adminRole: false } }],
    empty: DOES,
    badParameter: [
      {},
      { params: { username: 'new', password: 'p', email: 'nowhere' } },
      { params: { username: '12', password: 'p', email: 'new@example.org' } },
    ],
    notFound: NAMES_NOTHING,
    notAllowed: [{ params: { username: 'new', password: 'p', email: 'new@example.org' }, as: 'mia' }],
  },
  updateUser: {
    success: [{ params: { username: 'listener', maxBitRate: 128 } }],
    empty: DOES,
    badParameter: [{}, { params: { username: 'listener', maxBitRate: 127 } }, { params: { username: 'listener', email: 'x' } }],
    notFound: [{ params: { username: 'nobody' } }],
    notAllowed: [{ params: { username: 'listener' }, as: 'bob' }],
  },
  deleteUser: {
    success: [{ params: { username: 'listener' } }],
    empty: DOES,
    badParameter: [{}],
    notFound: [{ params: { username: 'nobody' } }],
    notAllowed: [{ params: { username: 'listener' }, as: 'mia' }, { params: { username: 'admin' } }],
  },
  changePassword: {
    success: [{ params: { username: 'listener', password: 'new' } }],
    empty: DOES,
    badParameter: [{}, { params: { username: 'listener' } }],
    notFound: [{ params: { username: 'nobody', password: 'new' } }],
    notAllowed: [
      { params: { username: 'listener', password: 'new' }, as: 'bob' },
      { params: { username: 'gus', password: 'new' }, as: 'gus' },
    ],
  },

  getScanStatus: { success: [{}], empty: NO_LIST, badParameter: NO_PARAMETERS, notFound: NAMES_NOTHING, notAllowed: EVERYBODY },
  startScan: { success: [{}], empty: NO_LIST, badParameter: NO_PARAMETERS, notFound: NAMES_NOTHING, notAllowed: [{ as: 'bob' }] },

  getSonicSimilarTracks: {
    success: [{ params: { id: 'so-1' } }, { params: { id: 'so-3', count: 3 }, as: 'gus' }],
    empty: [{ params: { id: 'so-2' } }, { params: { id: 'so-1', count: 0 } }],
    badParameter: [{}, { params: { id: '' } }, { params: { id: 'so-1', count: 'x' }, code: 'ok' }],
    notFound: [{ params: { id: 'so-999' } }, { params: { id: 'al-1' } }],
    notAllowed: `${EVERYBODY}; ${onlySeen}`,
  },
  findSonicPath: {
    success: [{ params: { startSongId: 'so-1', endSongId: 'so-4' } }],
    empty: [{ params: { startSongId: 'so-1', endSongId: 'so-2' } }],
    badParameter: [{}, { params: { startSongId: 'so-1' } }, { params: { endSongId: 'so-1' } }],
    notFound: [{ params: { startSongId: 'so-999', endSongId: 'so-1' } }, { params: { startSongId: 'so-1', endSongId: 'ar-1' } }],
    notAllowed: `${EVERYBODY}; ${onlySeen}`,
  },
};
