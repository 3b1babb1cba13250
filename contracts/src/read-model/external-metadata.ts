/** Views of schema `library` about what plug-ins found. All times are epoch milliseconds. */

/** External metadata of artists that somebody asked about. Artists that are not there any more may still have a row. */
export interface ArtistInfoTable {
  artist_id: number;
  mbid: string | null;
  summary: string | null;
  attribution: string | null;
  place_formed: string | null;
  year_formed: number | null;
  url: string | null;
  /** `FoundSimilarArtist[]` as JSON text. */
  similar: string;
  /** `FoundTopSong[]` as JSON text. */
  top_songs: string;
  found_at_ms: number;
  /** False when some plug-in could not be asked. */
  is_complete: boolean;
}

/** An artist that another is like, by the name it has elsewhere. */
export interface FoundSimilarArtist {
  name: string;
  mbid: string | null;
}

/** A song that many play. */
export interface FoundTopSong {
  title: string;
  mbid: string | null;
}

/** Pictures that plug-ins found. */
export interface FoundArtTable {
  kind: 'artist' | 'album';
  object_id: number;
  art_hash: string;
  art_mime: string;
  source: string;
}
