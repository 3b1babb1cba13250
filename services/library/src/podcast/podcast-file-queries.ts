import type { PodcastEvent, RecordedEvent } from '@continuo/contracts';
import { sql, type RawBuilder } from 'kysely';
import { notedEpisodes } from './podcast-queries.js';

type Statement = RawBuilder<unknown>;
type Recorded<T extends PodcastEvent['type']> = RecordedEvent<Extract<PodcastEvent, { type: T }>>;

/** Values of the feed for an episode without a file. */
const WITHOUT_FILE = sql`duration_ms = feed_duration_ms, mime = feed_mime, size_bytes = feed_size_bytes, path = null, format = null, codec = null, bitrate_bps = null,
  bitrate_mode = null, lossless = null, sample_rate_hz = null, channels = null, bit_depth = null, downloaded_at_ms = null`;

/** Files are on their way; a download that was asked for is one whatever asked before. */
export const requestedDownloads = ({ data, at, position }: Recorded<'PodcastDownloadsRequested'>): Statement[] => [
  sql`update podcast_episode as e set state = 'pending', state_at_ms = ${at}::bigint, download_run = r.run, is_asked = ${data.cause === 'asked'}, download_error = null
    from json_to_recordset(${JSON.stringify(data.downloads)}::json) as r("episodeId" bigint, run int) where e.id = r."episodeId"`,
  notedEpisodes({ at, position }),
];

/** A file is being fetched. */
export const begunDownload = ({ data, at, position }: Recorded<'PodcastDownloadBegun'>): Statement[] => [
  sql`update podcast_episode set state = 'downloading', state_at_ms = ${at}::bigint where id = ${data.episodeId}`,
  notedEpisodes({ at, position }),
];

/** A file is here: what it is counts for more than what the feed says. */
export const keptFile = ({ data, at, position }: Recorded<'PodcastEpisodeDownloaded'>): Statement[] => {
  const { file, episodeId } = data;
  return [
    sql`update podcast_episode set state = 'completed', state_at_ms = ${at}::bigint, downloaded_at_ms = ${at}::bigint, download_error = null, path = ${file.path},
      format = ${file.format}, codec = ${file.codec}, mime = ${file.mime}, size_bytes = ${file.sizeBytes}, duration_ms = ${file.durationMs},
      bitrate_bps = ${file.bitrateBps}, bitrate_mode = ${file.bitrateMode}, lossless = ${file.lossless}, sample_rate_hz = ${file.sampleRateHz},
      channels = ${file.channels}, bit_depth = ${file.bitDepth} where id = ${episodeId}`,
    notedEpisodes({ at, position }),
  ];
};

/** A file cannot be had. */
export const failedDownload = ({ data, at, position }: Recorded<'PodcastDownloadFailed'>): Statement[] => [
  sql`update podcast_episode set state = 'error', state_at_ms = ${at}::bigint, download_error = ${data.reason} where id = ${data.episodeId}`,
  notedEpisodes({ at, position }),
];

/** Files are not wanted any more that had not arrived. */
export const cancelledDownloads = ({ data, at, position }: Recorded<'PodcastDownloadsCancelled'>): Statement[] => [
  sql`update podcast_episode set state = 'skipped', state_at_ms = ${at}::bigint where id = any(${[...data.episodeIds]}::bigint[])`,
  notedEpisodes({ at, position }),
];

/** Files are gone, their episodes stay. */
export const removedFiles = ({ data, at, position }: Recorded<'PodcastFilesRemoved'>): Statement[] => {
  const ids = data.files.map(({ episodeId }) => episodeId);
  return [
    sql`update podcast_episode set state = 'deleted', state_at_ms = ${at}::bigint, ${WITHOUT_FILE} where id = any(${ids}::bigint[])`,
    notedEpisodes({ at, position }),
  ];
};
