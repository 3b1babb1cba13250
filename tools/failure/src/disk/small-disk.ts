import { chmod, open, rm, statfs, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { mount, unmount } from './mounted.js';

const MIB = 1024 * 1024;
const PAGE_BYTES = 4096;
const BALLAST = 'ballast';

const writeUntilFull = async (file: FileHandle, piece: Buffer): Promise<void> => {
  try {
    for (;;) await file.write(piece);
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOSPC') throw error;
  }
};

/** A disk that is small enough to be filled. */
export class SmallDisk {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Mounts it on a folder. @throws Error when that is not allowed */
  static async mount(folder: string, sizeMib: number): Promise<SmallDisk> {
    await mount(folder, ['-t', 'tmpfs', '-o', `size=${sizeMib}m`, 'tmpfs']);
    await chmod(folder, 0o755);
    return new SmallDisk(folder);
  }

  async freeBytes(): Promise<number> {
    const { bavail, bsize } = await statfs(this.folder);
    return bavail * bsize;
  }

  /** Leaves no room at all. */
  async fill(): Promise<void> {
    const file = await open(join(this.folder, BALLAST), 'w');
    try {
      for (const size of [MIB, PAGE_BYTES]) await writeUntilFull(file, Buffer.alloc(size));
    } finally {
      await file.close();
    }
  }

  /** Gives the room back. */
  async empty(): Promise<void> {
    await rm(join(this.folder, BALLAST), { force: true });
  }

  /** Ends the disk; its content is lost. */
  async end(): Promise<void> {
    await unmount(this.folder);
  }

  /** For people. */
  async describe(): Promise<string> {
    return `${Math.round((await this.freeBytes()) / MIB)} MiB free`;
  }
}
