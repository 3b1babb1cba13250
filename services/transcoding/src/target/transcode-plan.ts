import type { TranscodeFormat, TranscodeTarget } from '@continuo/contracts';
import { isLoopbackMedia } from '@continuo/media-store';
import { INPUT_FORMATS } from './input-formats.js';
import { captionFilter, type DrawnCaptions } from '../segment/caption-filter.js';
import { runUpMs } from '../segment/run-up.js';
import { segmentJoinOf, segmentInput, segmentOutput, segmentPicture, segmentSound } from '../segment/segment-arguments.js';
import { pictureArguments, pictureTable, type PictureProfile } from './picture-arguments.js';
import { soundArguments } from './sound-arguments.js';
import { soundTable } from './sound-table.js';

/** All that ffmpeg is told, but for the file. Made of words of this folder and of numbers, never of what anybody said. */
export interface TranscodePlan {
  /** Before the file. */
  readonly inputOptions: readonly string[];
  /** After it. */
  readonly outputOptions: readonly string[];
  /** Encoders that the ffmpeg must have. */
  readonly encoders: readonly string[];
  /** After which ffmpeg is taken to hang. */
  readonly timeLimitMs: number;
}

/** Limits on the work of one ffmpeg. */
export interface PlanLimits {
  /** Threads of a video encoder; sound takes one. */
  readonly videoThreads: number;
}

type MediaFormat = Exclude<TranscodeFormat, 'srt'>;

/** A file is opened as one; what lies elsewhere has an address of this machine, and nothing leads from there to a file. */
const protocolsOf = (path: string): string => (isLoopbackMedia(path) ? 'http,tcp' : 'file,pipe');

const safeInput = (path: string): readonly string[] => [
  '-hide_banner',
  '-nostdin',
  '-loglevel',
  'error',
  '-protocol_whitelist',
  protocolsOf(path),
  '-format_whitelist',
  INPUT_FORMATS.join(','),
];
/** The same request gives the same bytes, so that a part of one making fits to a part of another. */
const SAME_BYTES = ['-fflags', '+bitexact', '-flags:a', '+bitexact', '-flags:v', '+bitexact'];
/**
 * Sound in pieces of 32 KB. By default ffmpeg hands over each frame of MP3 or AAC, some hundred bytes, whose way through worker and gateway costs a third of the coding.
 * Pictures are coded too slowly to wait for a full piece.
 */
const LARGE_PIECES = ['-flush_packets', '0'];
/** Neither subtitles, data nor chapters come along. */
const NOTHING_ELSE = ['-sn', '-dn', '-map_chapters', '-1'];
/** Tags of the file and, as Ogg has them, of its sound. */
const allTags = ({ audioTrack = 0 }: TranscodeTarget): readonly string[] => [
  '-map_metadata',
  '0',
  '-map_metadata:g',
  `0:s:a:${audioTrack}`,
];
const NO_TAGS = ['-map_metadata', '-1'];
/** Length of a sound fragment, µs: a player needs one before it begins. */
const FRAGMENTS = ['-movflags', '+empty_moov+default_base_moof', '-frag_duration', '1000000'];
const FRAGMENTS_BY_PICTURE = ['-movflags', '+frag_keyframe+empty_moov+default_base_moof'];

/** Containers, with what they are told. All of them can be written to a pipe. */
const containers: Record<MediaFormat, (target: TranscodeTarget) => readonly string[]> = {
  // Without the frame that tells lengths: it could only be filled in at the end.
  mp3: (target) => [...allTags(target), '-write_xing', '0', '-id3v2_version', '3', '-f', 'mp3'],
  opus: () => ['-f', 'opus'],
  ogg: () => ['-f', 'ogg'],
  aac: () => [...NO_TAGS, '-f', 'adts'],
  m4a: (target) => [...allTags(target), ...FRAGMENTS, '-f', 'ipod'],
  flac: (target) => [...allTags(target), '-f', 'flac'],
  wav: () => [...NO_TAGS, '-f', 'wav'],
  mp4: ({ picture }) => [...NO_TAGS, ...(picture ? FRAGMENTS_BY_PICTURE : FRAGMENTS), '-f', 'mp4'],
  webm: () => [...NO_TAGS, '-cluster_time_limit', '2000', '-f', 'webm'],
  // Of copied sound; what is coded anew joins what is before it.
  ts: ({ offsetMs }) => [...NO_TAGS, '-muxdelay', '0', '-muxpreload', '0', '-output_ts_offset', seconds(offsetMs), '-f', 'mpegts'],
};

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

/** Length of what is made, ms; undefined when it is unknown. */
const lengthOf = ({ offsetMs, lengthMs }: TranscodeTarget, durationMs: number): number | undefined => {
  if (durationMs === 0) return lengthMs;
  return Math.max(0, Math.min(durationMs - offsetMs, lengthMs ?? durationMs));
};

/** WebM tells its length at its beginning, where it has to be known before. */
const lengthTag = (format: TranscodeFormat, lengthMs: number | undefined): readonly string[] => {
  if (format !== 'webm' || !lengthMs) return [];
  const at = (divisor: number, modulus: number): string => String(Math.floor(lengthMs / divisor) % modulus).padStart(2, '0');
  const text = `${at(3_600_000, 1000)}:${at(60_000, 60)}:${at(1000, 60)}.${String(lengthMs % 1000).padStart(3, '0')}`;
  return ['-metadata:s:0', `DURATION=${text}`];
};

