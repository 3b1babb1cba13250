import { createHash } from 'node:crypto';
import { Rejection } from '@continuo/contracts';
import type { MediaStat } from '../../media-store.js';
import { StorageUnavailable, type FileStorage, type StorageFile, type StorageBody, type ByteRange } from '../file-storage.js';
import { withRetries, type RetryOptions } from '../retries.js';
import { asUnavailable, asUnusable } from '../request-errors.js';
import { resumingBody } from '../resuming-body.js';
import type { RemoteApi } from './remote-api.js';
import type { RemoteSong } from './remote-song.js';

/** A storage that describes its songs itself: no tags are read from their files. */
export interface SongStorage extends FileStorage {
  /** @throws Rejection as {@link FileStorage.stat} */
  describe(path: string): Promise<RemoteSong>;
  /** A picture of a song; undefined when there is none. @throws Rejection `unavailable` */
  picture(artId: string): Promise<Uint8Array | undefined>;
}

/** True for a storage that describes its songs itself. */
export const isSongStorage = (storage: FileStorage): storage is SongStorage => 'describe' in storage;

const DAY_MS = 86_400_000;
const SECOND_MS = 1000;
const DAY_S = 86_400;
/** Songs of a listing that are kept until they are asked for, so that they need not be fetched one by one. */
const MOST_KEPT = 50_000;
/** Pages after which a server evidently does not end. */
const MAX_PAGES = 100_000;

/** Folders that songs are spread over. */
const FOLDERS = 256;
const folderName = (index: number): string => index.toString(16).padStart(2, '0');

const number = (text: string): number => createHash('sha1').update(text).digest().readUInt32BE(0);

/**
 * The path of a song, made of nothing but its id: whatever becomes of its tags, it stays the same song. Folders are only there to keep few files in each.
 */
export const pathOfSong = ({ id, suffix }: Pick<RemoteSong, 'id' | 'suffix'>): string => {
  const folder = folderName(number(id) % FOLDERS);
  // What begins with a dot would count as hidden.
  return `${folder}/${encodeURIComponent(id).replace(/^\./, '%2E')}.${suffix}`;
};

const idOfPath = (path: string): string => {
  const name = /^[0-9a-f]{2}\/([^/]+)\.[a-z0-9]+$/.exec(path)?.[1];
  if (name === undefined || name.includes('\0')) throw new Rejection('media.not-found');
  try {
    return decodeURIComponent(name);
  } catch (cause) {
    throw new Rejection('media.not-found', undefined, undefined, { cause });
  }
};

/** Servers do not tell when a file was changed: the day is that on which the song came, what is below it stands for all that the server says. */
const stateOf = (song: RemoteSong): MediaStat => {
  const day = Math.floor(song.addedAtMs / DAY_MS) * DAY_MS;
  const said = number(JSON.stringify({ ...song, addedAtMs: 0 })) % DAY_S;
  return { sizeBytes: Math.max(1, song.sizeBytes), mtimeMs: Math.max(0, day) + said * SECOND_MS + (number(song.id) % SECOND_MS) };
};

/** Songs of another server. */
export class RemoteStorage implements SongStorage {
  readonly folders = Array.from({ length: FOLDERS }, (_, index) => folderName(index));
  /** Of the listing that was made last. */
  #listed = new Map<string, RemoteSong>();

  constructor(
    private readonly api: RemoteApi,
    private readonly options: { readonly patience?: RetryOptions; readonly stallMs?: number } = {},
  ) {}

  async check(): Promise<void> {
    await this.#whole(() => this.api.check());
  }

  async stat(path: string): Promise<MediaStat> {
    const song = await this.#song(path);
    const state = stateOf(song);
    if (song.sizeBytes > 0) return state;
    // The size of the file itself counts for whoever is sent it.
    const { flow, sizeBytes } = await this.#single(() => this.api.bytes(song.id, { start: 0, end: 0 }));
    flow.abort();
    return { ...state, sizeBytes };
  }

  async read(path: string, part?: ByteRange): Promise<StorageBody> {
    const id = idOfPath(path);
    const { start, end, sizeBytes, flow } = await this.#single(() => this.api.bytes(id, part));
    const again = async (from: number) => {
      const next = await this.#single(() => this.api.bytes(id, { start: from, end }));
      if (next.sizeBytes === sizeBytes && next.start === from) return next.flow;
      next.flow.abort();
      throw new Rejection('media.not-found', 'the file is another one now');
    };
    const { stallMs } = this.options;
    const body = resumingBody({ start, end, first: flow, again, ...(stallMs === undefined ? {} : { stallMs }) });
    return { body, start, end, sizeBytes };
  }

  async isThere(path: string): Promise<boolean> {
    // Folders are always there.
    if (!path.includes('/')) return true;
    try {
      await this.#song(path);
      return true;
    } catch (error) {
      return !(error instanceof Rejection) || error.code !== 'media.not-found';
    }
  }

  async *list(below: string, signal?: AbortSignal): AsyncGenerator<StorageFile> {
    const files = (await this.#whole(() => this.#all(signal))).filter(({ path }) => below === '' || path.startsWith(`${below}/`));
    yield* files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  }

  async filesIn(folder: string): Promise<StorageFile[]> {
    const files: StorageFile[] = [];
    try {
      for await (const file of this.list(folder)) files.push(file);
    } catch (error) {
      throw asUnavailable(error);
    }
    return folder === '' ? [] : files;
  }

  async describe(path: string): Promise<RemoteSong> {
    const id = idOfPath(path);
    return this.#listed.get(id) ?? this.#song(path);
  }

  picture(artId: string): Promise<Uint8Array | undefined> {
    return this.#single(() => this.api.picture(artId));
  }

  /** Every song of the server. Pages may shift while songs come and go: what is met twice counts once, and what is missed is asked for before it is taken for gone. */
  async #all(signal: AbortSignal | undefined): Promise<StorageFile[]> {
    const listed = new Map<string, RemoteSong>();
    const seen = new Set<string>();
    const files: StorageFile[] = [];
    for (let offset = 0, page = 0; ; page += 1) {
      signal?.throwIfAborted();
      const songs = await withRetries(() => this.api.songs(offset, signal), { ...this.options.patience, signal });
      const fresh = songs.filter(({ id }) => !seen.has(id));
      if (songs.length === 0) break;
      if (fresh.length === 0 || page >= MAX_PAGES) throw new StorageUnavailable('the server shows the same songs over and over');
      for (const song of fresh) {
        seen.add(song.id);
        if (listed.size < MOST_KEPT) listed.set(song.id, song);
        files.push({ path: pathOfSong(song), ...stateOf(song) });
      }
      offset += songs.length;
    }
    this.#listed = listed;
    return files;
  }

  #song(path: string): Promise<RemoteSong> {
    const id = idOfPath(path);
    return this.#single(() => this.api.song(id));
  }

  #single<T>(ask: () => Promise<T>): Promise<T> {
    return withRetries(ask, this.options.patience).catch((error: unknown) => {
      throw asUnavailable(error);
    });
  }

  #whole<T>(ask: () => Promise<T>): Promise<T> {
    return withRetries(ask, this.options.patience).catch((error: unknown) => {
      throw asUnusable(error);
    });
  }
}
