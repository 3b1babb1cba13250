import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { EpisodeFile, ScannedTrack, ScannedVideo, SkipReason } from '@continuo/contracts';
import type { TagReader } from '../../tags/tag-reader.js';
import type { VideoReader } from '../../video/video-reader.js';
import { DownloadFault } from './download-fault.js';

/** Readers of tags and videos. */
export interface EpisodeReaders {
  readonly reader: Pick<TagReader, 'readTrack'>;
  readonly videos: VideoReader;
}

/** Properties of a downloaded file. */
export type InspectedFile = Omit<EpisodeFile, 'path'>;

/** Reasons that lie with this side, not with the file. */
const PASSING: ReadonlySet<SkipReason> = new Set(['unreadable', 'vanished']);

const ofTrack = (track: ScannedTrack): InspectedFile => ({
  sizeBytes: track.sizeBytes,
  durationMs: track.durationMs,
  format: track.format,
  codec: track.codec ?? null,
  mime: track.mime,
  bitrateBps: track.bitrateBps,
  bitrateMode: track.bitrateMode ?? null,
  lossless: track.lossless,
  sampleRateHz: track.sampleRateHz,
  channels: track.channels ?? 0,
  bitDepth: track.bitDepth ?? 0,
});

const ofVideo = (video: ScannedVideo): InspectedFile => ({
  sizeBytes: video.sizeBytes,
  durationMs: video.durationMs,
  format: video.format,
  codec: video.audioCodec ?? null,
  mime: video.mime,
  bitrateBps: video.bitrateBps,
  bitrateMode: null,
  lossless: false,
  sampleRateHz: video.sampleRateHz ?? 0,
  channels: video.channels ?? 0,
  bitDepth: 0,
});

const faultOf = ({ reason, message }: { readonly reason: SkipReason; readonly message: string }): DownloadFault =>
  new DownloadFault(PASSING.has(reason) ? 'disturbed' : 'refused', `what came cannot be played: ${message}`);

/**
 * Looks into a file that has arrived: its content decides what it is, not what feed and server call it. Shows with pictures are taken, too.
 * @throws DownloadFault for what is neither sound nor video, or damaged
 */
export const inspectEpisode = async ({ reader, videos }: EpisodeReaders, path: string): Promise<InspectedFile> => {
  const { size, mtimeMs } = await stat(path);
  const request = { path, fileName: basename(path), sizeBytes: size, mtimeMs: Math.round(mtimeMs) };
  const sound = await reader.readTrack({ ...request, folderPath: '', lyricsPaths: [] });
  if (sound.ok) return ofTrack(sound.track);
  if (sound.reason !== 'not-media') throw faultOf(sound);
  const video = await videos.readVideo(request);
  if (video.ok) return ofVideo(video.video);
  throw faultOf(video.reason === 'not-media' ? sound : video);
};
