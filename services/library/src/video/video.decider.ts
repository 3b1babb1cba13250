import type { Aggregate } from '@continuo/chassis';
import {
  Rejection,
  videosAdded,
  videosChanged,
  videosMovedIn,
  videosMovedOut,
  videosRemoved,
  type CatalogId,
  type FolderId,
  type RecordedVideo,
  type VideoEvent,
  type VideoId,
  type VideoNames,
} from '@continuo/contracts';
import { isSameState, own, splitBySize, takeId, without, type FileState } from '../folder/recorded-files.js';

interface KnownVideo extends FileState {
  readonly videoId: VideoId;
}

/** State of the videos of a folder: its files, and the state in which each was recorded. */
export interface VideoFolderState {
  readonly videos: Readonly<Record<string, KnownVideo>>;
}

/** The folder, as every event of its videos names it. */
export interface VideoPlace {
  readonly folderId: FolderId;
  readonly catalogId: CatalogId;
  readonly path: string;
}

/** A video with its genres resolved; its id is chosen by the decision. */
export type ResolvedVideo = Omit<RecordedVideo, 'videoId'>;

/** Former location of a new file. */
export interface VideoMove {
  readonly fileName: string;
  readonly videoId: VideoId;
  readonly fromFolderId: FolderId;
  readonly fromFileName: string;
}

/** Commands of the videos of a folder. */
export type VideoFolderCommand =
  | {
      readonly type: 'record';
      readonly folder: VideoPlace;
      readonly names: VideoNames;
      readonly videos: readonly ResolvedVideo[];
      readonly moves: readonly VideoMove[];
      /** Ids for videos that turn out to be new; at least as many as there may be. */
      readonly freshIds: readonly VideoId[];
      /** Names of files that are gone or can no longer be read as videos. */
      readonly goneFiles: readonly string[];
      /** True when the folder itself is gone. */
      readonly vanished: boolean;
    }
  | {
      readonly type: 'move-out';
      readonly folder: Pick<VideoPlace, 'folderId' | 'catalogId'>;
      readonly videoIds: readonly VideoId[];
      readonly toFolderId: FolderId;
    };

type RecordCommand = Extract<VideoFolderCommand, { type: 'record' }>;

const decide = (state: VideoFolderState, command: VideoFolderCommand): VideoEvent[] => {
  switch (command.type) {
    case 'record':
      return [...removals(state, command), ...(command.vanished ? [] : arrivals(state, command))];
    case 'move-out':
      return moveOut(state, command);
  }
};

const removals = (state: VideoFolderState, { folder, goneFiles, moves, vanished }: RecordCommand): VideoEvent[] => {
  const { folderId, catalogId } = folder;
  // A file that was renamed within the folder is gone under its old name only.
  const renamed = new Set(moves.filter((move) => move.fromFolderId === folderId).map((move) => move.fromFileName));
  const names = vanished ? new Set(Object.keys(state.videos)) : new Set(goneFiles).difference(renamed);
  const videos = [...names].flatMap((fileName) => {
    const known = own(state.videos, fileName);
    return known ? [{ videoId: known.videoId, fileName }] : [];
  });
  return videos.length > 0 ? [videosRemoved({ folderId, catalogId, videos })] : [];
};

/** New, moved and changed videos, in events that stay under the size limit. */
const arrivals = (state: VideoFolderState, command: RecordCommand): VideoEvent[] => {
  const { folderId, catalogId, path } = command.folder;
  const moves = new Map(command.moves.map((move) => [move.fileName, move]));
  const { added, changed, moved } = sorted(state, command, moves);
  const data = (videos: RecordedVideo[]) => ({ folderId, catalogId, path, videos, names: namesOf(command.names, videos) });
  const origin = ({ videoId, fileName }: RecordedVideo) => {
    const move = moves.get(fileName) as VideoMove;
    return { videoId, folderId: move.fromFolderId, fileName: move.fromFileName };
  };
  return [
    ...splitBySize(added).map((videos) => videosAdded(data(videos))),
    ...splitBySize(moved).map((videos) => videosMovedIn({ ...data(videos), from: videos.map(origin) })),
    ...splitBySize(changed).map((videos) => videosChanged(data(videos))),
  ];
};

const sorted = (state: VideoFolderState, command: RecordCommand, moves: ReadonlyMap<string, VideoMove>) => {
  const fresh = command.freshIds.values();
  const added: RecordedVideo[] = [];
  const changed: RecordedVideo[] = [];
  const moved: RecordedVideo[] = [];
  for (const video of command.videos) {
    const known = own(state.videos, video.fileName);
    const move = moves.get(video.fileName);
    // Taken from its old place, the video would be in none.
    if (known && move && move.videoId !== known.videoId)
      throw new Rejection('conflict', 'a video is already where another one is said to have moved', 'moves');
    if (known && isSameState(known, video)) continue;
    if (known) changed.push({ ...video, videoId: known.videoId });
    else if (move) moved.push({ ...video, videoId: move.videoId });
    else added.push({ ...video, videoId: takeId(fresh) });
  }
  return { added, changed, moved };
};

const namesOf = (names: VideoNames, videos: readonly RecordedVideo[]): VideoNames => {
  const used = new Set(videos.flatMap((video) => video.genreIds));
  return { genres: names.genres.filter((genre) => used.has(genre.id)) };
};

const moveOut = (state: VideoFolderState, command: Extract<VideoFolderCommand, { type: 'move-out' }>): VideoEvent[] => {
  const leaving = new Set(command.videoIds);
  const videos = Object.entries(state.videos).flatMap(([fileName, { videoId }]) => (leaving.has(videoId) ? [{ videoId, fileName }] : []));
  if (videos.length !== leaving.size) throw new Rejection('conflict', 'a video is no longer where it is said to have moved from', 'moves');
  const { folderId, catalogId } = command.folder;
  return [videosMovedOut({ folderId, catalogId, videos, toFolderId: command.toFolderId })];
};

const evolve = (state: VideoFolderState, event: VideoEvent): VideoFolderState => {
  switch (event.type) {
    case 'VideosAdded':
    case 'VideosChanged':
      return { videos: withVideos(state.videos, event.data.videos) };
    case 'VideosMovedIn': {
      const renamed = event.data.from.filter((origin) => origin.folderId === event.data.folderId).map((origin) => origin.fileName);
      return { videos: withVideos(without(state.videos, renamed), event.data.videos) };
    }
    case 'VideosMovedOut':
    case 'VideosRemoved':
      return {
        videos: without(
          state.videos,
          event.data.videos.map((video) => video.fileName),
        ),
      };
    default:
      return state;
  }
};

const withVideos = (videos: VideoFolderState['videos'], arrived: readonly RecordedVideo[]): VideoFolderState['videos'] => ({
  ...videos,
  ...Object.fromEntries(
    arrived.map(({ fileName, videoId, digest, sizeBytes, mtimeMs }) => [fileName, { videoId, digest, sizeBytes, mtimeMs }]),
  ),
});

/** The videos of one media folder: the unit in which scans of catalogs of videos write. Folder and skipped files are the folder's own aggregate. */
export const videoFolderAggregate: Aggregate<VideoFolderState, VideoFolderCommand, VideoEvent> = {
  context: 'library',
  kind: 'video-folder',
  initialState: { videos: {} },
  decide,
  evolve,
};