const TIME_LIMITS = { sound: { perMs: 1, besideMs: 60_000 }, picture: { perMs: 8, besideMs: 120_000 }, unknownMs: 3 * 3_600_000 };

const timeLimit = (picture: boolean, offsetMs: number, lengthMs: number | undefined): number => {
  if (lengthMs === undefined) return TIME_LIMITS.unknownMs;
  const { perMs, besideMs } = picture ? TIME_LIMITS.picture : TIME_LIMITS.sound;
  // Some containers are read from their beginning to find a place in them.
  return Math.round(besideMs + perMs * lengthMs + offsetMs / 10);
};

const seekTo = (offsetMs: number): readonly string[] => (offsetMs > 0 ? ['-ss', seconds(offsetMs)] : []);

/** Run-up that is decoded and discarded, because pictures cannot be decoded from the offset itself; ms. */
const skippedMs = ({ picture, offsetMs }: TranscodeTarget, path: string): number => (picture ? runUpMs(path, offsetMs) : 0);

const threadsOf = (picture: boolean, { videoThreads }: PlanLimits): readonly string[] => ['-threads', String(picture ? videoThreads : 1)];

const soundPlan = (format: MediaFormat, target: TranscodeTarget, path: string): readonly string[] => {
  const joining = segmentJoinOf(target, path);
  return [
    '-map',
    `0:a:${target.audioTrack ?? 0}${target.picture ? '?' : ''}`,
    ...(joining ? segmentSound(target, joining) : soundArguments(soundTable[format], target)),
  ];
};

const captionPlan = ({ captionTrack = 0 }: TranscodeTarget): readonly string[] => [
  '-map',
  `0:s:${captionTrack}`,
  ...NO_TAGS,
  '-c:s',
  'srt',
  '-f',
  'srt',
];

const pictureOf = (target: TranscodeTarget): { profile: PictureProfile; size: NonNullable<TranscodeTarget['picture']> } | undefined => {
  const profile = pictureTable[target.format];
  return profile && target.picture ? { profile, size: target.picture } : undefined;
};

const drawnCaptions = (
  { captionTrack, captionFile }: TranscodeTarget,
  path: string,
  captionsPath: string | undefined,
): readonly DrawnCaptions[] => {
  if (captionFile && captionsPath !== undefined) return [{ path: captionsPath, encoding: captionFile.encoding }];
  return captionTrack === undefined ? [] : [{ path, track: captionTrack }];
};

/** Filters before scaling: a segment's own part of it, and the subtitles that are drawn into it. */
const pictureFilters = (target: TranscodeTarget, { path, captionsPath }: PlannedSource): readonly string[] => {
  const joining = segmentJoinOf(target, path);
  const startMs = joining ? joining.seekS * 1000 : target.offsetMs - skippedMs(target, path);
  return [
    ...(joining ? [segmentPicture(joining)] : []),
    ...drawnCaptions(target, path, captionsPath).map((captions) => captionFilter(captions, startMs)),
  ];
};

const containerOf = (format: MediaFormat, target: TranscodeTarget, path: string): readonly string[] => {
  const joining = segmentJoinOf(target, path);
  return joining ? [...NO_TAGS, ...segmentOutput(joining)] : containers[format](target);
};

const mediaPlan = (format: MediaFormat, target: TranscodeTarget, source: PlannedSource): readonly string[] => {
  const { path, durationMs } = source;
  const picture = pictureOf(target);
  return [
    ...(picture ? ['-map', '0:V:0', ...pictureArguments(picture.profile, picture.size, pictureFilters(target, source))] : ['-vn']),
    ...soundPlan(format, target, path),
    ...NOTHING_ELSE,
    ...lengthTag(format, lengthOf(target, durationMs)),
    ...containerOf(format, target, path),
  ];
};

const encodersOf = (target: TranscodeTarget): readonly string[] => {
  if (target.format === 'srt') return [];
  const picture = pictureOf(target);
  return [...(target.copySound ? [] : [soundTable[target.format].encoder]), ...(picture ? [picture.profile.encoder] : [])];
};

/** Source file of a plan. */
export interface PlannedSource {
  /** Real path. */
  readonly path: string;
  /** 0: unknown. */
  readonly durationMs: number;
  /** Real path of the target's file of subtitles. */
  readonly captionsPath?: string | undefined;
}

/**
 * Plans the ffmpeg run from a source to a target. Offsets are sought before the file is opened, which costs little and is exact to the sample where a decoder is
 * involved.
 */
export const planOf = (target: TranscodeTarget, source: PlannedSource, limits: PlanLimits): TranscodePlan => {
  const { format, offsetMs } = target;
  const { path, durationMs } = source;
  const lengthMs = lengthOf(target, durationMs);
  const joining = segmentJoinOf(target, path);
  const skipped = skippedMs(target, path);
  const hasPicture = pictureOf(target) !== undefined;
  const threads = threadsOf(hasPicture, limits);
  return {
    inputOptions: [...safeInput(path), ...threads, ...(joining ? segmentInput(joining) : seekTo(offsetMs - skipped))],
    outputOptions: [
      ...(joining ? [] : seekTo(skipped)),
      ...(target.lengthMs === undefined || joining ? [] : ['-t', seconds(target.lengthMs)]),
      ...(format === 'srt' ? captionPlan(target) : mediaPlan(format, target, source)),
      ...threads,
      ...SAME_BYTES,
      ...(hasPicture ? [] : LARGE_PIECES),
    ],
    encoders: encodersOf(target),
    timeLimitMs: timeLimit(hasPicture, offsetMs, lengthMs),
  };
};
