import type { TranscodeSource, TranscodeTarget } from '@continuo/contracts';
import type { ReadDatabase, HasReadModel } from '../../reads/database/database.js';
import { episodeSource, type EpisodeSource } from '../../reads/podcasts/episode-file.reads.js';
import { songFile, type SongFile } from '../../reads/songs/songs.reads.js';
import { videoFile } from '../../reads/library/videos.reads.js';
import type { Viewer } from '../../reads/visibility/viewer.js';
import type { HlsGrant } from './hls-grant.js';
import type { SourcePicture, SourceSound } from '../../transcode/decision/video/hls-rates.js';
import type { Segment } from './hls-timeline.js';
import type { SoundPart } from '../../transcode/decision/sound-facts.js';
import { transcodeRequestOf } from '../../transcode/source-of.js';
import type { HasConfig, HasMediaStore } from '../../server/needs.js';

/** A song, a video or an episode of a podcast as HLS needs to know it. */
export interface HlsMedium {
  readonly id: number;
  readonly catalogPath: string;
  /** Relative to the catalog's root. */
  readonly path: string;
  /** 0 when it is unknown. */
  readonly durationMs: number;
  readonly sound: SourceSound;
  /** Number of soundtracks. */
  readonly audioTracks: number;
  /** Absent for a song. */
  readonly picture?: SourcePicture;
  /** Part of a file that several songs share. */
  readonly part?: SoundPart;
  /** Of which podcast it is an episode. */
  readonly episode?: EpisodeSource['episode'];
}

const BITS_PER_KBIT = 1000;
const kbpsOf = (bps: number): number => Math.round(bps / BITS_PER_KBIT);

const mediumOf = ({ id, catalogPath, path, durationMs, sound, video }: SongFile): HlsMedium => {
  const medium = { id, catalogPath, path, durationMs, ...(sound?.part ? { part: sound.part } : {}) };
  if (!video) return { ...medium, sound: { kbps: kbpsOf(sound?.bitrateBps ?? 0), lossless: sound?.isLossless ?? false }, audioTracks: 1 };
  const { widthPx, heightPx, bitrateBps, audioTracks } = video;
  const kbps = kbpsOf(bitrateBps);
  return { ...medium, sound: { kbps, lossless: false }, audioTracks, picture: { widthPx, heightPx, kbps, hasSound: audioTracks > 0 } };
};

/** The sound of an episode whose file is here. */
const episodeMedium = async (db: ReadDatabase, id: number, viewer: Viewer): Promise<HlsMedium | undefined> => {
  const source = await episodeSource(db, id, viewer);
  return source?.kept && !source.isVideo ? { ...mediumOf(source.kept), episode: source.episode } : undefined;
};

/** The medium of a kind, for somebody who sees it; undefined where there is none, as there is no video where videos are switched off. */
export const hlsMedium = async (
  { db, config }: HasReadModel & HasConfig,
  { kind, id }: Pick<HlsGrant, 'kind' | 'id'>,
  viewer: Viewer,
): Promise<HlsMedium | undefined> => {
  if (kind === 'episode') return config.PODCAST ? episodeMedium(db, id, viewer) : undefined;
  const isShareKindEnabled = kind === 'song' || (config.ALLOW_VIDEO && viewer.streams?.convertsVideos !== false);
  const file = isShareKindEnabled ? await (kind === 'song' ? songFile : videoFile)(db, id, viewer) : undefined;
  return file && mediumOf(file);
};

/** Builds transcode requests for targets of a medium. @throws Rejection `media.not-found` */
export const transcodeRequestsFor = async (
  { mediaStore }: HasMediaStore,
  medium: Pick<HlsMedium, 'catalogPath' | 'path' | 'durationMs' | 'part'>,
): Promise<(target: TranscodeTarget) => { source: TranscodeSource; target: TranscodeTarget }> => {
  const state = await mediaStore.stat(medium.catalogPath, medium.path);
  return (target) => transcodeRequestOf(medium, state, target);
};

/** AAC of segments has this rate, whatever the source has: their length is a whole number of its frames at it. */
const SAMPLE_RATE_HZ = 48_000;
const CHANNELS = 2;

/** Returns the transcode target of one segment. */
export const segmentTarget = ({ soundKbps, audioTrack, picture }: HlsGrant, { offsetMs, takenMs }: Segment): TranscodeTarget => ({
  format: 'ts',
  bitrateKbps: soundKbps,
  sampleRateHz: SAMPLE_RATE_HZ,
  channels: CHANNELS,
  offsetMs,
  lengthMs: takenMs,
  ...(audioTrack === 0 ? {} : { audioTrack }),
  ...(picture ? { picture: { maxWidthPx: picture.widthPx, maxHeightPx: picture.heightPx, bitrateKbps: picture.kbps } } : {}),
});
