import { basename, dirname } from 'node:path/posix';
import type { Readable } from 'node:stream';
import { isElsewhere, Rejection } from '@continuo/contracts';
import type { LocatedFile, MediaStat, MediaStore, OpenMedia } from '../media-store.js';
import type { LoopbackMedia, StorageAt } from '../storage/loopback-media.js';
import { localMediaStore } from './local-media-store.js';

/** Dependencies for media outside the folders of this machine. */
export interface CatalogMediaOptions {
  readonly storageAt: StorageAt;
  /** Gives files of other storage an address that a program can open; absent where no program has to. */
  readonly loopback?: Pick<LoopbackMedia, 'addressOf'>;
}

/** Media files of all catalogs, in folders and in other storage, by the root of the catalog. */
export class CatalogMediaStore implements MediaStore {
  readonly #local = localMediaStore();

  constructor(private readonly options: CatalogMediaOptions) {}

  async stat(root: string, path: string): Promise<MediaStat> {
    if (!isElsewhere(root)) return this.#local.stat(root, path);
    return (await this.options.storageAt(root)).stat(path);
  }

  async locate(root: string, path: string): Promise<LocatedFile> {
    if (!isElsewhere(root)) return this.#local.locate(root, path);
    const { loopback } = this.options;
    if (!loopback) throw new Rejection('unavailable', 'files of other places are not given to programs here');
    const stat = await (await this.options.storageAt(root)).stat(path);
    return { ...stat, realPath: await loopback.addressOf(root, path) };
  }

  async openFile(root: string, path: string): Promise<OpenMedia> {
    if (!isElsewhere(root)) return this.#local.openFile(root, path);
    return { ...(await this.stat(root, path)), read: (range) => this.open(root, path, range), close: async () => undefined };
  }

  async open(root: string, path: string, range?: { start: number; end: number }): Promise<Readable> {
    if (!isElsewhere(root)) return this.#local.open(root, path, range);
    const part = await (await this.options.storageAt(root)).read(path, range);
    if (range && (part.start !== range.start || part.end !== range.end)) {
      part.body.destroy();
      // A length is promised already; what is shorter now is another file.
      throw new Rejection('media.not-found', 'the file is shorter than it was');
    }
    return part.body;
  }

  async namesBeside(root: string, path: string): Promise<string[]> {
    if (!isElsewhere(root)) return this.#local.namesBeside(root, path);
    const files = await (await this.options.storageAt(root)).filesIn(path.includes('/') ? dirname(path) : '');
    return files.map((file) => basename(file.path)).toSorted();
  }
}
