/** An intentional difference to recordings. */
export interface Deviation {
  /** Recordings that show it: `8/json song`. */
  readonly example: RegExp;
  /** The differences, as `shapeDifferences` words them. */
  readonly difference: RegExp;
  readonly reason: string;
}

const WRAPPED =
  'Recorded inside an array of one, which later servers of the reference do not do; the object alone is what every other kind has.';

/** Known differences. One that no recording shows any more must be removed. */
export const deviations: readonly Deviation[] = [
  { example: /^4\/json (?:genres?|tags?|users|followers|following)$/, difference: /^: object instead of array$/, reason: WRAPPED },
  { example: /^5\/json users$/, difference: /^: object instead of array$/, reason: WRAPPED },
  {
    example: /^5\/json now_playing$/,
    difference: /^\.(?:now_playing: missing|error: extra)$/,
    reason: 'The action exists from version 6 on; the recording comes from a server that answered unknown actions of version 5 with it.',
  },
  {
    example: /^8\/json url_to_song$/,
    difference: /^\.|^: /,
    reason: 'The sample shows a list of all songs; the schema, and every other version, has the bare song.',
  },
  {
    example: /^5\/xml artists? \(with include\)$/,
    difference: /albums\.album\.(?:disk: missing|diskcount: extra|type: extra)$/,
    reason: 'Recorded on an older server; the plain albums of the same version have diskcount and type.',
  },
  {
    example: /^5\/xml artists? \(with include\)$/,
    difference: /songs\.song\.lyrics: extra$/,
    reason: 'Recorded on an older server; the plain songs of the same version have lyrics.',
  },
  {
    example: /^3\/xml artist \(with include songs,albums\)$/,
    difference: /^\.artist\.albums: elements instead of text$/,
    reason: 'The recorded artist has the number of albums although they were asked for; the same call over all artists has the albums.',
  },
  {
    example: /^3\/xml artists \(with include\)$/,
    difference: /^\.artist\.albums\.album\.tracks: text instead of elements$/,
    reason: 'Recorded with the songs of the albums inside artists; versions 4 to 8 give them only where albums themselves are asked for.',
  },
  {
    example: /^[56]\/xml labels?$/,
    difference: /^\.(?:label: extra|license: missing)$/,
    reason:
      'The reference prints labels in elements named license, a slip; the contract (2.1) names arrays for their kind, and version 8 does.',
  },
  {
    example: /^[56]\/json deleted_(?:songs|videos)$/,
    difference: /^\.deleted_(?:song|video)s?: (?:missing|extra)$/,
    reason: 'The recorded list is empty, and empty ones have the plural; lists that are not have the singular.',
  },
  {
    example: /^8\/\w+ folders/,
    difference: /\.time: extra$/,
    reason: 'The contract (2.2, FolderBrowseNode) has the summed time, which the recorded server did not send yet.',
  },
  {
    example: /^6\/json bookmarks \(with include\)$/,
    difference: /^\.bookmark\[\]\.podcast_episode: missing$/,
    reason: 'Some of the recorded bookmarks stand in podcast episodes; all of ours stand in songs.',
  },
  {
    example: /^6\/json (?:podcast|get_indexes \(podcast|search_group)/,
    difference: /\.podcast\.id: string instead of number$/,
    reason: 'Recorded as a number; the schema of the version has a text, as almost all ids of the version are.',
  },
  {
    example: /^(?:5\/\w+|6\/xml) podcast_episode_delete$/,
    difference: /^\.success: (?:string instead of object|elements instead of text)$/,
    reason: 'Recorded in another envelope than that of every other action of the version.',
  },
  {
    example: /^8\/json search_group \((?:podcast|all)\)$/,
    difference: /^\.search\.podcast_episode\[\]\.last_played: extra$/,
    reason: 'Recorded on an older server; episodes of version 8 tell when they were played last.',
  },
  {
    example: /^4\/xml license_songs$/,
    difference: /^\.song: extra$/,
    reason: 'The recorded list is empty.',
  },
  {
    example: /^4\/xml get_indexes \(songs\)$/,
    difference: /^\.song\.(?:disk|track): extra$/,
    reason: 'Recorded on a much older server; the later recording of the same call has both.',
  },
  {
    example: /^5\/json get_similar$/,
    difference: /^: object instead of array$/,
    reason: 'Recorded on an older server; version 5 has every list under its kind.',
  },
  {
    example: /^6\/\w+ (?:get_indexes|search_group|playlists?|playlist_create|user_playlists|smartlists?|user_smartlists)\b/,
    difference: /playlist(?:\[\])?\.time: extra$|^\.time: extra$/,
    reason: 'Recorded on 6.9.1; 6.9.2 tells how long lists are.',
  },
  {
    example: /^4\/xml get_indexes \(playlists\)$/,
    difference: /^\.playlist\.(?:playlisttrack: missing|(?:items|owner|type): extra)$/,
    reason: 'Recorded on a much older server, with includes; the later recording of the same call has what we answer.',
  },
  {
    example: /^6\/xml search_group \(all\)$/,
    difference: /^\.search\.(?:user|label): extra$/,
    reason: 'Nothing of these kinds matched in the recorded library, and kinds without matches are left out.',
  },
  {
    example: /^8\/json search_group/,
    difference: /^\.search\.song\[\]\.(?:bpm|mood|last_played): extra$/,
    reason: 'Recorded before songs had these fields; the schema of songs has them.',
  },
  {
    example: /^3\/xml artists \(with include songs,albums\)$/,
    difference: /^\.artist\.albums: elements instead of text$/,
    reason: 'As for one artist: the recorded artists have the number of albums although they were asked for.',
  },
  {
    example: /^6\/xml register$/,
    difference: /^\.(?:error: missing|success: extra)$/,
    reason:
      'The recorded call asked for a name that was taken; that is recorded as `register (error)`, too, and the JSON one shows the success.',
  },
  {
    example: /^[56]\/\w+ song_delete$/,
    difference: /^\.success: (?:string instead of object|elements instead of text)$|^\.success\./,
    reason: 'Recorded in a form that no other success has: the text alone in JSON, and the message child in XML from version 6 on.',
  },
  {
    example: /^5\/xml get_similar$/,
    difference: /^\.song\.(?:disk|track): extra$/,
    reason: 'Recorded on a much older server; slim songs have both.',
  },
  {
    example: /^8\/json preference_create \(user preferences\)$/,
    difference: /^\.preference\[\]\.id: string instead of number$/,
    reason: 'Recorded on an older server; the plain list of the same version has text, as all ids of version 8 are.',
  },
  {
    example: /^8\/json (?:playlists?|playlist_create \(playlists\)|search \(playlists\)|search_group \(all\)|stats|user_playlists)$/,
    difference: /playlist_folder_(?:id|sort_order): extra$/,
    reason: 'The recorded lists stand in no folder; one of ours does, so that the recording of what a folder holds can be compared, too.',
  },
  {
    example: /^8\/xml collection_items$/,
    difference: /song\.bpm: extra$/,
    reason: 'The recorded song has no tempo; songs of the same version have the field.',
  },
];

/** Recordings that need more than an address: our answer is 4703 with the feature. */
export const later: readonly { readonly example: RegExp; readonly feature: string }[] = [
  // Uploads need a body; the answer is compared in another spec.
  { example: /^8\/json upload$/, feature: 'allow_upload' },
];

/** Intentional differences to the published schemas. */
export const schemaGaps: readonly Deviation[] = [
  {
    example: /^6\/json playlist_generate \(id\)$/,
    difference: /must be (?:object|string)$|exactly one schema/,
    reason: 'The schema of version 6 has texts; the recording has numbers.',
  },
  {
    example: /^8\/json url_to_song$/,
    difference: /required property/,
    reason:
      'The sample was recorded for the operation that lists songs; the bare song is held against its schema where it is asked for as song.',
  },
  {
    example: /^6\/json/,
    difference: /\/prefix must be string$/,
    reason: 'The older document forgets that names may have no prefix; its own recordings have null there.',
  },
];
