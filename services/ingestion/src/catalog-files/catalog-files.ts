import type { TagReader } from '../tags/tag-reader.js';
import type { KindOf } from '../walk/file-kinds.js';
import type { WalkOptions } from '../walk/walk.js';
import type { WalkedFolder } from '../walk/walked-folder.js';

/**
 * The files of one catalog, opened for one look at them. Paths are relative to its root, with `/` between segments; the empty one is the root itself. Wherever the files
 * lie, one rule holds: what cannot be looked at is not gone.
 */
export interface CatalogFiles {
  /** The root as files are called by it: a real path, or the address of another place. */
  readonly root: string;
  /** Tells the root from another one that stands in its place later. */
  readonly key: string;
  /** Walks everything, or the part below a folder. @throws RootUnusable when the root cannot be read, or stops being readable on the way */
  walk(options: WalkOptions): AsyncIterable<WalkedFolder>;
  /** One folder without those below it. @throws RootUnusable when the root cannot be read */
  folder(path: string, kindOf: KindOf): Promise<WalkedFolder>;
  /** False only for a file or folder that is certainly not there. */
  isThere(path: string): Promise<boolean>;
  /** When a folder last changed: it came or was renamed, or an entry of it came or went; epoch milliseconds, undefined when it is not there. Absent where folders have no times. */
  readonly folderChangedAt?: (path: string) => Promise<number | undefined>;
  /** Location that readers open: an absolute path, or an address that only this machine can reach. */
  locationOf(path: string): string;
  /** True where a file that is moved keeps its time; elsewhere only the thousandths of the time stay, which stand for the content there. */
  readonly movesKeepTimes: boolean;
  /** Reads files that only their own place can tell about; absent: anything that opens their location can. */
  readonly tags?: TagReader;
  /** Gives back what the look needed. */
  close(): Promise<void>;
}

/** Opens the files of the catalog whose root is called so. @throws RootUnusable with a sentence for the operator */
export type OpenFiles = (root: string) => Promise<CatalogFiles>;
