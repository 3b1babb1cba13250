import type { Aggregate } from '@continuo/chassis';
import {
  MAX_PODCAST_EPISODES,
  podcastCreated,
  podcastDeleted,
  podcastEdited,
  podcastEpisodeDeleted,
  podcastEpisodesAdded,
  podcastEpisodesChanged,
  podcastFeedFailed,
  podcastSynced,
  Rejection,
  type CatalogId,
  type EpisodeAbout,
  type FeedMemory,
  type PodcastAbout,
  type PodcastEpisodeId,
  type PodcastEvent,
  type PodcastId,
} from '@continuo/contracts';
import { differing } from '../list-terms/list-terms.js';
import { decideDownloads, evolveDownloads, type DownloadCommand, type FilesOfPodcast, type KnownFiles } from './podcast-downloads.js';
import { aboutDigest, shortKey } from './podcast-keys.js';

/** An episode as a feed shows it: its key, and what the feed says of it. */
export interface FoundEpisode {
  readonly key: string;
  readonly about: EpisodeAbout;
}

type Changes = { readonly [K in keyof PodcastAbout]?: PodcastAbout[K] | undefined };

/** Commands of a podcast. */
export type PodcastCommand = { readonly podcastId: PodcastId } & (
  | { readonly type: 'create'; readonly catalogId: CatalogId; readonly feedUrl: string; readonly about: PodcastAbout }
  | { readonly type: 'edit'; readonly feedUrl?: string | undefined; readonly about: Changes }
  /** `freshIds` are enough for those that are not known. */
  | { readonly type: 'record'; readonly episodes: readonly FoundEpisode[]; readonly freshIds: readonly PodcastEpisodeId[] }
  | { readonly type: 'visit'; readonly about: PodcastAbout | null; readonly memory: FeedMemory | null }
  | { readonly type: 'fail-visit'; readonly reason: string }
  | { readonly type: 'delete-episode'; readonly episodeId: PodcastEpisodeId }
  | { readonly type: 'delete' }
  | DownloadCommand
);

/** State of an episode: enough to see that it has changed. */
interface KnownEpisode {
  readonly id: PodcastEpisodeId;
  /** Digest of what the feed said last; null: somebody deleted the episode. */
  readonly digest: string | null;
}

/** State of a podcast. */
export interface PodcastState {
  readonly status: 'none' | 'present' | 'deleted';
  readonly catalogId: CatalogId | null;
  readonly feedUrl: string;
  readonly about: PodcastAbout | null;
  readonly memory: FeedMemory;
  /** Why the feed cannot be read; null when it can. */
  readonly fault: string | null;
  /** Fields that somebody changed, which the feed does not change any more. */
  readonly edited: readonly string[];
  /** By {@link shortKey}. */
  readonly episodes: Readonly<Record<string, KnownEpisode>>;
  /** Of episodes whose file was ever wanted. */
  readonly files: KnownFiles;
}

const create = (state: PodcastState, command: Extract<PodcastCommand, { type: 'create' }>): readonly PodcastEvent[] => {
  // The number was given out twice, as after a loss of the database: the caller takes the next one.
  if (state.status !== 'none') throw new Rejection('conflict', `podcast ${command.podcastId} exists`);
  const { type: _, ...data } = command;
  return [podcastCreated(data)];
};

interface Place {
  readonly podcastId: PodcastId;
  readonly catalogId: CatalogId;
}

const record = (state: PodcastState, command: Extract<PodcastCommand, { type: 'record' }>, place: Place): readonly PodcastEvent[] => {
  const free = Math.max(0, MAX_PODCAST_EPISODES - Object.keys(state.episodes).length);
  const fresh = command.episodes
    .filter(({ key }) => state.episodes[shortKey(key)] === undefined)
    .slice(0, Math.min(free, command.freshIds.length));
  const added = fresh.map((episode, index) => ({ episodeId: command.freshIds[index] as PodcastEpisodeId, ...episode }));
  const changed = command.episodes.flatMap((episode) => {
    const known = state.episodes[shortKey(episode.key)];
    return known === undefined || known.digest === null || known.digest === aboutDigest(episode.about)
      ? []
      : [{ episodeId: known.id, ...episode }];
  });
  return [
    ...(added.length > 0 ? [podcastEpisodesAdded({ ...place, episodes: added })] : []),
    ...(changed.length > 0 ? [podcastEpisodesChanged({ ...place, episodes: changed })] : []),
  ];
};

/** Returns changed values of the feed, except edited ones. */
const news = (state: PodcastState, about: PodcastAbout | null): Partial<PodcastAbout> => {
  if (state.about === null || about === null) return {};
  const changes: Partial<PodcastAbout> = differing(state.about, about);
  return Object.fromEntries(Object.entries(changes).filter(([field]) => !state.edited.includes(field)));
};

