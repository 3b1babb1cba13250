import { execFile } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Settings } from '../cluster/cluster.js';

const run = promisify(execFile);
const LIBRARY = 'libfaketime.so.1';

/** A wall clock of a single process that can be set while it runs; its measured times stay true. */
export class FakeClock {
  readonly #file: string;
  readonly #library: string;

  private constructor(file: string, library: string) {
    this.#file = file;
    this.#library = library;
  }

  /**
   * @param file says what the clock shows
   * @param cache folder for the library, which is fetched from the distribution when it is not there yet
   * @throws Error when it cannot be had
   */
  static async make(file: string, cache: string): Promise<FakeClock> {
    const clock = new FakeClock(file, await libraryIn(cache));
    await clock.set(0);
    return clock;
  }

  /** Environment for a process. */
  get settings(): Settings {
    return {
      LD_PRELOAD: this.#library,
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
    };
  }

  /** Puts it so many seconds before or after the true time. */
  async set(offsetS: number): Promise<void> {
    await writeFile(this.#file, `${offsetS < 0 ? '' : '+'}${offsetS}s\n`);
  }
}

/** Fetched as a package and unpacked; nothing is installed. */
const libraryIn = async (cache: string): Promise<string> => {
  const known = await find(cache);
  if (known) return known;
  await mkdir(cache, { recursive: true });
  await run('apt-get', ['download', 'libfaketime'], { cwd: cache });
  const archive = (await readdir(cache)).find((name) => name.startsWith('libfaketime') && name.endsWith('.deb'));
  if (!archive) throw new Error('apt-get brought no libfaketime');
  await run('dpkg-deb', ['-x', join(cache, archive), cache]);
  const found = await find(cache);
  if (!found) throw new Error(`${archive} holds no ${LIBRARY}`);
  return found;
};

const find = async (folder: string): Promise<string | undefined> => {
  const entries = await readdir(folder, { recursive: true }).catch(() => []);
  const found = entries.find((name) => name.endsWith(LIBRARY));
  return found === undefined ? undefined : join(folder, found);
};
