import { createHash } from 'node:crypto';
import { lstat, open } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { decision, type AggregateRunner, type CommandClient, type ProjectionWatch } from '@continuo/chassis';
import {
  addPlaylistMembers,
  createPlaylist,
  MAX_PLAYLIST_COMMENT,
  MAX_PLAYLIST_NAME,
  MAX_QUOTED_CHARS,
  MAX_UNMATCHED_SAMPLES,
  playlistId as playlistIdSchema,
  Rejection,
  replacePlaylistMembers,
  type LogPosition,
  type MessageContext,
  type PlaylistFileFact,
  type PlaylistId,
  type ReadModel,
  type UserId,
  type ScannedCatalog,
} from '@continuo/contracts';
import { DEFAULT_LIMITS, PlaylistFileFault, readAndMatch, type MatchedPlaylistFile } from '@continuo/playlist-files';
import type { Kysely } from 'kysely';
import type { ScanTally } from '../scan/scan-tally.js';
import type { DiskFile } from '../walk/walked-folder.js';
import { accountNamed, knownPlaylistFiles, revisionWithSongs, revisionOf, type KnownPlaylistFile } from './known-playlist-files.reads.js';
import { playlistFileAggregate, type PlaylistFileCommand } from './playlist-file.decider.js';

/** Settings of the playlist import. */
export interface PlaylistImportSettings {
  readonly isOn: boolean;
  /** Name of the account that gets new lists; `system` for lists of nobody. */
  readonly owner: string;
  readonly isPublic: boolean;
}

/** Dependencies of the import. */
export interface PlaylistImportDependencies {
  readonly db: Kysely<ReadModel>;
  readonly commands: CommandClient;
  readonly aggregates: AggregateRunner;
  readonly watch: ProjectionWatch;
  readonly now: () => number;
  readonly settings: PlaylistImportSettings;
}

/** For which scan it works. */
export interface ImportingScan {
  readonly catalog: ScannedCatalog;
  /** Real path of the catalog. */
  readonly root: string;
  readonly context: MessageContext;
  readonly tally: ScanTally;
  readonly signal: AbortSignal;
}

/** A playlist file that the walk met; `path` is relative to the catalog's root. */
export interface WalkedPlaylistFile extends Pick<DiskFile, 'sizeBytes' | 'mtimeMs'> {
  readonly path: string;
}

const SONGS_PER_COMMAND = 50_000;
const COMMAND_TIMEOUT_MS = 60_000;
const SHOWN_WITHIN_MS = 30_000;

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');
const quoted = (text: string): string => text.slice(0, MAX_QUOTED_CHARS).toWellFormed();

type Ending = Pick<PlaylistFileFact, 'outcome' | 'playlistId' | 'revision' | 'message'>;

/**
 * Makes lists of the playlist files of a catalog and keeps them as the files say, until somebody changes a list by hand: from then on it is theirs
 * (docs/decisions/0022-imported-playlists-follow-files-until-edited.md).
 */
export class PlaylistImport {
  #owner: UserId | null | undefined;
  #known = new Map<string, KnownPlaylistFile>();

  constructor(
    private readonly deps: PlaylistImportDependencies,
    private readonly scan: ImportingScan,
  ) {}

