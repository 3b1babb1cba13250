import type { EpisodeState } from '@continuo/contracts';
import { objectTable, rowsOf } from '../../../render/index.js';
import { episodeBitrateBps, episodeFileName } from '../../../reads/podcasts/episode-files.js';
import type { DeletedEpisodeView, EpisodeView, PodcastView } from '../../../reads/podcasts/podcasts.reads.js';
import { annotationRows } from './annotation-rows.js';
import { epochSeconds, isoInstant, seconds, type NativeContext } from './context.js';

const NEVER_MS = 0;

const episode = rowsOf<EpisodeView, NativeContext>();
const since5 = { since: 5 } as const;
const since6 = { since: 6 } as const;

/** Fields that version 3, which has no podcasts, lacks. */
const annotated = <T extends Pick<EpisodeView, 'annotations'>>() =>
  annotationRows<T>(({ annotations }) => annotations).filter((row) => row.since > 3);

/** `00:12:06`. */
const clock = (durationMs: number): string => {
  const whole = seconds(durationMs);
  return [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60].map((part) => String(part).padStart(2, '0')).join(':');
};

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;
/** `17.33 MB`: for people. */
const humanSize = (sizeBytes: number): string => {
  const step = sizeBytes < 1024 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(sizeBytes) / 10));
  return `${Math.round((sizeBytes / 1024 ** step) * 100) / 100} ${UNITS[step]}`;
};

/** File states of an episode. */
const states: Readonly<Record<EpisodeState, string>> = {
  skipped: 'skipped',
  pending: 'pending',
  downloading: 'pending',
  completed: 'completed',
  error: 'skipped',
  deleted: 'skipped',
};

const podcastRef = rowsOf<EpisodeView, NativeContext>();
/** Reference of an episode to its podcast: the name in all versions. */
const podcastReference = objectTable<EpisodeView, NativeContext>(
  'podcast',
  [podcastRef.id('id', ({ podcastId }) => podcastId), podcastRef.text('name', ({ podcastTitle }) => podcastTitle)],
  'podcast_reference',
);

/** Fields of an episode by version. JSON of version 4 has only the name, after the MIME type; XML keeps the title. */
export const episodeObject = objectTable<EpisodeView, NativeContext>('podcast_episode', [
  episode.id('id', ({ id }) => id),
  episode.text('title', ({ title }) => title, since5),
  episode.text('title', ({ title }) => title, { until: 4, json: 'none' }),
  episode.text('name', ({ title }) => title),
  episode.object('podcast', podcastReference, (view) => view, since6),
  episode.text('description', ({ description }) => description),
  episode.text('category', ({ category }) => category),
  episode.text('author', ({ author }) => author),
  episode.text('author_full', ({ author }) => author),
  episode.text('website', ({ websiteUrl }) => websiteUrl ?? ''),
  episode.text('pubdate', ({ publishedAtMs }) => isoInstant(publishedAtMs)),
  episode.text('state', ({ state }) => states[state]),
  episode.text('filelength', ({ durationMs }) => clock(durationMs ?? 0)),
  episode.text('filesize', ({ sizeBytes }) => humanSize(sizeBytes ?? 0)),
  episode.text('mime', ({ mime }) => mime, { until: 4, xml: 'none', nullable: true }),
  episode.text('filename', episodeFileName),
  episode.text('mime', ({ mime }) => mime, { ...since5, nullable: true }),
  episode.text('mime', ({ mime }) => mime, { until: 4, json: 'none', nullable: true }),
  episode.int('time', ({ durationMs }) => seconds(durationMs ?? 0), since5),
  episode.int('size', ({ sizeBytes }) => sizeBytes ?? 0, since5),
  episode.int('bitrate', episodeBitrateBps, since6),
  episode.int('stream_bitrate', episodeBitrateBps, since6),
  episode.int('rate', ({ sampleRateHz }) => sampleRateHz ?? 0, since6),
  episode.text('mode', ({ bitrateMode }) => bitrateMode, { ...since6, nullable: true }),
  episode.int('channels', ({ channels }) => channels || null, { ...since6, nullable: true }),
  episode.text('public_url', ({ id }, { links }) => links.episodePage(id)),
  episode.text('url', (view, { links }) => links.episode(view.id, episodeFileName(view))),
  episode.word('catalog', ({ catalogId }) => String(catalogId)),
  episode.text('art', ({ podcastId }, { links }) => links.art('podcast', podcastId)),
  episode.bool('has_art', ({ artHash }) => artHash !== null, since6),
  ...annotated<EpisodeView>(),
  episode.int('playcount', ({ playCount }) => playCount, since5),
  episode.text('last_played', ({ lastPlayedAtMs }) => (lastPlayedAtMs === null ? null : isoInstant(lastPlayedAtMs)), {
    since: 8,
    nullable: true,
  }),
  // A string in every version: `1` or empty.
  episode.word('played', ({ playCount }) => (playCount > 0 ? '1' : '')),
]);

