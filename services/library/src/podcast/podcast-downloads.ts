import {
  podcastDownloadBegun,
  podcastDownloadFailed,
  podcastDownloadsCancelled,
  podcastDownloadsRequested,
  podcastEpisodeDownloaded,
  podcastFilesRemoved,
  Rejection,
  type CatalogId,
  type DownloadCause,
  type EpisodeFile,
  type FileRemovalCause,
  type PodcastEpisodeId,
  type PodcastEvent,
  type PodcastId,
} from '@continuo/contracts';

/** Commands about the files of episodes. */
export type DownloadCommand =
  | { readonly type: 'request-files'; readonly episodeIds: readonly PodcastEpisodeId[]; readonly cause: DownloadCause }
  | { readonly type: 'remove-files'; readonly episodeIds: readonly PodcastEpisodeId[]; readonly cause: FileRemovalCause }
  | { readonly type: 'begin-download'; readonly episodeId: PodcastEpisodeId; readonly run: number }
  | { readonly type: 'record-file'; readonly episodeId: PodcastEpisodeId; readonly run: number; readonly file: EpisodeFile }
  | { readonly type: 'fail-download'; readonly episodeId: PodcastEpisodeId; readonly run: number; readonly reason: string };

/** State of the file of an episode that was requested at some time. */
export interface KnownFile {
  /** The last of its downloads. */
  readonly run: number;
  readonly status: 'wanted' | 'fetching' | 'kept' | 'none';
  /** Path of a kept file. */
  readonly path?: string;
}

/** By the number of the episode. */
export type KnownFiles = Readonly<Record<string, KnownFile>>;

/** Files of a podcast, for decisions. */
export interface FilesOfPodcast {
  readonly files: KnownFiles;
  /** Numbers of the episodes that are there. */
  readonly present: ReadonlySet<PodcastEpisodeId>;
}

interface Place {
  readonly podcastId: PodcastId;
  readonly catalogId: CatalogId;
}

type Command<T extends DownloadCommand['type']> = Extract<DownloadCommand, { type: T }>;

const isUnderWay = (file: KnownFile | undefined): boolean => file?.status === 'wanted' || file?.status === 'fetching';

const request = ({ files, present }: FilesOfPodcast, { episodeIds, cause }: Command<'request-files'>, place: Place): PodcastEvent[] => {
  const unknown = episodeIds.find((id) => !present.has(id));
  if (unknown !== undefined) throw new Rejection('podcast-episode.not-found', undefined, String(unknown));
  const downloads = [...new Set(episodeIds)]
    .filter((id) => !isUnderWay(files[id]) && files[id]?.status !== 'kept')
    .map((episodeId) => ({ episodeId, run: (files[episodeId]?.run ?? 0) + 1 }));
  return downloads.length === 0 ? [] : [podcastDownloadsRequested({ ...place, cause, downloads })];
};

const remove = ({ files }: FilesOfPodcast, { episodeIds, cause }: Command<'remove-files'>, place: Place): PodcastEvent[] => {
  const ids = [...new Set(episodeIds)];
  const cancelled = ids.filter((id) => isUnderWay(files[id]));
  const removed = ids.flatMap((episodeId) => {
    const path = files[episodeId]?.path;
    return path === undefined ? [] : [{ episodeId, path }];
  });
  return [
    ...(cancelled.length > 0 ? [podcastDownloadsCancelled({ ...place, episodeIds: cancelled })] : []),
    ...(removed.length > 0 ? [podcastFilesRemoved({ ...place, cause, files: removed })] : []),
  ];
};

/** Decides about the files of a podcast's episodes. Only the last download of an episode counts; commands of any other change nothing. */
export const decideDownloads = (state: FilesOfPodcast, command: DownloadCommand, place: Place): PodcastEvent[] => {
  if (command.type === 'request-files') return request(state, command, place);
  if (command.type === 'remove-files') return remove(state, command, place);
  const { episodeId, run } = command;
  const known = state.files[episodeId];
  if (known?.run !== run || !isUnderWay(known)) return [];
  const download = { ...place, episodeId, run };
  switch (command.type) {
    case 'begin-download':
      return known.status === 'wanted' ? [podcastDownloadBegun(download)] : [];
    case 'record-file':
      return [podcastEpisodeDownloaded({ ...download, file: command.file })];
    case 'fail-download':
      return [podcastDownloadFailed({ ...download, reason: command.reason })];
  }
};

/** State of a download: not requested, under way, or finished with the kept file. */
export const standingOf = (
  files: KnownFiles,
  { episodeId, run }: { readonly episodeId: PodcastEpisodeId; readonly run: number },
): 'unwanted' | 'under-way' | 'kept' => {
  const known = files[episodeId];
  if (known?.run !== run || known.status === 'none') return 'unwanted';
  return known.status === 'kept' ? 'kept' : 'under-way';
};

type DownloadEventType =
  | 'PodcastDownloadsRequested'
  | 'PodcastDownloadBegun'
  | 'PodcastEpisodeDownloaded'
  | 'PodcastDownloadFailed'
  | 'PodcastDownloadsCancelled'
  | 'PodcastFilesRemoved';
/** Events about the files of episodes. */
export type DownloadEvent = Extract<PodcastEvent, { type: DownloadEventType }>;

const withStatus = (files: KnownFiles, ids: readonly PodcastEpisodeId[], status: KnownFile['status']): KnownFiles => ({
  ...files,
  ...Object.fromEntries(ids.map((id) => [id, { run: files[id]?.run ?? 1, status }])),
});

/** The files after an event. */
export const evolveDownloads = (files: KnownFiles, event: DownloadEvent): KnownFiles => {
  switch (event.type) {
    case 'PodcastDownloadsRequested':
      return { ...files, ...Object.fromEntries(event.data.downloads.map(({ episodeId, run }) => [episodeId, { run, status: 'wanted' }])) };
    case 'PodcastDownloadBegun':
      return withStatus(files, [event.data.episodeId], 'fetching');
    case 'PodcastEpisodeDownloaded': {
      const { episodeId, run, file } = event.data;
      return { ...files, [episodeId]: { run, status: 'kept', path: file.path } };
    }
    case 'PodcastDownloadFailed':
      return withStatus(files, [event.data.episodeId], 'none');
    case 'PodcastDownloadsCancelled':
      return withStatus(files, event.data.episodeIds, 'none');
    case 'PodcastFilesRemoved':
      return withStatus(
        files,
        event.data.files.map(({ episodeId }) => episodeId),
        'none',
      );
  }
};
