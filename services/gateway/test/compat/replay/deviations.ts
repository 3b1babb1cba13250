import type { Deviation } from '../../native/replay/deviations.js';
import type { Case } from '../../calls/compat/case.js';

/** Recordings whose name is neither an operation nor that of a golden file. */
export const recordedCalls: Readonly<Record<string, readonly [operation: string, one: Case]>> = {
  'error-0': ['getEverything', {}],
  'error-20': ['ping', { params: { v: '0.9.0' } }],
  'error-40': ['ping', { params: { p: 'wrong' } }],
  'error-50': ['getUsers', { as: 'bob' }],
  hls: ['hls', { params: { id: 'so-999' } }],
};

const UNNAMED = 'The schema of this object does not have the field, and properties that it does not name are refused.';
const QUOTED = 'Recorded as a text; the schema has a number.';
const OUTSIDE = 'Comes from services outside, of which this server asks none.';
const PICTURES = 'Addresses of pictures that open without credentials are not given out; `getCoverArt` has the picture.';

/** Known differences with their reasons. A difference that no recording shows any more must be removed. */
export const deviations: readonly Deviation[] = [
  {
    example: /^opensubsonic\/\w+ (?:getAlbum|getAlbumList2|getArtist|getStarred2)$/,
    difference: /\.@?(?:parent|album|title|isDir|averageRating): missing$/,
    reason: UNNAMED,
  },
  { example: /^opensubsonic\/json getArtist$/, difference: /\.artist\.userRating: missing$/, reason: UNNAMED },
  {
    example: /^opensubsonic\/json (?:getIndexes|getStarred|search2)$/,
    difference: /\.artist\[\]\.(?:coverArt|albumCount): missing$/,
    reason: UNNAMED,
  },
  {
    example: /^opensubsonic\/json getUsers$/,
    difference: /\.email: missing$/,
    reason: 'Not every account has an address, and an empty one is left out.',
  },
  {
    example: /^opensubsonic\/json getInternetRadioStations$/,
    difference: /\.homepageUrl: missing$/,
    reason: 'Spelled homePageUrl in both schemas.',
  },
  {
    example: /^opensubsonic\/json (?:getIndexes|getMusicFolders|getNowPlaying|getPlayQueue)$/,
    difference: /\.(?:lastModified|id|minutesAgo|position): number instead of string$/,
    reason: QUOTED,
  },
  {
    example: /^opensubsonic\/json getArtistInfo2$/,
    difference: /\.artistInfo: missing$/,
    reason: 'Recorded under the name of the other operation; the schema has artistInfo2.',
  },
  {
    example: /^opensubsonic\/json (?:createPlaylist|createShare|get\w+|search[23]?)$/,
    difference: /\.transcoded(?:Suffix|ContentType): missing$/,
    reason: 'Only there when a plain stream converts, which neither account nor server asks for here.',
  },
  {
    example: /^opensubsonic\/json (?:getAlbumList|getStarred)$/,
    difference: /\.album\[\]\.(?:isVideo|type): missing$/,
    reason:
      'An album is no medium that could be of a type or a video; both fields are optional, and the original server does not send them.',
  },
  { example: /get(?:Album|Artist)Info2?$/, difference: /\.(?:biography|notes|lastFmUrl): missing$/, reason: OUTSIDE },
  { example: /get(?:Album|Artist)Info2?$/, difference: /\.(?:small|medium|large)ImageUrl: missing$/, reason: PICTURES },
  { example: /^subsonic\/json getIndexes$/, difference: /\.artistImageUrl: missing$/, reason: PICTURES },
  {
    example: /^opensubsonic\/json getPodcastEpisode$/,
    difference: /\.podcastEpisode\.(?:artistId: missing|\w+: (?:number|boolean) instead of string)$/,
    reason: 'The published example quotes numbers and switches, which the schema does not; speakers are no artists of the library.',
  },
  {
    example: / getLicense$/,
    difference: /\.(?:email|trialExpires): missing$/,
    reason: 'Nobody needs a licence here: it belongs to nobody and does not end.',
  },
  {
    example: / getLyricsBySongId$/,
    difference: /\.@?offset: missing$/,
    reason: 'The offset of a file is part of the times of the lines already.',
  },
  {
    example: / getLyricsBySongId-enhanced$/,
    difference: /\.@?kind: missing$/,
    reason: 'This service never sends it.',
  },
  {
    example: /^subsonic\/\w+ createShare$/,
    difference: /\.error: missing$/,
    reason: 'Recorded on a server where sharing is not allowed.',
  },
  {
    example: /^subsonic\/\w+ getUsers?$/,
    difference: /\.@?avatarLastChanged: missing$/,
    reason: 'When a picture was chosen is not kept; the field is optional.',
  },
  {
    example: /^opensubsonic\/json getTranscodeDecision$/,
    difference: /\.(?:audioProfile|transcodeStream\.audioBitdepth): missing$/,
    reason: 'Profiles of codecs are not read from files, and what is made lossy has no bit depth.',
  },
];
