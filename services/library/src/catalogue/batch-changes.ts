import type { ArtRef, FolderEvent, LicenseRef, NameTables, RecordedEvent, RecordedTrack } from '@continuo/contracts';
import { nameLookup, songRow, type SongRow } from './song-row.js';

type TrackEvent = RecordedEvent<Extract<FolderEvent, { type: 'TracksAdded' | 'TracksChanged' | 'TracksMovedIn' }>>;

/** A row of the file table, or its removal. */
export type FileChange =
  | { readonly folder_id: number; readonly name: string; readonly kind: null }
  | {
      readonly folder_id: number;
      readonly name: string;
      readonly kind: 'track' | 'skipped' | 'art' | 'lyrics';
      readonly size_bytes: number;
      readonly mtime_ms: number;
      readonly song_id: number | null;
      readonly skip_reason: string | null;
      readonly skip_message: string | null;
    };

/** Change of a folder by a batch. */
export interface FolderChange {
  id: number;
  catalog_id: number;
  parent_id?: number | null;
  path?: string;
  name?: string;
  present?: boolean;
  art?: ArtRef | null;
}

/** A song as the batch leaves it. */
export interface SongChange {
  readonly row: SongRow;
  readonly track: RecordedTrack;
  /** Path relative to the catalog's root. */
  readonly path: string;
}

/** A song that a batch deletes. */
export interface SongDeletion {
  /** The song as an earlier event of the batch left it; undefined when only the tables know it. */
  readonly last: SongChange | undefined;
  readonly atMs: number;
}

/**
 * The net effect of a run of folder events: for each row only its last state, so that a batch of thousands of events becomes a few set-based
 * statements. The effect of two runs one after the other is that of both together.
 */
export class BatchChanges {
  /** Last state by song id; null = gone. */
  readonly songs = new Map<number, SongChange | null>();
  readonly deleted = new Map<number, SongDeletion>();
  readonly files = new Map<string, FileChange>();
  readonly folders = new Map<number, FolderChange>();
  /** Folders whose companion files are replaced or gone: rows of those kinds are cleared before `files` is written. */
  readonly clearedSidecars = new Set<number>();
  readonly clearedFolders = new Set<number>();
  readonly artists = new Map<number, NameTables['artists'][number] & { readonly firstSeenAtMs: number }>();
  readonly albums = new Map<number, { ref: NameTables['albums'][number]; catalogId: number }>();
  readonly genres = new Map<number, string>();
  readonly moods = new Map<number, string>();
  readonly labels = new Map<number, string>();
  readonly licenses = new Map<number, LicenseRef>();
  readonly art = new Map<string, ArtRef>();
  /** Position of the last event that can have changed a list of songs, albums, artists and what they carry; that of folders; that of deletions. */
  listPosition = 0;
  folderPosition = 0;
  deletedPosition = 0;
  /** Songs that were added by an event of this run: the tables cannot know them yet. */
  readonly #fresh = new Set<number>();

