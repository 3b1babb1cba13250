import type { LyricsText } from '@continuo/contracts';

/** Somebody as the read model shows them. */
export interface ExpectedPerson {
  readonly name: string;
  readonly mbid?: string;
  readonly sortName?: string;
  /** A leading article and the rest of the name, where that is not all of it. */
  readonly prefix?: string;
  readonly basename?: string;
}

/** An album as the read model shows it. Absent fields must be absent there. */
export interface ExpectedAlbum {
  readonly name: string;
  readonly prefix?: string;
  readonly sortName?: string;
  readonly mbid?: string;
  readonly mbidGroup?: string;
  readonly year: number;
  readonly originalYear?: number;
  readonly releaseDate?: string;
  readonly originalDate?: string;
  readonly releaseTypes: readonly string[];
  readonly releaseStatus?: string;
  readonly version?: string;
  readonly barcode?: string;
  readonly catalogNumber?: string;
  readonly recordLabels: readonly string[];
  readonly compilation: boolean;
  readonly diskTitles: readonly { readonly disk: number; readonly title: string }[];
  readonly displayArtist?: string;
  readonly explicit?: string;
}

/** A song as the read model shows it. Absent fields must be absent there: each one is compared. */
export interface ExpectedSong {
  readonly title: string;
  readonly sortTitle?: string;
  readonly artists: readonly ExpectedPerson[];
  readonly displayArtist?: string;
  readonly albumArtists: readonly ExpectedPerson[];
  readonly displayAlbumArtist?: string;
  readonly album: ExpectedAlbum;
  readonly track: number;
  readonly disk: number;
  readonly diskSubtitle?: string;
  readonly year: number;
  readonly genres: readonly string[];
  readonly moods: readonly string[];
  readonly bpm?: number;
  readonly composers: readonly string[];
  readonly contributors: readonly { readonly role: string; readonly subRole?: string; readonly name: string }[];
  readonly comment?: string;
  readonly publisher?: string;
  readonly language?: string;
  readonly license?: string;
  readonly isrcs: readonly string[];
  readonly works: readonly { readonly name: string; readonly mbid?: string }[];
  readonly movements: readonly { readonly name: string; readonly number?: number; readonly count?: number }[];
  readonly groupings: readonly string[];
  readonly explicit?: string;
  /** The recording's id, else the track's. */
  readonly mbid?: string;
  readonly mbTrackId?: string;
  readonly trackGainDb?: number;
  readonly trackPeak?: number;
  readonly albumGainDb?: number;
  readonly albumPeak?: number;
  readonly r128TrackGain?: number;
  readonly r128AlbumGain?: number;
  readonly lyrics: readonly LyricsText[];
  readonly extraTags: Readonly<Record<string, string>>;
  /** SHA-256 of the picture that is shown for the song alone. */
  readonly art?: string;
  /** SHA-256 of the picture that is shown for its album. */
  readonly albumArt?: string;
  /** SHA-256 of a picture that stands for its artist, where it is no album's. */
  readonly artistArt?: string;
  /** Rating by the tags, of 100. */
  readonly rating?: number;
  /** Where in its file a song begins that shares it with others. */
  readonly startMs?: number;
}

/** Fields in which a case differs from the default song. */
export type SongDifferences = Omit<Partial<ExpectedSong>, 'album'> & { readonly album?: Partial<ExpectedAlbum> };

/** A song with a title, one artist and an album, and particulars. */
export const songOf = (base: { title: string; artist: string; album: string }, ...all: readonly SongDifferences[]): ExpectedSong => {
  const merged: SongDifferences = Object.assign({}, ...all, { album: Object.assign({}, ...all.map(({ album }) => album ?? {})) });
  const artists = merged.artists ?? [{ name: base.artist }];
  const album: ExpectedAlbum = {
    name: base.album,
    year: merged.year ?? 0,
    releaseTypes: [],
    recordLabels: [],
    compilation: false,
    diskTitles: [],
    ...merged.album,
  };
  return {
    title: base.title,
    artists,
    track: 0,
    disk: 1,
    genres: [],
    moods: [],
    composers: [],
    contributors: [],
    isrcs: [],
    works: [],
    movements: [],
    groupings: [],
    lyrics: [],
    extraTags: {},
    ...merged,
    albumArtists: merged.albumArtists ?? artists,
    year: merged.year ?? album.year,
    album,
  };
};
