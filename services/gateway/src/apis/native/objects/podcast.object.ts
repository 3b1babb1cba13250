import type { EpisodeState } from '@continuo/contracts';
import { episodeBitrateBps, episodeFileName } from '../../../reads/podcasts/episode-files.js';
import type { DeletedEpisodeView, EpisodeView, PodcastView } from '../../../reads/podcasts/podcasts.reads.js';
import { annotationRows } from './annotation-rows.js';
import { epochSeconds, isoInstant, seconds } from './context.js';
import { nativeObject, nativeRows } from './native-object.js';

const NEVER_MS = 0;

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

/** Reference of an episode to its podcast: the name in all versions. */
const podcastReference = nativeObject<EpisodeView>({ kind: 'podcast', schema: 'podcast_reference' }, (of) => [
  of.id('id', ({ podcastId }) => podcastId),
  of.text('name', ({ podcastTitle }) => podcastTitle),
]);

/** Fields of an episode by version. JSON of version 4 has only the name, after the MIME type; XML keeps the title. */
export const episodeObject = nativeObject<EpisodeView>('podcast_episode', (of) => [
  of.id('id', ({ id }) => id),
  of.text('title', ({ title }) => title, since5),
  of.text('title', ({ title }) => title, { until: 4, json: 'none' }),
  of.text('name', ({ title }) => title),
  of.object('podcast', podcastReference, (view) => view, since6),
  of.text('description', ({ description }) => description),
  of.text('category', ({ category }) => category),
  of.text('author', ({ author }) => author),
  of.text('author_full', ({ author }) => author),
  of.text('website', ({ websiteUrl }) => websiteUrl ?? ''),
  of.text('pubdate', ({ publishedAtMs }) => isoInstant(publishedAtMs)),
  of.text('state', ({ state }) => states[state]),
  of.text('filelength', ({ durationMs }) => clock(durationMs ?? 0)),
  of.text('filesize', ({ sizeBytes }) => humanSize(sizeBytes ?? 0)),
  of.text('mime', ({ mime }) => mime, { until: 4, xml: 'none', nullable: true }),
  of.text('filename', episodeFileName),
  of.text('mime', ({ mime }) => mime, { ...since5, nullable: true }),
  of.text('mime', ({ mime }) => mime, { until: 4, json: 'none', nullable: true }),
  of.int('time', ({ durationMs }) => seconds(durationMs ?? 0), since5),
  of.int('size', ({ sizeBytes }) => sizeBytes ?? 0, since5),
  of.int('bitrate', episodeBitrateBps, since6),
  of.int('stream_bitrate', episodeBitrateBps, since6),
  of.int('rate', ({ sampleRateHz }) => sampleRateHz ?? 0, since6),
  of.text('mode', ({ bitrateMode }) => bitrateMode, { ...since6, nullable: true }),
  of.int('channels', ({ channels }) => channels || null, { ...since6, nullable: true }),
  of.text('public_url', ({ id }, { links }) => links.episodePage(id)),
  of.text('url', (view, { links }) => links.episode(view.id, episodeFileName(view))),
  of.word('catalog', ({ catalogId }) => String(catalogId)),
  of.text('art', ({ podcastId }, { links }) => links.art('podcast', podcastId)),
  of.bool('has_art', ({ artHash }) => artHash !== null, since6),
  ...annotated<EpisodeView>(),
  of.int('playcount', ({ playCount }) => playCount, since5),
  of.text('last_played', ({ lastPlayedAtMs }) => (lastPlayedAtMs === null ? null : isoInstant(lastPlayedAtMs)), {
    since: 8,
    nullable: true,
  }),
  // A string in every version: `1` or empty.
  of.word('played', ({ playCount }) => (playCount > 0 ? '1' : '')),
]);

/** A podcast, with its episodes if included. */
export interface NativePodcast {
  readonly view: PodcastView;
  readonly episodes: readonly EpisodeView[];
}

const podcast = nativeRows<NativePodcast>();

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
export const podcastObject = nativeObject<NativePodcast>('podcast', [
  ...head,
  podcast.text('art', ({ view }, { links }) => links.art('podcast', view.id)),
  podcast.bool('has_art', ({ view }) => view.artHash !== null, since6),
  ...annotationRows<NativePodcast>(({ view }) => view.annotations).filter((row) => row.since > 3),
  podcast.id('catalog', ({ view }) => view.catalogId, { since: 8, xml: 'element' }),
  episodes,
]);

/** A podcast in lists of names in XML, without ratings. */
export const slimPodcastObject = nativeObject<NativePodcast>('podcast', [...head, episodes]);

/** Fields of a deleted episode: older XML calls the podcast `played`. */
export const deletedEpisodeObject = nativeObject<DeletedEpisodeView>('deleted_podcast_episode', (of) => [
  of.id('id', ({ id }) => id),
  of.int('addition_time', ({ addedAtMs }) => epochSeconds(addedAtMs)),
  of.int('delete_time', ({ deletedAtMs }) => epochSeconds(deletedAtMs)),
  of.text('title', ({ title }) => title),
  of.text('file', ({ file }) => file),
  of.id('catalog', ({ catalogId }) => catalogId, { since: 6, xml: 'element' }),
  of.int('catalog', ({ catalogId }) => catalogId, { until: 5 }),
  of.int('total_count', ({ playCount }) => playCount),
  of.int('total_skip', () => 0),
  of.id('podcast', ({ podcastId }) => podcastId, { since: 8, xml: 'element' }),
  of.id('podcast', ({ podcastId }) => podcastId, { until: 6, xml: 'element', xmlName: 'played' }),
]);
