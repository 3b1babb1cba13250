import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { every } from '@continuo/chassis';
import type { Logger } from 'pino';

/** Interval of the sign that a folder is in use, ms. */
const SIGN_MS = 10_000;
/** A folder of which nobody has said so for as long belongs to a worker that has died. */
const DEAD_AFTER_MS = 90_000;
const SIGN = 'in-use';

/**
 * A folder for files that one worker is making, among those of others. Each says from time to time that it is there, and each removes the folders of those that have fallen
 * silent, or of which this machine knows that they have died.
 */
export class Workspace {
  readonly #root: string;
  readonly #name = `${hostname().replaceAll(/[^a-zA-Z0-9-]/g, '_')}.${process.pid}.${randomUUID()}`;
  readonly #log: Logger;
  #endSigns: () => void = () => undefined;

  constructor(root: string, log: Logger) {
    this.#root = root;
    this.#log = log;
  }

  /** Makes the folder and clears what the dead have left. */
  async start(): Promise<void> {
    await this.#keep();
    this.#endSigns = every(SIGN_MS, () => {
      this.#keep().catch((err: unknown) => this.#log.warn({ err }, 'failed to renew transcode work folder'));
    });
  }

  newPath(): string {
    return join(this.#folder, randomUUID());
  }

  /** Removes the folder with all that is in it. */
  async stop(): Promise<void> {
    this.#endSigns();
    await rm(this.#folder, { recursive: true, force: true });
  }

  get #folder(): string {
    return join(this.#root, this.#name);
  }

  /** Makes the folder anew when an operator has deleted the cache. */
  async #keep(): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    await writeFile(join(this.#folder, SIGN), new Date().toISOString());
    await this.#clear();
  }

  async #clear(): Promise<void> {
    for (const name of await readdir(this.#root)) {
      if (name === this.#name || !(await this.#isDead(name))) continue;
      await rm(join(this.#root, name), { recursive: true, force: true });
      this.#log.info({ folder: name }, 'work folder of a dead worker removed');
    }
  }

  async #isDead(name: string): Promise<boolean> {
    const [host, pid] = name.split('.');
    const own = this.#name.split('.')[0];
    if (host === own && Number(pid) !== process.pid && !isRunning(Number(pid))) return true;
    const sign = await stat(join(this.#root, name, SIGN)).catch(() => stat(join(this.#root, name)).catch(() => undefined));
    return sign !== undefined && Date.now() - sign.mtimeMs > DEAD_AFTER_MS;
  }
}

/** True when a process of this number is there, whosever it is. */
const isRunning = (pid: number): boolean => {
  if (!Number.isInteger(pid) || pid <= 0) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
};