  /** Ids of the songs of this run that the tables may know. */
  knownSongs(): number[] {
    return [...this.songs.keys()].filter((id) => !this.#fresh.has(id)).toSorted((a, b) => a - b);
  }

  /** Songs that are there at the end of this run. */
  presentSongs(): SongChange[] {
    return [...this.songs.values()].filter((song) => song !== null);
  }

  apply(event: RecordedEvent<FolderEvent>): void {
    switch (event.type) {
      case 'FolderDiscovered': {
        const { data } = event as RecordedEvent<Extract<FolderEvent, { type: 'FolderDiscovered' }>>;
        this.#folder(data.folderId, data.catalogId, { parent_id: data.parentId, path: data.path, name: data.name, present: true });
        this.folderPosition = event.position;
        break;
      }
      case 'TracksAdded':
      case 'TracksChanged':
      case 'TracksMovedIn':
        this.#tracks(event as TrackEvent);
        break;
      default:
        this.#removal(event);
    }
  }

  #tracks(event: TrackEvent): void {
    const { data } = event;
    const lookup = nameLookup(data.names);
    this.#names(data.names, data.catalogId, event.at);
    if ('from' in data) for (const origin of data.from) this.#fileGone(origin.folderId, origin.fileName);
    for (const track of data.tracks) {
      const before = this.songs.get(track.songId);
      const row = songRow(track, data, lookup, event.at);
      const path = data.path === '' ? track.fileName : `${data.path}/${track.fileName}`;
      this.songs.set(track.songId, { track, path, row: before ? { ...row, added_at_ms: before.row.added_at_ms } : row });
      if (event.type === 'TracksAdded') this.#fresh.add(track.songId);
      this.#file({
        folder_id: data.folderId,
        name: track.fileName,
        kind: 'track',
        size_bytes: track.sizeBytes,
        mtime_ms: track.mtimeMs,
        song_id: track.songId,
        skip_reason: null,
        skip_message: null,
      });
      if (track.art) this.art.set(track.art.hash, track.art);
    }
    this.listPosition = event.position;
  }

  #names(names: NameTables, catalogId: number, at: number): void {
    for (const artist of names.artists) {
      const before = this.artists.get(artist.id);
      this.artists.set(artist.id, { ...before, ...artist, firstSeenAtMs: before?.firstSeenAtMs ?? at });
    }
    for (const ref of names.albums) this.albums.set(ref.id, { ref, catalogId });
    for (const genre of names.genres) this.genres.set(genre.id, genre.name);
    for (const mood of names.moods) this.moods.set(mood.id, mood.name);
    for (const label of names.labels ?? []) this.labels.set(label.id, label.name);
    for (const license of names.licenses ?? []) {
      const externalLink = license.externalLink || (this.licenses.get(license.id)?.externalLink ?? '');
      this.licenses.set(license.id, { ...license, externalLink });
    }
  }

  #removal(recorded: RecordedEvent<FolderEvent>): void {
    const event = recorded as RecordedEvent & FolderEvent;
    switch (event.type) {
      case 'TracksRemoved':
        for (const { songId, fileName } of event.data.songs) {
          this.deleted.set(songId, { last: this.songs.get(songId) ?? undefined, atMs: recorded.at });
          this.songs.set(songId, null);
          this.#fileGone(event.data.folderId, fileName);
        }
        this.listPosition = recorded.position;
        this.deletedPosition = recorded.position;
        break;
      case 'TracksMovedOut':
        // The songs themselves follow the event of the folder that they moved to.
        for (const { fileName } of event.data.songs) this.#fileGone(event.data.folderId, fileName);
        break;
      case 'FilesSkipped':
        for (const f of event.data.files)
          this.#file({
            folder_id: event.data.folderId,
            name: f.fileName,
            kind: 'skipped',
            size_bytes: f.sizeBytes,
            mtime_ms: f.mtimeMs,
            song_id: null,
            skip_reason: f.reason,
            skip_message: f.message,
          });
        break;
      case 'SkippedFilesCleared':
        for (const name of event.data.fileNames) this.#fileGone(event.data.folderId, name);
        break;
      case 'FolderSidecarsChanged':
        this.#sidecars(event);
        this.listPosition = recorded.position;
        break;
      case 'FolderVanished':
        this.#vanish(event.data.folderId, event.data.catalogId);
        this.folderPosition = recorded.position;
        break;
      default:
        break;
    }
  }

  #sidecars({ data }: Extract<FolderEvent, { type: 'FolderSidecarsChanged' }>): void {
    this.clearedSidecars.add(data.folderId);
    for (const [key, file] of this.files)
      if (file.folder_id === data.folderId && (file.kind === 'art' || file.kind === 'lyrics')) this.files.delete(key);
    for (const f of data.files)
      this.#file({
        folder_id: data.folderId,
        name: f.fileName,
        kind: f.kind,
        size_bytes: f.sizeBytes,
        mtime_ms: f.mtimeMs,
        song_id: null,
        skip_reason: null,
        skip_message: null,
      });
    this.#folder(data.folderId, data.catalogId, { art: data.art });
    if (data.art) this.art.set(data.art.hash, data.art);
  }

  #vanish(folderId: number, catalogId: number): void {
    this.clearedFolders.add(folderId);
    for (const [key, file] of this.files) if (file.folder_id === folderId) this.files.delete(key);
    this.#folder(folderId, catalogId, { present: false, art: null });
  }

  #folder(id: number, catalogId: number, change: Partial<FolderChange>): void {
    this.folders.set(id, { ...this.folders.get(id), id, catalog_id: catalogId, ...change });
  }

  #file(change: FileChange): void {
    this.files.set(`${change.folder_id}/${change.name}`, change);
  }

  #fileGone(folderId: number, name: string): void {
    this.#file({ folder_id: folderId, name, kind: null });
  }
}
