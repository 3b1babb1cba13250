import type { EpisodeState } from '@continuo/contracts';
import { episodeBitrateBps, episodeSuffix, isVideoEpisode } from '../../../reads/podcasts/episode-files.js';
import type { EpisodeView, PodcastView } from '../../../reads/podcasts/podcasts.reads.js';
import { objectTable } from '../../../render/object-table.js';
import { isoDate } from '../dates.js';
import { formatId } from '../ids.js';
import { positive, seconds } from '../spelling.js';
import { annotationFields } from './annotation-fields.js';
import { fieldsOf, OPTIONAL, OPEN_OPTIONAL } from './fields.js';

const episode = fieldsOf<EpisodeView>();
const ofEpisode = annotationFields<EpisodeView>(({ annotations }) => annotations);

const someText = (text: string): string | undefined => (text === '' ? undefined : text);
const GENRE = 'Podcast';

/** File state of an episode (schema type PodcastStatus). */
const statuses: Readonly<Record<EpisodeState, string>> = {
  skipped: 'skipped',
  pending: 'new',
  downloading: 'downloading',
  completed: 'completed',
  error: 'error',
  deleted: 'deleted',
};

/**
 * An episode in song lists (schema type Child). The length is always present, also 0: some clients crash without it
 * (CappielloAntonio/tempo#376).
 */
export const episodeChild = objectTable<EpisodeView, undefined>(
  'episode',
  [
    episode.text('id', ({ id }) => formatId('episode', id)),
    episode.text('parent', ({ podcastId }) => formatId('podcast', podcastId)),
    episode.bool('isDir', () => false),
    episode.text('title', ({ title }) => title),
    episode.text('album', ({ podcastTitle }) => podcastTitle),
    episode.text('artist', ({ author }) => someText(author), OPTIONAL),
    episode.int('year', ({ publishedAtMs }) => new Date(publishedAtMs).getUTCFullYear()),
    episode.text('genre', () => GENRE),
    episode.text('coverArt', ({ podcastId }) => formatId('podcast', podcastId)),
    episode.int('size', ({ sizeBytes }) => positive(sizeBytes), OPTIONAL),
    episode.text('contentType', ({ mime }) => mime ?? undefined, OPTIONAL),
    episode.text('suffix', episodeSuffix),
    episode.int('duration', ({ durationMs }) => seconds(durationMs ?? 0)),
    episode.int('bitRate', (view) => positive(Math.round(episodeBitrateBps(view) / 1000)), OPTIONAL),
    episode.int('samplingRate', ({ sampleRateHz }) => positive(sampleRateHz), OPEN_OPTIONAL),
    episode.int('channelCount', ({ channels }) => positive(channels), OPEN_OPTIONAL),
    episode.text('path', ({ path }) => path ?? undefined, OPTIONAL),
    episode.bool('isVideo', isVideoEpisode),
    ofEpisode.userRating,
    ofEpisode.averageRating,
    episode.int('playCount', ({ playCount }) => playCount),
    episode.text('created', ({ addedAtMs }) => isoDate(addedAtMs), OPTIONAL),
    ofEpisode.starred,
    episode.text('type', () => 'podcast'),
    ofEpisode.bookmarkPosition,
    episode.text('played', ({ lastPlayedAtMs }) => isoDate(lastPlayedAtMs), OPEN_OPTIONAL),
  ],
  'episode_child',
);

/** An episode of a channel (schema type PodcastEpisode). Episodes without a kept file stream from their publisher. */
export const episodeObject = objectTable<EpisodeView, undefined>(
  'episode',
  [
    ...episodeChild.rows,
    episode.text('streamId', ({ id }) => formatId('episode', id)),
    episode.text('channelId', ({ podcastId }) => formatId('podcast', podcastId)),
    episode.text('description', ({ description }) => description),
    episode.text('status', ({ state }) => statuses[state]),
    episode.text('publishDate', ({ publishedAtMs }) => isoDate(publishedAtMs), OPTIONAL),
  ],
  'podcast_episode',
);

/** A podcast, with its episodes if requested. */
export interface CompatChannel {
  readonly podcast: PodcastView;
  readonly episodes?: readonly EpisodeView[] | undefined;
}

const channel = fieldsOf<CompatChannel>();

/** A podcast (schema type PodcastChannel). One whose last refresh failed keeps its episodes. */
export const channelObject = objectTable<CompatChannel, undefined>('channel', [
  channel.text('id', ({ podcast }) => formatId('podcast', podcast.id)),
  channel.text('url', ({ podcast }) => podcast.feedUrl),
  channel.text('title', ({ podcast }) => podcast.title),
  channel.text('description', ({ podcast }) => podcast.description),
  channel.text('coverArt', ({ podcast }) => formatId('podcast', podcast.id)),
  channel.text('originalImageUrl', ({ podcast }) => podcast.imageUrl ?? undefined, OPTIONAL),
  channel.text('status', ({ podcast }) => (podcast.feedError === null ? 'completed' : 'error')),
  channel.text('errorMessage', ({ podcast }) => podcast.feedError ?? undefined, OPTIONAL),
  channel.many('episode', episodeObject, ({ episodes }) => episodes, OPTIONAL),
]);
