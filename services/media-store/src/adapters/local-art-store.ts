import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { Rejection } from '@continuo/contracts';
import type { ArtStore, MediaStat } from '../media-store.js';

const HASH = /^[0-9a-f]{64}$/;

/**
 * Images in a local folder: `<folder>/<first two hex digits>/<hash>`. A file appears under its name only when it is complete and on the disk,
 * so that readers never see half an image and a crash leaves at most a temporary file.
 */
export class LocalArtStore implements ArtStore {
  readonly #folder: string;

  /** @param folder usually `<CONTINUO_DATA>/art`; it is created with the first image */
  constructor(folder: string) {
    this.#folder = resolve(folder);
  }

  async put(bytes: Uint8Array): Promise<string> {
    const hash = createHash('sha256').update(bytes).digest('hex');
    const path = this.#path(hash);
    const present = await stat(path).catch(() => undefined);
    if (present?.size === bytes.length) return hash;
    const folder = join(this.#folder, hash.slice(0, 2));
    const temporary = join(folder, `.${hash}.${randomUUID()}`);
    try {
      await writeDurably(temporary, bytes).catch(async (error: unknown) => {
        if (!isMissing(error)) throw error;
        await mkdir(folder, { recursive: true });
        await writeDurably(temporary, bytes);
      });
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    await syncFolder(folder);
    return hash;
  }

  async stat(hash: string): Promise<MediaStat> {
    const stats = await stat(this.#checkedPath(hash)).catch((error: unknown) => {
      throw notFound(error);
    });
    return { sizeBytes: stats.size, mtimeMs: Math.trunc(stats.mtimeMs) };
  }

  async open(hash: string): Promise<Readable> {
    const handle = await open(this.#checkedPath(hash), 'r').catch((error: unknown) => {
      throw notFound(error);
    });
    return createReadStream('', { fd: handle });
  }

  #path(hash: string): string {
    return join(this.#folder, hash.slice(0, 2), hash);
  }

  /** A hash may come from a request: nothing but 64 hex digits becomes part of a path. */
  #checkedPath(hash: string): string {
    if (!HASH.test(hash)) throw new Rejection('art.not-found', undefined, hash.slice(0, 64));
    return this.#path(hash);
  }
}

const notFound = (cause: unknown): Rejection => new Rejection('art.not-found', undefined, undefined, { cause });

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

const writeDurably = async (path: string, bytes: Uint8Array): Promise<void> => {
  const handle = await open(path, 'wx');
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Makes the new name itself durable; systems that cannot sync a folder do it on their own. */
const syncFolder = async (folder: string): Promise<void> => {
  let handle: FileHandle | undefined;
  try {
    handle = await open(folder, 'r');
    await handle.sync();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'EISDIR' && code !== 'EPERM' && code !== 'EINVAL' && code !== 'EACCES') throw error;
  } finally {
    await handle?.close();
  }
};
