import { readFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { DiskPace } from '../disk-pace.js';

/** Numbers of file systems on disks of this machine (`statfs(2)`): ext2 to ext4, XFS, Btrfs, ZFS, F2FS, bcachefs and memory. */
const LOCAL = new Set([0xef53, 0x5846_5342, 0x9123_683e, 0x2fc1_2fc1, 0xf2f5_2010, 0xca45_1a4e, 0x0102_1994]);
/** Time for the files of a folder beyond which a disk counts as slow, ms. */
const SLOW_FOLDER_MS = 10;

/** The folders at which something is mounted; `mountinfo` of proc(5) writes blanks in them as `\040`. */
export const mountPointsIn = (mountInfo: string): ReadonlySet<string> =>
  new Set(
    mountInfo
      .split('\n')
      .map((line) =>
        (line.split(' ')[4] ?? '').replaceAll(/\\(\d{3})/g, (_, octal: string) => String.fromCodePoint(Number.parseInt(octal, 8))),
      ),
  );

const mountPoints = (): ReadonlySet<string> | undefined => {
  try {
    return mountPointsIn(readFileSync('/proc/self/mountinfo', 'utf8'));
  } catch {
    // Other systems have no such file: any folder may be one then.
    return undefined;
  }
};

/**
 * Disks that a walk meets. Only those of this machine may be asked in the thread of a service: a server that has gone away lets nobody go on who asks for its files.
 */
export class LocalDisks {
  readonly #paces = new Map<number, Promise<DiskPace | undefined>>();
  readonly #mountPoints = mountPoints();

  /** False for a folder that certainly lies on the same disk as the one above it. @param path without links */
  mayBeMountPoint(path: string): boolean {
    return this.#mountPoints?.has(path) ?? true;
  }

  /**
   * The pace of the disk that a folder lies on; undefined for a place elsewhere, and where it cannot be told.
   * @param device the number of its device
   */
  paceOf(device: number, folder: string): Promise<DiskPace | undefined> {
    let pace = this.#paces.get(device);
    if (pace === undefined) {
      pace = statfs(folder).then(
        ({ type }) => (process.platform === 'linux' && LOCAL.has(type) ? new DiskPace(SLOW_FOLDER_MS) : undefined),
        () => undefined,
      );
      this.#paces.set(device, pace);
    }
    return pace;
  }
}
