import { statfs } from 'node:fs/promises';
import { DiskPace } from '../disk-pace.js';

/** Numbers of file systems on disks of this machine (`statfs(2)`): ext2 to ext4, XFS, Btrfs, ZFS, F2FS, bcachefs and memory. */
const LOCAL = new Set([0xef53, 0x5846_5342, 0x9123_683e, 0x2fc1_2fc1, 0xf2f5_2010, 0xca45_1a4e, 0x0102_1994]);
/** Time for the files of a folder beyond which a disk counts as slow, ms. */
const SLOW_FOLDER_MS = 10;

/**
 * Disks that a walk meets. Only those of this machine may be asked in the thread of a service: a server that has gone away lets nobody go on who asks for its files.
 */
export class LocalDisks {
  readonly #paces = new Map<number, Promise<DiskPace | undefined>>();

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