/** A podcast, with its episodes if included. */
export interface NativePodcast {
  readonly view: PodcastView;
  readonly episodes: readonly EpisodeView[];
}

const podcast = rowsOf<NativePodcast, NativeContext>();

/** First fields of all forms of a podcast. */
const head = [
  podcast.id('id', ({ view }) => view.id),
  podcast.text('name', ({ view }) => view.title),
  podcast.text('description', ({ view }) => view.description),
  podcast.text('language', ({ view }) => view.language),
  podcast.text('copyright', ({ view }) => view.copyright),
  podcast.text('feed_url', ({ view }) => view.feedUrl),
  podcast.text('generator', ({ view }) => view.generator),
  podcast.text('website', ({ view }) => view.websiteUrl ?? ''),
  podcast.text('build_date', ({ view }) => isoInstant(view.builtAtMs ?? NEVER_MS)),
  podcast.text('sync_date', ({ view }) => isoInstant(view.syncedAtMs ?? NEVER_MS)),
  podcast.text('public_url', ({ view }, { links }) => links.podcastPage(view.id)),
];
const episodes = podcast.list('podcast_episode', episodeObject, (source) => source.episodes);

/** Fields of a podcast by version. */
export const podcastObject = objectTable<NativePodcast, NativeContext>('podcast', [
  ...head,
  podcast.text('art', ({ view }, { links }) => links.art('podcast', view.id)),
  podcast.bool('has_art', ({ view }) => view.artHash !== null, since6),
  ...annotationRows<NativePodcast>(({ view }) => view.annotations).filter((row) => row.since > 3),
  podcast.id('catalog', ({ view }) => view.catalogId, { since: 8, xml: 'element' }),
  episodes,
]);

/** A podcast in lists of names in XML, without ratings. */
export const slimPodcastObject = objectTable<NativePodcast, NativeContext>('podcast', [...head, episodes]);

const deleted = rowsOf<DeletedEpisodeView, NativeContext>();

/** Fields of a deleted episode: older XML calls the podcast `played`. */
export const deletedEpisodeObject = objectTable<DeletedEpisodeView, NativeContext>('deleted_podcast_episode', [
  deleted.id('id', ({ id }) => id),
  deleted.int('addition_time', ({ addedAtMs }) => epochSeconds(addedAtMs)),
  deleted.int('delete_time', ({ deletedAtMs }) => epochSeconds(deletedAtMs)),
  deleted.text('title', ({ title }) => title),
  deleted.text('file', ({ file }) => file),
  deleted.id('catalog', ({ catalogId }) => catalogId, { since: 6, xml: 'element' }),
  deleted.int('catalog', ({ catalogId }) => catalogId, { until: 5 }),
  deleted.int('total_count', ({ playCount }) => playCount),
  deleted.int('total_skip', () => 0),
  deleted.id('podcast', ({ podcastId }) => podcastId, { since: 8, xml: 'element' }),
  deleted.id('podcast', ({ podcastId }) => podcastId, { until: 6, xml: 'element', xmlName: 'played' }),
]);
