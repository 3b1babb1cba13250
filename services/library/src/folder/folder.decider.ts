import type { Aggregate } from '@continuo/chassis';
import {
  filesSkipped,
  folderDiscovered,
  folderSidecarsChanged,
  folderVanished,
  Rejection,
  skippedFilesCleared,
  tracksAdded,
  tracksChanged,
  tracksMovedIn,
  tracksMovedOut,
  tracksRemoved,
  type ArtRef,
  type CatalogId,
  type FolderEvent,
  type FolderId,
  type NameTables,
  type RecordedTrack,
  type SidecarFile,
  type SkippedFile,
  type SongId,
} from '@continuo/contracts';
import { isSameState, own, splitBySize, takeId, without, type FileState } from './recorded-files.js';
import { namesOf } from './used-names.js';

interface KnownTrack extends FileState {
  readonly songId: SongId;
}

/** State of a folder: its files, and the state in which each was recorded. */
export interface FolderState {
  readonly discovered: boolean;
  readonly present: boolean;
  readonly tracks: Readonly<Record<string, KnownTrack>>;
  readonly skipped: Readonly<Record<string, SkippedFile>>;
  readonly sidecars: { readonly files: readonly SidecarFile[]; readonly art: ArtRef | null };
}

/** The folder itself, as every event of it names it. */
export interface FolderRef {
  readonly folderId: FolderId;
  readonly catalogId: CatalogId;
  readonly path: string;
  readonly parentId: FolderId | null;
  readonly name: string;
}

/** A track with its names resolved; its song id is chosen by the decision. */
export type ResolvedTrack = Omit<RecordedTrack, 'songId'>;

export interface Move {
  readonly fileName: string;
  readonly songId: SongId;
  readonly fromFolderId: FolderId;
  readonly fromFileName: string;
}

/** Commands of a folder. */
export type FolderCommand =
  | { readonly type: 'discover'; readonly folder: FolderRef }
  | {
      readonly type: 'record';
      readonly folder: FolderRef;
      readonly names: NameTables;
      readonly tracks: readonly ResolvedTrack[];
      readonly moves: readonly Move[];
      /** Ids for tracks that turn out to be new; at least as many as there may be. */
      readonly freshSongIds: readonly SongId[];
      readonly goneFiles: readonly string[];
      readonly skipped: readonly SkippedFile[];
      readonly sidecars?: { readonly files: readonly SidecarFile[]; readonly art: ArtRef | null } | undefined;
      readonly vanished: boolean;
    }
  | {
      readonly type: 'move-out';
      readonly folder: Pick<FolderRef, 'folderId' | 'catalogId'>;
      readonly songIds: readonly SongId[];
      readonly toFolderId: FolderId;
    };

type RecordCommand = Extract<FolderCommand, { type: 'record' }>;

const initialState: FolderState = { discovered: false, present: false, tracks: {}, skipped: {}, sidecars: { files: [], art: null } };

const decide = (state: FolderState, command: FolderCommand): FolderEvent[] => {
  switch (command.type) {
    case 'discover':
      return discover(state, command.folder);
    case 'record':
      return record(state, command);
    case 'move-out':
      return moveOut(state, command);
  }
};

const discover = (state: FolderState, folder: FolderRef): FolderEvent[] =>
  state.discovered && state.present ? [] : [folderDiscovered({ ...folder })];

const record = (state: FolderState, command: RecordCommand): FolderEvent[] => {
  if (command.vanished) return vanish(state, command.folder);
  const change = [...removals(state, command), ...arrivals(state, command), ...skips(state, command), ...sidecarChange(state, command)];
  if (change.length === 0) return [];
  return [...discover(state, command.folder), ...change];
};

const vanish = (state: FolderState, folder: FolderRef): FolderEvent[] => {
  if (!state.present) return [];
  const ref = { folderId: folder.folderId, catalogId: folder.catalogId };
  const songs = Object.entries(state.tracks).map(([fileName, { songId }]) => ({ songId, fileName }));
  return [...(songs.length > 0 ? [tracksRemoved({ ...ref, songs })] : []), folderVanished(ref)];
};

/** Tracks that are gone, or that can no longer be read as media. */
const removals = (state: FolderState, command: RecordCommand): FolderEvent[] => {
  const { folderId, catalogId } = command.folder;
  // A file that was renamed within the folder is gone under its old name only.
  const renamed = new Set(command.moves.filter((move) => move.fromFolderId === folderId).map((move) => move.fromFileName));
  const names = new Set([...command.goneFiles, ...command.skipped.map((file) => file.fileName)]);
  const songs = [...names.difference(renamed)].flatMap((fileName) => {
    const track = own(state.tracks, fileName);
    return track ? [{ songId: track.songId, fileName }] : [];
  });
  return songs.length > 0 ? [tracksRemoved({ folderId, catalogId, songs })] : [];
};

