/** Query about an artist. Names are as the library shows them; MusicBrainz ids stand in what `mbid` is called everywhere. */
export interface ArtistQuery {
  readonly name: string;
  readonly mbid?: string | undefined;
  /** BCP 47 tag of the language that texts are wanted in, `en` where nothing is said. */
  readonly language?: string | undefined;
}

/** Query about an album. */
export interface AlbumQuery {
  readonly name: string;
  readonly artist?: string | undefined;
  /** Of the release. */
  readonly mbid?: string | undefined;
  readonly mbidGroup?: string | undefined;
  readonly year?: number | undefined;
  readonly language?: string | undefined;
}

/** Query about a song. */
export interface SongQuery {
  readonly title: string;
  readonly artist?: string | undefined;
  readonly album?: string | undefined;
  /** Of the recording. */
  readonly mbid?: string | undefined;
  readonly durationMs?: number | undefined;
}

/** Query about a label. */
export interface LabelQuery {
  readonly name: string;
  readonly mbid?: string | undefined;
}

/** An artist somewhere else that is like the one that was asked about; the library finds its own by MusicBrainz id, else by name. */
export interface SimilarArtist {
  readonly name: string;
  readonly mbid?: string | undefined;
  /** 0 to 1, 1 the likest. */
  readonly score?: number | undefined;
}

/** A song that many play; the library finds its own by MusicBrainz id, else by artist and title. */
export interface SuggestedSong {
  readonly title: string;
  readonly artist?: string | undefined;
  readonly mbid?: string | undefined;
  readonly score?: number | undefined;
}

/** Metadata of an artist from a plug-in. Everything is optional; markup is stripped by whoever shows it. */
export interface ArtistFacts {
  readonly mbid?: string | undefined;
  /** A biography in plain text. */
  readonly summary?: string | undefined;
  readonly placeFormed?: string | undefined;
  readonly yearFormed?: number | undefined;
  /** Absolute `https:` address of a page about it. */
  readonly url?: string | undefined;
  /** Absolute address of a picture. */
  readonly pictureUrl?: string | undefined;
  readonly similar?: readonly SimilarArtist[] | undefined;
  readonly tags?: readonly string[] | undefined;
  /** Where the texts come from and under which terms, when their licence asks to say so. */
  readonly attribution?: string | undefined;
}

/** Metadata of an album from a plug-in. */
export interface AlbumFacts {
  readonly mbid?: string | undefined;
  readonly mbidGroup?: string | undefined;
  readonly summary?: string | undefined;
  readonly url?: string | undefined;
  readonly pictureUrl?: string | undefined;
  readonly barcode?: string | undefined;
  readonly catalogNumber?: string | undefined;
  readonly label?: string | undefined;
  readonly releaseType?: string | undefined;
  /** `2001`, `2001-02` or `2001-02-03`. */
  readonly releaseDate?: string | undefined;
  readonly originalDate?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly attribution?: string | undefined;
}

/** Metadata of a song from a plug-in. */
export interface SongFacts {
  readonly mbid?: string | undefined;
  readonly summary?: string | undefined;
  readonly url?: string | undefined;
  readonly isrc?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly similar?: readonly SuggestedSong[] | undefined;
}

/** Metadata of a label from a plug-in. */
export interface LabelFacts {
  readonly mbid?: string | undefined;
  readonly summary?: string | undefined;
  readonly url?: string | undefined;
  readonly country?: string | undefined;
  readonly yearFormed?: number | undefined;
}
