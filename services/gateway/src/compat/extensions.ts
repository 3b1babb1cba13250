/** An OpenSubsonic extension that this server serves, with the versions of it. */
export interface Extension {
  readonly name: string;
  readonly versions: readonly number[];
}

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
].map((name) => ({
  name,
  versions: [1],
}));

/** What is advertised: only what really works at the moment. */
export const extensionsWhile = ({ sonic }: { readonly sonic: boolean }): readonly Extension[] =>
  sonic ? [...always, { name: 'sonicSimilarity', versions: [1] }] : always;