  /**
   * Reads what is new or changed, and what lacked songs when the library has others now. What goes wrong with one file is a line of the report.
   * @param isLibraryChanged true when this scan has added or moved songs
   */
  async run(files: readonly WalkedPlaylistFile[], isLibraryChanged: boolean): Promise<void> {
    const { db, settings } = this.deps;
    if (!settings.isOn || files.length === 0) return;
    this.#owner = settings.owner.toLowerCase() === 'system' ? null : await accountNamed(db, settings.owner);
    if (this.#owner === undefined)
      return this.#notice('.', `playlist files were not read: there is no account "${settings.owner}" (SCAN_PLAYLISTS_OWNER)`);
    this.#known = await knownPlaylistFiles(db, this.scan.catalog.id);
    for (const file of files) {
      this.scan.signal.throwIfAborted();
      if (this.#needsReading(file, isLibraryChanged)) await this.#safely(file);
    }
  }

  #needsReading({ path, sizeBytes, mtimeMs }: WalkedPlaylistFile, isLibraryChanged: boolean): boolean {
    const known = this.#known.get(path);
    if (known === undefined || known.size_bytes !== sizeBytes || known.mtime_ms !== mtimeMs) return true;
    const lacks = known.song_count < known.entry_count && (known.outcome === 'imported' || known.outcome === 'nothing-found');
    return isLibraryChanged && lacks;
  }

  async #safely(file: WalkedPlaylistFile): Promise<void> {
    try {
      await this.#import(file);
    } catch (error) {
      this.scan.signal.throwIfAborted();
      this.#notice(file.path, `the playlist could not be imported: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  async #import(met: WalkedPlaylistFile): Promise<void> {
    const absolute = join(this.scan.root, met.path);
    const bytes = await readBounded(absolute);
    const digest = sha256(bytes);
    const origin = this.#known.get(met.path) ?? (await this.#movedHere(digest));
    const base = { catalogId: this.scan.catalog.id, path: met.path, digest, sizeBytes: met.sizeBytes, mtimeMs: met.mtimeMs };
    const file = await this.#read(bytes, absolute).catch((error: unknown) => {
      if (!(error instanceof PlaylistFileFault)) throw error;
      return error;
    });
    if (file instanceof PlaylistFileFault) {
      // The pieces of a stream bear the suffix of playlists; nobody needs to hear of them.
      if (file.reason !== 'stream') this.#notice(met.path, file.message);
      const kept = { playlistId: idOf(origin), revision: origin?.revision ?? null };
      const nothing = { entryCount: 0, songCount: 0, unmatched: [] };
      return this.#record({ ...base, ...kept, ...nothing, outcome: 'unusable', message: quoted(file.message) }, origin);
    }
    const isPoorer = origin?.digest === digest && origin.outcome === 'imported' && file.report.songIds.length <= origin.song_count;
    if (isPoorer) return this.#recordState(base, origin, file);
    const ending = await this.#list(file, met.path, origin);
    this.#report(met.path, ending, file);
    await this.#record({ ...base, ...ending, ...countsOf(file) }, origin);
  }

  #read(bytes: Uint8Array, absolute: string): Promise<MatchedPlaylistFile> {
    return readAndMatch(this.deps.db, bytes, { fileName: basename(absolute), folder: dirname(absolute) });
  }

  /** A file of the same content whose place is empty now has moved: its list goes with it. */
  async #movedHere(digest: string): Promise<KnownPlaylistFile | undefined> {
    for (const known of this.#known.values()) {
      if (known.digest !== digest || known.playlist_id === null) continue;
      const isThere = await lstat(join(this.scan.root, known.path)).then(
        () => true,
        () => false,
      );
      if (!isThere) return known;
    }
    return undefined;
  }

  /** Makes the list, or brings it to what the file says, or leaves it to whoever has changed it. */
  async #list(file: MatchedPlaylistFile, path: string, origin: KnownPlaylistFile | undefined): Promise<Ending> {
    const { songIds } = file.report;
    const before = { playlistId: idOf(origin), revision: origin?.revision ?? null };
    if (songIds.length === 0 && file.content.entries.length > 0)
      return { outcome: 'nothing-found', ...before, message: 'none of its entries is in the library' };
    if (before.playlistId === null) return this.#made(file, path);
    const revision = await revisionOf(this.deps.db, before.playlistId);
    if (revision === undefined)
      return { outcome: 'deleted', ...before, message: 'its playlist was deleted by hand and does not come back by itself' };
    if (revision !== before.revision) return edited(before);
    return this.#updated(before.playlistId, revision, songIds);
  }

  async #made(file: MatchedPlaylistFile, path: string): Promise<Ending> {
    const { commands, settings } = this.deps;
    const { songIds } = file.report;
    const first = songIds.slice(0, SONGS_PER_COMMAND);
    const name = (file.content.title ?? basename(path, extname(path))).trim().slice(0, MAX_PLAYLIST_NAME).toWellFormed() || 'Playlist';
    const ownerId = this.#owner ?? null;
    const terms = {
      ownerId,
      name,
      // Nobody but administrators could open a private list of nobody.
      isPublic: settings.isPublic || ownerId === null,
      comment: (file.content.comment ?? '').slice(0, MAX_PLAYLIST_COMMENT).toWellFormed(),
    };
    // The same for every try of it: a scan that is cut off behind this must not make a second list.
    const commandId = `playlist-file-${this.scan.catalog.id}-${sha256(`${path}\n${this.#known.get(path)?.digest ?? ''}`).slice(0, 32)}`;
    const members = first.length === 0 ? [] : [{ objectIds: first }];
    const made = await commands.send(createPlaylist, { ...terms, members }, this.scan.context, {
      commandId,
      timeoutMs: COMMAND_TIMEOUT_MS,
    });
    const { playlistId } = made.result;
    let positions: readonly LogPosition[] = made.positions;
    for (let at = first.length; at < songIds.length; at += SONGS_PER_COMMAND) {
      const data = { playlistId, members: [{ objectIds: songIds.slice(at, at + SONGS_PER_COMMAND) }] };
      const more = { commandId: `${commandId}-${at}`, timeoutMs: COMMAND_TIMEOUT_MS };
      ({ positions } = await commands.send(addPlaylistMembers, data, this.scan.context, more));
    }
    return this.#shown(playlistId, positions, songIds);
  }

  async #updated(playlistId: PlaylistId, revision: number, songIds: readonly number[]): Promise<Ending> {
    const members = songIds.length === 0 ? [] : [{ objectIds: [...songIds] }];
    const data = { playlistId, members, expectedRevision: revision };
    try {
      const { positions } = await this.deps.commands.send(replacePlaylistMembers, data, this.scan.context, {
        timeoutMs: COMMAND_TIMEOUT_MS,
      });
      return await this.#shown(playlistId, positions, songIds);
    } catch (error) {
      if (error instanceof Rejection && error.code === 'conflict') return edited({ playlistId, revision });
      throw error;
    }
  }

  /** Revision of the list now; a change made meanwhile shows in its songs. */
  async #shown(playlistId: PlaylistId, positions: readonly LogPosition[], songIds: readonly number[]): Promise<Ending> {
    if (positions.length > 0 && !(await this.deps.watch.waitFor([...positions], SHOWN_WITHIN_MS)))
      throw new Error('the library is far behind; the next scan tries again');
    const revision = await revisionWithSongs(this.deps.db, playlistId, songIds);
    if (revision === undefined) return edited({ playlistId, revision: null });
    return { outcome: 'imported', playlistId, revision, message: null };
  }

  /** Nothing but the file's time has changed. */
  #recordState(
    base: Pick<PlaylistFileFact, 'catalogId' | 'path' | 'digest' | 'sizeBytes' | 'mtimeMs'>,
    origin: KnownPlaylistFile,
    file: MatchedPlaylistFile,
  ): Promise<void> {
    const isSame = origin.path === base.path && origin.size_bytes === base.sizeBytes && origin.mtime_ms === base.mtimeMs;
    if (isSame) return Promise.resolve();
    const { entryCount, unmatched } = countsOf(file);
    const list = { playlistId: idOf(origin), revision: origin.revision, songCount: origin.song_count };
    return this.#record({ ...base, ...list, outcome: 'imported', entryCount, message: null, unmatched }, origin);
  }

  async #record(fact: PlaylistFileFact, origin: KnownPlaylistFile | undefined): Promise<void> {
    await this.#decide(fact.path, { type: 'record', fact });
    if (origin === undefined || origin.path === fact.path) return;
    this.#known.delete(origin.path);
    await this.#decide(origin.path, { type: 'move', catalogId: fact.catalogId, path: origin.path, to: fact.path });
  }

  async #decide(path: string, command: PlaylistFileCommand): Promise<void> {
    const id = `${this.scan.catalog.id}-${sha256(path).slice(0, 32)}`;
    await this.deps.aggregates.run([decision(playlistFileAggregate, id, command)], { ...this.scan.context, at: this.deps.now() });
  }

  #report(path: string, { message }: Ending, { report, content }: MatchedPlaylistFile): void {
    if (message !== null) return this.#notice(path, message);
    const missing = report.unmatched.length;
    if (missing > 0) this.#notice(path, `no song was found for ${missing} of its ${content.entries.length} entries`);
  }

  #notice(path: string, message: string): void {
    this.scan.tally.noticed(path, 'damaged', message);
  }
}

