/** A supported OpenSubsonic extension and its versions. */
export interface Extension {
  readonly name: string;
  readonly versions: readonly number[];
}

const atFirst = (name: string): Extension => ({ name, versions: [1] });

/** Extensions that are always supported. */
const always: readonly Extension[] = [
  'apiKeyAuthentication',
  'formPost',
  'indexBasedQueue',
  'playbackReport',
  'songLyrics',
  'topSongsByArtistId',
  'transcodeOffset',
  'transcoding',
].map(atFirst);

/** Extensions that are supported at the moment. */
export const extensionsWhile = (on: { readonly podcasts: boolean; readonly sonic: boolean }): readonly Extension[] => [
  ...always,
  ...(on.podcasts ? [atFirst('getPodcastEpisode')] : []),
  ...(on.sonic ? [atFirst('sonicSimilarity')] : []),
];