/** New, moved and changed tracks, in events that stay under the size limit. */
const arrivals = (state: FolderState, command: RecordCommand): FolderEvent[] => {
  const fresh = command.freshSongIds.values();
  const moves = new Map(command.moves.map((move) => [move.fileName, move]));
  const added: RecordedTrack[] = [];
  const changed: RecordedTrack[] = [];
  const moved: RecordedTrack[] = [];
  for (const track of command.tracks) {
    const known = own(state.tracks, track.fileName);
    const move = moves.get(track.fileName);
    // Taken from its old place, the song would be in none.
    if (known && move && move.songId !== known.songId)
      throw new Rejection('conflict', 'a song is already where another one is said to have moved', 'moves');
    if (known && isSameState(known, track)) continue;
    if (known) changed.push({ ...track, songId: known.songId });
    else if (move) moved.push({ ...track, songId: move.songId });
    else added.push({ ...track, songId: takeId(fresh) });
  }
  const { folderId, catalogId, path } = command.folder;
  const data = (tracks: RecordedTrack[]) => ({ folderId, catalogId, path, tracks, names: namesOf(command.names, tracks) });
  const origin = ({ songId, fileName }: RecordedTrack) => {
    const move = moves.get(fileName) as Move;
    return { songId, folderId: move.fromFolderId, fileName: move.fromFileName };
  };
  return [
    ...splitBySize(added).map((tracks) => tracksAdded(data(tracks))),
    ...splitBySize(moved).map((tracks) => tracksMovedIn({ ...data(tracks), from: tracks.map(origin) })),
    ...splitBySize(changed).map((tracks) => tracksChanged(data(tracks))),
  ];
};

const skips = (state: FolderState, command: RecordCommand): FolderEvent[] => {
  const { folderId, catalogId } = command.folder;
  const news = command.skipped.filter((file) => !sameSkip(own(state.skipped, file.fileName), file));
  const readable = new Set([...command.tracks.map((track) => track.fileName), ...command.goneFiles]);
  const cleared = [...readable].filter((fileName) => own(state.skipped, fileName));
  return [
    ...(cleared.length > 0 ? [skippedFilesCleared({ folderId, catalogId, fileNames: cleared })] : []),
    ...(news.length > 0 ? [filesSkipped({ folderId, catalogId, files: news })] : []),
  ];
};

const sameSkip = (known: SkippedFile | undefined, file: SkippedFile): boolean =>
  known !== undefined && known.sizeBytes === file.sizeBytes && known.mtimeMs === file.mtimeMs && known.reason === file.reason;

const sidecarChange = (state: FolderState, command: RecordCommand): FolderEvent[] => {
  if (!command.sidecars) return [];
  const files = command.sidecars.files.toSorted((a, b) => (a.fileName < b.fileName ? -1 : 1));
  const next = { files, art: command.sidecars.art };
  if (JSON.stringify(next) === JSON.stringify(state.sidecars)) return [];
  const { folderId, catalogId } = command.folder;
  return [folderSidecarsChanged({ folderId, catalogId, files: [...files], art: next.art })];
};

const moveOut = (state: FolderState, command: Extract<FolderCommand, { type: 'move-out' }>): FolderEvent[] => {
  const leaving = new Set(command.songIds);
  const songs = Object.entries(state.tracks).flatMap(([fileName, { songId }]) => (leaving.has(songId) ? [{ songId, fileName }] : []));
  if (songs.length !== leaving.size) throw new Rejection('conflict', 'a song is no longer where it is said to have moved from', 'moves');
  return [
    tracksMovedOut({ folderId: command.folder.folderId, catalogId: command.folder.catalogId, songs, toFolderId: command.toFolderId }),
  ];
};

const evolve = (state: FolderState, event: FolderEvent): FolderState => {
  switch (event.type) {
    case 'FolderDiscovered':
      return { ...state, discovered: true, present: true };
    case 'TracksAdded':
    case 'TracksChanged':
      return { ...state, tracks: withTracks(state.tracks, event.data.tracks) };
    case 'TracksMovedIn': {
      const renamed = event.data.from.filter((origin) => origin.folderId === event.data.folderId).map((origin) => origin.fileName);
      return { ...state, tracks: withTracks(without(state.tracks, renamed), event.data.tracks) };
    }
    case 'TracksMovedOut':
    case 'TracksRemoved':
      return {
        ...state,
        tracks: without(
          state.tracks,
          event.data.songs.map((song) => song.fileName),
        ),
      };
    case 'FilesSkipped':
      return { ...state, skipped: { ...state.skipped, ...Object.fromEntries(event.data.files.map((file) => [file.fileName, file])) } };
    case 'SkippedFilesCleared':
      return { ...state, skipped: without(state.skipped, event.data.fileNames) };
    case 'FolderSidecarsChanged':
      return { ...state, sidecars: { files: event.data.files, art: event.data.art } };
    case 'FolderVanished':
      return { ...initialState, discovered: true };
    default:
      return state;
  }
};

const withTracks = (tracks: FolderState['tracks'], arrived: readonly RecordedTrack[]): FolderState['tracks'] => ({
  ...tracks,
  ...Object.fromEntries(arrived.map((track) => [track.fileName, knownTrack(track)])),
});

const knownTrack = ({ songId, digest, sizeBytes, mtimeMs }: RecordedTrack): KnownTrack => ({ songId, digest, sizeBytes, mtimeMs });

/** One media folder: the unit in which scans write. */
export const folderAggregate: Aggregate<FolderState, FolderCommand, FolderEvent> = {
  context: 'library',
  kind: 'folder',
  initialState,
  decide,
  evolve,
};
