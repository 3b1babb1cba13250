/** An OpenSubsonic extension that this server serves, with the versions of it. */
export interface Extension {
  readonly name: string;
  readonly versions: readonly number[];
}

/** What is advertised: only what really works here (compat facts, section 7; every version is 1). */
export const extensions: readonly Extension[] = [
  'apiKeyAuthentication',
  'formPost',
  'indexBasedQueue',
  'playbackReport',
  'songLyrics',
  'topSongsByArtistId',
  'transcodeOffset',
  'transcoding',
].map((name) => ({
  name,
  versions: [1],
}));
