import { basename, dirname } from 'node:path/posix';
import type { Readable } from 'node:stream';
import { isElsewhere, Rejection } from '@continuo/contracts';
import type { MediaPlace, MediaStat, MediaStore } from '../media-store.js';
import type { LoopbackMedia, PlaceAt } from '../place/loopback-media.js';
import { localMediaStore } from './local-media-store.js';

/** What media are read from beside the folders of this machine. */
export interface CatalogMediaOptions {
  readonly placeAt: PlaceAt;
  /** Gives files of other places an address that a program can open; absent where no program has to. */
  readonly loopback?: Pick<LoopbackMedia, 'addressOf'>;
}

/** Media files of all catalogs, wherever they lie: the root of a catalog tells. */
export class CatalogMediaStore implements MediaStore {
  readonly #local = localMediaStore();

  constructor(private readonly options: CatalogMediaOptions) {}

  async stat(root: string, path: string): Promise<MediaStat> {
    if (!isElsewhere(root)) return this.#local.stat(root, path);
    return (await this.options.placeAt(root)).stat(path);
  }

  async locate(root: string, path: string): Promise<MediaPlace> {
    if (!isElsewhere(root)) return this.#local.locate(root, path);
    const { loopback } = this.options;
    if (!loopback) throw new Rejection('unavailable', 'files of other places are not given to programs here');
    const stat = await (await this.options.placeAt(root)).stat(path);
    return { ...stat, realPath: await loopback.addressOf(root, path) };
  }

  async open(root: string, path: string, range?: { start: number; end: number }): Promise<Readable> {
    if (!isElsewhere(root)) return this.#local.open(root, path, range);
    const part = await (await this.options.placeAt(root)).read(path, range);
    if (range && (part.start !== range.start || part.end !== range.end)) {
      part.body.destroy();
      // A length is promised already; what is shorter now is another file.
      throw new Rejection('media.not-found', 'the file is shorter than it was');
    }
    return part.body;
  }

  async namesBeside(root: string, path: string): Promise<string[]> {
    if (!isElsewhere(root)) return this.#local.namesBeside(root, path);
    const files = await (await this.options.placeAt(root)).filesIn(path.includes('/') ? dirname(path) : '');
    return files.map((file) => basename(file.path)).toSorted();
  }
}
