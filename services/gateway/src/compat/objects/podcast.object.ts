import type { EpisodeState } from '@continuo/contracts';
import { episodeBitrateBps, episodeSuffix, isVideoEpisode } from '../../podcast/episode-files.js';
import type { EpisodeView, PodcastView } from '../../reads/podcasts.reads.js';
import { objectTable } from '../../render/object-table.js';
import { isoDate } from '../dates.js';
import { formatId } from '../ids.js';
import { positive, seconds } from '../spelling.js';
import { annotationFields } from './annotation-fields.js';
import { fieldsOf, OPEN } from './fields.js';

const episode = fieldsOf<EpisodeView>();
const ofEpisode = annotationFields<EpisodeView>(({ annotations }) => annotations);

const someText = (text: string): string | undefined => (text === '' ? undefined : text);
const GENRE = 'Podcast';

/** What a file is to this protocol (schema type PodcastStatus). */
const statuses: Readonly<Record<EpisodeState, string>> = {
  skipped: 'skipped',
  pending: 'new',
  downloading: 'downloading',
  completed: 'completed',
  error: 'error',
  deleted: 'deleted',
};

/**
 * An episode among songs (schema type Child). A length is always said, be it 0: there are clients that crash without one (client quirks,
 * CappielloAntonio/tempo#376).
 */
export const episodeChild = objectTable<EpisodeView, undefined>('episode', [
  episode.text('id', ({ id }) => formatId('episode', id)),
  episode.text('parent', ({ podcastId }) => formatId('podcast', podcastId)),
  episode.bool('isDir', () => false),
  episode.text('title', ({ title }) => title),
  episode.text('album', ({ podcastTitle }) => podcastTitle),
  episode.text('artist', ({ author }) => someText(author)),
  episode.num('year', ({ publishedAtMs }) => new Date(publishedAtMs).getUTCFullYear()),
  episode.text('genre', () => GENRE),
  episode.text('coverArt', ({ podcastId }) => formatId('podcast', podcastId)),
  episode.num('size', ({ sizeBytes }) => positive(sizeBytes)),
  episode.text('contentType', ({ mime }) => mime ?? undefined),
  episode.text('suffix', episodeSuffix),
  episode.num('duration', ({ durationMs }) => seconds(durationMs ?? 0)),
  episode.num('bitRate', (view) => positive(Math.round(episodeBitrateBps(view) / 1000))),
  episode.num('samplingRate', ({ sampleRateHz }) => positive(sampleRateHz), OPEN),
  episode.num('channelCount', ({ channels }) => positive(channels), OPEN),
  episode.text('path', ({ path }) => path ?? undefined),
  episode.bool('isVideo', isVideoEpisode),
  ofEpisode.userRating,
  ofEpisode.averageRating,
  episode.num('playCount', ({ playCount }) => playCount),
  episode.text('created', ({ addedAtMs }) => isoDate(addedAtMs)),
  ofEpisode.starred,
  episode.text('type', () => 'podcast'),
  ofEpisode.bookmarkPosition,
  episode.text('played', ({ lastPlayedAtMs }) => isoDate(lastPlayedAtMs), OPEN),
]);

/** An episode of a channel (schema type PodcastEpisode). Those whose file is not kept stream too: from where their publisher has it. */
export const episodeObject = objectTable<EpisodeView, undefined>('episode', [
  ...episodeChild.rows,
  episode.text('streamId', ({ id }) => formatId('episode', id)),
  episode.text('channelId', ({ podcastId }) => formatId('podcast', podcastId)),
  episode.text('description', ({ description }) => description),
  episode.text('status', ({ state }) => statuses[state]),
  episode.text('publishDate', ({ publishedAtMs }) => isoDate(publishedAtMs)),
]);

/** A podcast, with its episodes where they are wanted. */
export interface CompatChannel {
  readonly podcast: PodcastView;
  readonly episodes?: readonly EpisodeView[] | undefined;
}

const channel = fieldsOf<CompatChannel>();

/** A podcast (schema type PodcastChannel). Feeds are read when they are subscribed to: there is none that is new. One that could not be read the last time keeps its episodes. */
export const channelObject = objectTable<CompatChannel, undefined>('channel', [
  channel.text('id', ({ podcast }) => formatId('podcast', podcast.id)),
  channel.text('url', ({ podcast }) => podcast.feedUrl),
  channel.text('title', ({ podcast }) => podcast.title),
  channel.text('description', ({ podcast }) => podcast.description),
  channel.text('coverArt', ({ podcast }) => formatId('podcast', podcast.id)),
  channel.text('originalImageUrl', ({ podcast }) => podcast.imageUrl ?? undefined),
  channel.text('status', ({ podcast }) => (podcast.feedError === null ? 'completed' : 'error')),
  channel.text('errorMessage', ({ podcast }) => podcast.feedError ?? undefined),
  channel.many('episode', episodeObject, ({ episodes }) => episodes),
]);