const idOf = (known: KnownPlaylistFile | undefined): PlaylistId | null =>
  known === undefined || known.playlist_id === null ? null : playlistIdSchema.parse(known.playlist_id);

const edited = (before: Pick<Ending, 'playlistId' | 'revision'>): Ending => ({
  outcome: 'edited',
  ...before,
  message: 'its playlist was changed by hand and is left as it is',
});

const countsOf = ({ content, report }: MatchedPlaylistFile): Pick<PlaylistFileFact, 'entryCount' | 'songCount' | 'unmatched'> => ({
  entryCount: content.entries.length,
  songCount: report.songIds.length,
  unmatched: report.unmatched.slice(0, MAX_UNMATCHED_SAMPLES).map(({ number, entry, match }) => ({
    number,
    location: quoted(entry.locations[0] ?? ''),
    says: quoted([entry.artist, entry.title].filter((text) => text !== undefined).join(' - ')),
    reason: match.reason,
  })),
});

/** The content of a file, one byte more than the bound at most: what is larger is then refused by its reader. */
const readBounded = async (path: string): Promise<Uint8Array> => {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const bytes = Buffer.alloc(Math.min(size, DEFAULT_LIMITS.maxBytes + 1));
    let read = 0;
    while (read < bytes.length) {
      const { bytesRead } = await file.read(bytes, read, bytes.length - read, read);
      if (bytesRead === 0) break;
      read += bytesRead;
    }
    return bytes.subarray(0, read);
  } finally {
    await file.close();
  }
};