const deleteEpisode = (state: PodcastState, episodeId: PodcastEpisodeId, place: Place): readonly PodcastEvent[] => {
  const found = Object.entries(state.episodes).find(([, { id }]) => id === episodeId);
  if (!found) throw new Rejection('podcast-episode.not-found', undefined, String(episodeId));
  const path = state.files[episodeId]?.path;
  return found[1].digest === null
    ? []
    : [podcastEpisodeDeleted({ ...place, episodeId, key: found[0], ...(path === undefined ? {} : { path }) })];
};

const filesOf = ({ files, episodes }: PodcastState): FilesOfPodcast => ({
  files,
  present: new Set(Object.values(episodes).flatMap(({ id, digest }) => (digest === null ? [] : [id]))),
});

const edit = (state: PodcastState, command: Extract<PodcastCommand, { type: 'edit' }>, place: Place): readonly PodcastEvent[] => {
  const about = state.about === null ? {} : differing(state.about, command.about);
  const feedUrl = command.feedUrl === undefined || command.feedUrl === state.feedUrl ? {} : { feedUrl: command.feedUrl };
  return Object.keys({ ...about, ...feedUrl }).length === 0 ? [] : [podcastEdited({ ...place, ...feedUrl, about })];
};

const decide = (state: PodcastState, command: PodcastCommand): readonly PodcastEvent[] => {
  if (command.type === 'create') return create(state, command);
  if (state.status !== 'present' || state.catalogId === null) {
    if (command.type === 'delete') return [];
    throw new Rejection('podcast.not-found', undefined, String(command.podcastId));
  }
  const place = { podcastId: command.podcastId, catalogId: state.catalogId };
  switch (command.type) {
    case 'edit':
      return edit(state, command, place);
    case 'record':
      return record(state, command, place);
    case 'visit':
      return [podcastSynced({ ...place, about: news(state, command.about), memory: command.memory ?? state.memory })];
    case 'fail-visit':
      return state.fault === command.reason ? [] : [podcastFeedFailed({ ...place, reason: command.reason })];
    case 'delete-episode':
      return deleteEpisode(state, command.episodeId, place);
    case 'delete':
      return [podcastDeleted(place)];
    default:
      return decideDownloads(filesOf(state), command, place);
  }
};

const nothing: PodcastState = {
  status: 'none',
  catalogId: null,
  feedUrl: '',
  about: null,
  memory: { etag: null, lastModified: null },
  fault: null,
  edited: [],
  episodes: {},
  files: {},
};

const withAbout = (state: PodcastState, changes: Partial<PodcastAbout>): PodcastState =>
  state.about === null ? state : { ...state, about: { ...state.about, ...changes } };

const evolve = (state: PodcastState, event: PodcastEvent): PodcastState => {
  switch (event.type) {
    case 'PodcastCreated': {
      const { catalogId, feedUrl, about } = event.data;
      return { ...nothing, status: 'present', catalogId, feedUrl, about };
    }
    case 'PodcastEdited': {
      const { feedUrl, about } = event.data;
      const edited = [...new Set([...state.edited, ...Object.keys(about)])];
      // Another address has another history.
      const moved = feedUrl === undefined ? {} : { feedUrl, memory: nothing.memory, fault: null };
      return { ...withAbout(state, about), edited, ...moved };
    }
    case 'PodcastSynced':
      return { ...withAbout(state, event.data.about), memory: event.data.memory, fault: null };
    case 'PodcastFeedFailed':
      return { ...state, fault: event.data.reason };
    case 'PodcastEpisodesAdded':
    case 'PodcastEpisodesChanged': {
      const known = event.data.episodes.map(({ episodeId, key, about }) => [shortKey(key), { id: episodeId, digest: aboutDigest(about) }]);
      return { ...state, episodes: { ...state.episodes, ...Object.fromEntries(known) } };
    }
    case 'PodcastEpisodeDeleted': {
      const { key, episodeId } = event.data;
      const { [String(episodeId)]: _, ...files } = state.files;
      return { ...state, files, episodes: { ...state.episodes, [key]: { id: episodeId, digest: null } } };
    }
    case 'PodcastDeleted':
      return { ...nothing, status: 'deleted' };
    default:
      return { ...state, files: evolveDownloads(state.files, event) };
  }
};

/** One podcast with its episodes. */
export const podcastAggregate: Aggregate<PodcastState, PodcastCommand, PodcastEvent> = {
  context: 'library',
  kind: 'podcast',
  snapshotVersion: 3,
  initialState: nothing,
  decide,
  evolve,
};
