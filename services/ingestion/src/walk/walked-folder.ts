import type { SkippedFile } from '@continuo/contracts';
import type { Notice } from '../tags/tag-reader.js';

/** A file as the disk shows it. */
export interface DiskFile {
  readonly name: string;
  readonly sizeBytes: number;
  /** Whole milliseconds since 1970. */
  readonly mtimeMs: number;
}

/** One folder of a catalog. */
export interface WalkedFolder {
  /** Relative to the catalog's root, `/` between segments, empty for the root. */
  readonly path: string;
  /** `unreadable`: it is there, but its content is not known. `vanished`: it went away during the walk. */
  readonly state: 'listed' | 'unreadable' | 'vanished';
  /** All lists are in order of name. */
  readonly media: readonly DiskFile[];
  readonly pictures: readonly DiskFile[];
  readonly lyrics: readonly DiskFile[];
  readonly playlists: readonly DiskFile[];
  /** Entries that cannot be used; `.` stands for the folder itself. */
  readonly skipped: readonly SkippedFile[];
  /** Names that vanished during the listing: reported, not recorded. */
  /** Names among the skipped ones of which nothing is known at the moment: they may be what they were. */
  readonly unsure?: ReadonlySet<string>;
  readonly notices: readonly (Notice & { readonly fileName: string })[];
  /** Pictures of the folder above, for folders that hold one disc of an album. */
  readonly parentPictures: readonly DiskFile[];
}
