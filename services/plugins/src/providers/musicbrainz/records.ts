/** Used fields of answers of MusicBrainz and the Cover Art Archive (musicbrainz.org/doc/MusicBrainz_API, musicbrainz.org/doc/Cover_Art_Archive/API). */
export interface TagRecord {
  readonly name: string;
  readonly count?: number;
}

interface Found {
  readonly id: string;
  /** 0 to 100, in what a search finds. */
  readonly score?: number;
}
interface Span {
  readonly begin?: string | null;
}

export interface ArtistRecord extends Found {
  readonly name: string;
  readonly aliases?: readonly { readonly name: string }[];
  readonly area?: { readonly name: string } | null;
  readonly 'begin-area'?: { readonly name: string } | null;
  readonly 'life-span'?: Span | null;
  readonly tags?: readonly TagRecord[];
}

export interface ReleaseRecord extends Found {
  readonly title: string;
  readonly date?: string | null;
  readonly barcode?: string | null;
  readonly 'label-info'?: readonly { readonly 'catalog-number'?: string | null; readonly label?: { readonly name: string } | null }[];
  readonly 'release-group'?: {
    readonly id: string;
    readonly 'primary-type'?: string | null;
    readonly 'first-release-date'?: string | null;
  };
  readonly tags?: readonly TagRecord[];
}

export interface RecordingRecord extends Found {
  readonly title: string;
  readonly isrcs?: readonly string[];
  readonly tags?: readonly TagRecord[];
}

export interface LabelRecord extends Found {
  readonly name: string;
  readonly country?: string | null;
  readonly 'life-span'?: Span | null;
}

/** A picture of the Cover Art Archive. */
export interface CoverRecord {
  readonly image: string;
  readonly types?: readonly string[];
  readonly front?: boolean;
  readonly approved?: boolean;
  readonly thumbnails?: Readonly<Record<string, string>>;
}
