import { given, sortKey, type RecordedVideo, type VideoDocument, type VideoNames, type VideoTable } from '@continuo/contracts';
import { randomKey } from '../catalogue/names.js';

/** Folder and catalog of a video. */
export interface VideoPlaceRef {
  readonly catalogId: number;
  readonly folderId: number;
  readonly path: string;
}

const documentOf = (video: RecordedVideo, names: VideoNames): VideoDocument => {
  const genres = new Map(names.genres.map((genre) => [genre.id, genre]));
  const { comment, framesPerSecond, videoBitrateBps, channels, sampleRateHz, captions, audioTracks } = video;
  return {
    ...given({ comment, framesPerSecond, videoBitrateBps, channels, sampleRateHz }),
    ...(captions.length > 0 ? { captions } : {}),
    ...(audioTracks.length > 0 ? { audioTracks } : {}),
    genres: video.genreIds.flatMap((id) => genres.get(id) ?? []),
  };
};

/** A row of the table of videos; `added_at_ms` counts only when the row is new. `at` is epoch milliseconds. */
export const videoRow = (video: RecordedVideo, place: VideoPlaceRef, names: VideoNames, at: number): VideoTable => ({
  id: video.videoId,
  catalog_id: place.catalogId,
  folder_id: place.folderId,
  file_name: video.fileName,
  path: place.path === '' ? video.fileName : `${place.path}/${video.fileName}`,
  title: video.title,
  title_sort: sortKey(video.title),
  format: video.format,
  mime: video.mime,
  video_codec: video.videoCodec ?? null,
  audio_codec: video.audioCodec ?? null,
  width_px: video.widthPx,
  height_px: video.heightPx,
  duration_ms: video.durationMs,
  bitrate_bps: video.bitrateBps,
  size_bytes: video.sizeBytes,
  mtime_ms: video.mtimeMs,
  release_date: video.releaseDate ?? null,
  added_at_ms: at,
  updated_at_ms: at,
  random_key: randomKey(video.videoId),
  doc: JSON.stringify(documentOf(video, names)),
});
