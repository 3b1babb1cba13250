import { execFile } from 'node:child_process';
import { chmod, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Sizes of the writes that fill a disk, the largest first, bytes. */
const PIECES = [1024 * 1024, 4096];

/** A disk in memory that can be filled up. */
export class SmallDisk {
  private constructor(private readonly folder: string) {}

  /** Mounts one over an empty folder. @throws Error where nobody may mount */
  static async mount(folder: string, megabytes: number): Promise<SmallDisk> {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
    await chmod(folder, 0o755);
    return new SmallDisk(folder);
  }

  private get ballast(): readonly string[] {
    return PIECES.map((bytes) => join(this.folder, `ballast ${bytes}`));
  }

  /** Writes until there is no room. */
  async fill(): Promise<void> {
    for (const [at, path] of this.ballast.entries()) {
      const file = await open(path, 'a');
      try {
        for (;;) await file.write(Buffer.alloc(PIECES[at] ?? 0));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        await file.close();
      }
    }
  }

  /** Makes room again. */
  async empty(): Promise<void> {
    await Promise.all(this.ballast.map((path) => rm(path, { force: true })));
  }

  async unmount(): Promise<void> {
    await run('umount', [this.folder]);
  }
}
