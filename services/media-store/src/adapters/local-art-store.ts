import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, opendir, rename, rm, stat, writeFile, type FileHandle } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { ArtStore, StoredArt } from '../media-store.js';
import { artNotFound, hashOf, isArtHash, requireArtHash } from './art-hash.js';

const FOLDER = /^[0-9a-f]{2}$/;

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
    const hash = hashOf(bytes);
    const path = this.pathOf(hash);
    const present = await stat(path).catch(() => undefined);
    if (present?.size === bytes.length) return hash;
    const folder = join(this.#folder, hash.slice(0, 2));
    const temporary = join(folder, `.${hash}.${randomUUID()}`);
    try {
      const durably = { flag: 'wx', flush: true } as const;
      await writeFile(temporary, bytes, durably).catch(async (error: unknown) => {
        if (!isMissing(error)) throw error;
        await mkdir(folder, { recursive: true });
        await writeFile(temporary, bytes, durably);
      });
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    await syncFolder(folder);
    return hash;
  }

  async stat(hash: string): Promise<Pick<StoredArt, 'sizeBytes'>> {
    const { size } = await stat(this.pathOf(hash)).catch((error: unknown) => {
      throw artNotFound(error);
    });
    return { sizeBytes: size };
  }

  async open(hash: string): Promise<Readable> {
    const handle = await open(this.pathOf(hash), 'r').catch((error: unknown) => {
      throw artNotFound(error);
    });
    return createReadStream('', { fd: handle });
  }

  async *list(): AsyncGenerator<StoredArt> {
    const folders = await opendir(this.#folder).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
    for await (const folder of folders) {
      if (!FOLDER.test(folder.name)) continue;
      // Names that begin with a dot are pictures that are being written.
      for await (const { name } of await opendir(join(this.#folder, folder.name)))
        if (isArtHash(name)) yield { hash: name, sizeBytes: (await stat(this.pathOf(name))).size };
    }
  }

  async check(): Promise<string> {
    // A folder that is made here would belong to whoever asks, not to the services.
    const folder = await stat(this.#folder).then(
      () => this.#folder,
      () => dirname(this.#folder),
    );
    const probe = join(folder, `.probe.${randomUUID()}`);
    await writeFile(probe, '', { flag: 'wx' });
    await rm(probe);
    return `in the folder ${this.#folder}`;
  }

  async close(): Promise<void> {
    // Nothing is open between calls.
  }

  /** Absolute path of a picture, be it there or not. @throws Rejection `art.not-found` for what is no hash */
  pathOf(hash: string): string {
    return join(this.#folder, requireArtHash(hash).slice(0, 2), hash);
  }
}

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** Makes new names in a folder durable; systems that cannot sync a folder do it on their own. */
export const syncFolder = async (folder: string): Promise<void> => {
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
