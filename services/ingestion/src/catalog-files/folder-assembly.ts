import type { StorageFile } from '@continuo/media-store';
import { discOfFolder } from '../tags/file-name.js';
import { IGNORE_MARKER, isIgnoredName, type FileKind, type KindOf } from '../walk/file-kinds.js';
import type { DiskFile, WalkedFolder } from '../walk/walked-folder.js';

const byName = (a: DiskFile, b: DiskFile): number => (a.name < b.name ? -1 : 1);

/** A folder of which more files may come. */
interface OpenFolder {
  readonly path: string;
  readonly files: Record<FileKind, DiskFile[]>;
  /** Folders below it that cannot be told of yet. */
  held: WalkedFolder[];
  /** Whether a marker keeps the folder out, as far as its files have come. */
  marker: 'unknown' | 'absent' | 'present';
}

const opened = (path: string): OpenFolder => ({
  path,
  files: { media: [], picture: [], lyrics: [], playlist: [] },
  held: [],
  marker: 'unknown',
});

const walked = ({ path, files }: OpenFolder, state: WalkedFolder['state']): WalkedFolder => ({
  path,
  state,
  media: files.media.toSorted(byName),
  pictures: files.picture.toSorted(byName),
  lyrics: files.lyrics.toSorted(byName),
  playlists: files.playlist.toSorted(byName),
  skipped: [],
  notices: [],
  parentPictures: [],
});

/** Folders that hold one disc of an album take the picture of the folder above when they have none. */
const waitsForPictures = ({ path, pictures }: WalkedFolder): boolean =>
  pictures.length === 0 && discOfFolder(path.slice(path.lastIndexOf('/') + 1)) !== undefined;

const parentOf = ({ path }: WalkedFolder): string => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '');

const without = (path: string): WalkedFolder => walked(opened(path), 'vanished');

/**
 * Makes folders of a flat list of files in the order of their paths. The files of a folder stand in one row with those of the folders below it, so that only the folders above the
 * present file are open; what is told of each follows as soon as nothing can change it any more.
 */
export class FolderAssembly {
  readonly #open: OpenFolder[] = [opened('')];
  readonly #done: WalkedFolder[] = [];

  /** @param kindOf what files are taken for */
  constructor(private readonly kindOf: KindOf) {}

  /** Takes the next file. */
  add({ path, sizeBytes, mtimeMs }: StorageFile): void {
    const segments = path.split('/');
    const name = segments.pop() ?? '';
    if (segments.some(isIgnoredName) || segments.includes('')) return;
    this.#enter(segments);
    const folder = this.#open.at(-1) as OpenFolder;
    if (name === IGNORE_MARKER) folder.marker = 'present';
    this.#passMarker(folder, name);
    const kind = isIgnoredName(name) ? undefined : this.kindOf(name);
    if (kind !== undefined) folder.files[kind].push({ name, sizeBytes, mtimeMs });
  }

  /** Says that there are no more files. */
  end(): void {
    while (this.#open.length > 0) this.#close();
  }

  /** The folders of which everything is known now, and that were not taken before. */
  take(): WalkedFolder[] {
    return this.#done.splice(0);
  }

  /** Opens a folder and those above it; those that the list has left behind are closed. */
  #enter(segments: readonly string[]): void {
    const path = segments.join('/');
    const isAbove = (folder: OpenFolder): boolean => folder.path === '' || folder.path === path || path.startsWith(`${folder.path}/`);
    while (!isAbove(this.#open.at(-1) as OpenFolder)) this.#close();
    for (let depth = this.#open.length - 1; depth < segments.length; depth += 1) {
      this.#passMarker(this.#open.at(-1) as OpenFolder, segments[depth] ?? '');
      this.#open.push(opened(segments.slice(0, depth + 1).join('/')));
    }
  }

  /** A marker stands in the order of names like any file: behind its place there is none. */
  #passMarker(folder: OpenFolder, name: string): void {
    if (folder.marker !== 'unknown' || name <= IGNORE_MARKER) return;
    folder.marker = 'absent';
    const free = folder.held.filter((below) => !waitsForPictures(below));
    folder.held = folder.held.filter(waitsForPictures);
    for (const below of free) this.#offer(below, this.#open.indexOf(folder) - 1);
  }

  #close(): void {
    const folder = this.#open.pop() as OpenFolder;
    const depth = this.#open.length - 1;
    if (folder.marker === 'present') return this.#offer(without(folder.path), depth);
    const found = walked(folder, 'listed');
    const above = this.#open.at(-1);
    if (above && waitsForPictures(found)) above.held.push(found);
    else this.#offer(found, depth);
    for (const below of folder.held)
      this.#offer(parentOf(below) === folder.path ? { ...below, parentPictures: found.pictures } : below, depth);
  }

  /** Tells of a folder, unless one above it may be kept out, or is. */
  #offer(folder: WalkedFolder, fromDepth: number): void {
    for (let depth = fromDepth; depth >= 0; depth -= 1) {
      const above = this.#open[depth] as OpenFolder;
      if (above.marker === 'present') return;
      if (above.marker === 'unknown') return void above.held.push(folder);
    }
    this.#done.push(folder);
  }
}
