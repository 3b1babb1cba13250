/** Kinds of things that are found by words. */
export const searchKinds = ['song', 'album', 'artist', 'playlist', 'video'] as const;
export type SearchKind = (typeof searchKinds)[number];

/** Visibility beside catalogs: everybody, or the named accounts (owner and collaborators of a private playlist). */
export type FoundBy = 'everybody' | readonly number[];

/**
 * Search document of a thing: names as they are spelt, since every adapter folds and cuts them its own way. Kind and id together are the key;
 * writing a document again replaces it whole.
 */
export interface SearchDocument {
  readonly kind: SearchKind;
  readonly id: number;
  /** The thing's own name: title of a song, name of an artist. */
  readonly name: string;
  /** Other spellings of the name: sort names, titles in another script. */
  readonly otherNames?: readonly string[];
  /** Album of a song. */
  readonly album?: string;
  /** Credited artists, featured ones included: of a song its artists, of an album its album artists. */
  readonly artists?: readonly string[];
  /** Album artists of a song. */
  readonly albumArtists?: readonly string[];
  readonly composers?: readonly string[];
  /**
   * Catalogs in which the thing is found: one for songs, albums and videos, all those of an artist. Empty for what lies in no catalog (playlists),
   * which no visibility of catalogs hides.
   */
  readonly catalogIds: readonly number[];
  readonly foundBy: FoundBy;
  /** Plays of everybody, 0 when there are none: the more popular of two equally good matches comes first. */
  readonly popularity: number;
}

/** Names a document. */
export interface SearchDocumentKey {
  readonly kind: SearchKind;
  readonly id: number;
}

/** A thing's plays as they are now; of things that the index does not hold it is ignored. */
export interface PopularityChange extends SearchDocumentKey {
  readonly popularity: number;
}
