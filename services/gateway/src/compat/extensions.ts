/** An OpenSubsonic extension that this server serves, with the versions of it. */
export interface Extension {
  readonly name: string;
  readonly versions: readonly number[];
}

const atFirst = (name: string): Extension => ({ name, versions: [1] });

/** What always works here (compat facts, section 7; every version is 1). */
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

/** What is advertised: only what really works at the moment. */
export const extensionsWhile = (on: { readonly podcasts: boolean; readonly sonic: boolean }): readonly Extension[] => [
  ...always,
  ...(on.podcasts ? [atFirst('getPodcastEpisode')] : []),
  ...(on.sonic ? [atFirst('sonicSimilarity')] : []),
];
