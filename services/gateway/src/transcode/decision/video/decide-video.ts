import { Rejection, transcodeMimeOf, type TranscodeTarget, type VideoStream } from '@continuo/contracts';
import { fitted, videoRate, type WantedRate } from './hls-rates.js';
import type { ConvertedStream, DirectStream, StreamOutput, StreamReason } from '../decide-stream.js';
import { soundFormatNamed, soundFormats, type SoundFormat } from '../sound-formats.js';
import type { StreamRules } from '../stream-rules.js';

/** Forms that moving pictures can be brought into. */
export type VideoFormat = 'mp4' | 'webm' | 'ts';

/** Properties of a video file. */
export interface VideoFacts {
  /** Usual file suffix of its container. */
  readonly format: string;
  readonly widthPx: number;
  readonly heightPx: number;
  /** Of everything together; 0 when unknown. */
  readonly bitrateBps: number;
  /** 0 when unknown. */
  readonly durationMs: number;
  /** Of the sound; absent when unknown. */
  readonly sampleRateHz?: number | undefined;
  readonly channels?: number | undefined;
  /** Number of soundtracks. */
  readonly audioTracks: number;
  /** Subtitles in the file. */
  readonly captions: readonly VideoStream[];
}

/** Requested form of a video. */
export interface VideoRequest {
  /** A container, `raw` for the file as it is, a form of sound for the sound alone; undefined: whatever suits. */
  readonly format?: VideoFormat | SoundFormat | 'raw' | undefined;
  /** Highest bit rate of sound and picture together. */
  readonly maxKbps?: number | undefined;
  /** Box that the picture is fitted into. */
  readonly box?: { readonly widthPx: number; readonly heightPx: number } | undefined;
  readonly offsetMs?: number | undefined;
  readonly lengthMs?: number | undefined;
  readonly audioTrack?: number | undefined;
  /** The subtitles that are drawn into the picture. */
  readonly captions?: Pick<TranscodeTarget, 'captionTrack' | 'captionFile'> | undefined;
  /** True for who wants something that every player takes (`converted` of the compatibility API). */
  readonly isConverted?: boolean | undefined;
}

const VIDEO_NAMES: Readonly<Record<string, VideoFormat>> = { mp4: 'mp4', m4v: 'mp4', webm: 'webm', ts: 'ts', mpegts: 'ts' };
/** Containers and codecs of what is made. */
const outputs: Readonly<Record<VideoFormat, { readonly suffix: string; readonly codec: string }>> = {
  mp4: { suffix: 'mp4', codec: 'h264' },
  webm: { suffix: 'webm', codec: 'vp9' },
  ts: { suffix: 'ts', codec: 'h264' },
};
const USUAL: VideoFormat = 'mp4';
const USUAL_RATE_HZ = 48_000;
const STEREO = 2;
const LEAST_SIDE_PX = 16;
const LARGEST = { widthPx: 7680, heightPx: 4320 };

/** The form that a client means by a name; undefined for one that cannot be made of a video. */
export const videoFormatNamed = (name: string): VideoRequest['format'] => {
  const key = name.trim().toLowerCase();
  if (key === 'raw') return 'raw';
  return Object.hasOwn(VIDEO_NAMES, key) ? VIDEO_NAMES[key] : soundFormatNamed(key);
};

const BOX = /^(\d{2,5})x(\d{2,5})$/i;

/** Reads `640x480`; undefined for anything else. */
export const boxNamed = (text: string | undefined): VideoRequest['box'] => {
  const [, width, height] = BOX.exec(text?.trim() ?? '') ?? [];
  if (width === undefined || height === undefined) return undefined;
  const box = { widthPx: Math.min(Number(width), LARGEST.widthPx), heightPx: Math.min(Number(height), LARGEST.heightPx) };
  return Math.min(box.widthPx, box.heightPx) < LEAST_SIDE_PX ? undefined : box;
};

const isPictured = (format: VideoFormat | SoundFormat): format is VideoFormat => Object.hasOwn(outputs, format);

const isSmaller = (facts: VideoFacts, box: VideoRequest['box']): boolean =>
  box !== undefined && (box.widthPx < facts.widthPx || box.heightPx < facts.heightPx);

/** Returns the lower of requested bitrate and account limit, kbit/s. */
const ceilingOf = ({ maxKbps }: VideoRequest, { limitKbps }: StreamRules): number | undefined => {
  const all = [maxKbps, limitKbps].flatMap((kbps) => (kbps === undefined || kbps <= 0 ? [] : [kbps]));
  return all.length === 0 ? undefined : Math.min(...all);
};

const reasonsFor = (facts: VideoFacts, request: VideoRequest, rules: StreamRules): StreamReason[] => {
  const ceiling = ceilingOf(request, rules);
  const isOver = ceiling !== undefined && facts.bitrateBps / 1000 > ceiling;
  const { format, isConverted = false } = request;
  const isOther =
    format === undefined ? isConverted && videoFormatNamed(facts.format) !== 'mp4' : format !== 'raw' && format !== facts.format;
  const isPart = (request.offsetMs ?? 0) > 0 || request.lengthMs !== undefined;
  const isChanged = isSmaller(facts, request.box) || request.captions !== undefined || (request.audioTrack ?? 0) > 0;
  return [
    ...(isOther || isChanged ? (['format-wanted'] as const) : []),
    ...(isOver ? ([ceiling === rules.limitKbps ? 'bitrate-above-limit' : 'bitrate-above-request'] as const) : []),
    ...(isPart ? (['part-wanted'] as const) : []),
  ];
};

const partOf = ({ offsetMs = 0, lengthMs, audioTrack }: VideoRequest): Pick<TranscodeTarget, 'offsetMs' | 'lengthMs' | 'audioTrack'> => ({
  offsetMs,
  ...(lengthMs === undefined ? {} : { lengthMs }),
  ...(audioTrack ? { audioTrack } : {}),
});

type Made = Pick<ConvertedStream, 'target' | 'output'>;

const soundOf = (facts: VideoFacts): Pick<StreamOutput, 'sampleRateHz' | 'channels'> => ({
  sampleRateHz: facts.sampleRateHz ?? USUAL_RATE_HZ,
  channels: Math.min(STEREO, facts.channels ?? STEREO),
});

const moving = (facts: VideoFacts, format: VideoFormat, request: VideoRequest, kbps: number): Made => {
  const wanted: WantedRate = { kbps, ...(request.box ? { box: request.box } : {}) };
  const source = { ...facts, kbps: Math.round(facts.bitrateBps / 1000), hasSound: facts.audioTracks > 0 };
  const { soundKbps, picture } = videoRate(wanted, source);
  const size = fitted(picture, LARGEST);
  const target: TranscodeTarget = {
    format,
    bitrateKbps: soundKbps,
    channels: STEREO,
    ...partOf(request),
    ...request.captions,
    picture: {
      maxWidthPx: Math.max(LEAST_SIDE_PX, size.widthPx),
      maxHeightPx: Math.max(LEAST_SIDE_PX, size.heightPx),
      bitrateKbps: picture.kbps,
    },
  };
  const bitrateBps = (picture.kbps + (source.hasSound ? soundKbps : 0)) * 1000;
  return { target, output: { ...outputs[format], mime: transcodeMimeOf(target), bitrateBps, ...soundOf(facts) } };
};

/** Forms without loss have no rate that could be kept below what the account may be sent. */
const boundByAccount = (format: SoundFormat, sampleRateHz: number, { limitKbps }: StreamRules): SoundFormat =>
  soundFormats[format].isLossless && limitKbps !== undefined && (sampleRateHz * STEREO * 16) / 1000 > limitKbps ? 'mp3' : format;

const soundAlone = (facts: VideoFacts, named: SoundFormat, request: VideoRequest, rules: StreamRules): Made => {
  if (facts.audioTracks === 0) throw new Rejection('transcode.failed', 'this video has no sound');
  const ceiling = ceilingOf(request, rules);
  const format = boundByAccount(named, soundOf(facts).sampleRateHz, rules);
  const { isLossless, suffix, codec, mime, minKbps, maxKbps } = soundFormats[format];
  const kbps = Math.max(minKbps, Math.min(ceiling ?? 192, maxKbps));
  const target: TranscodeTarget = { format, ...(isLossless ? {} : { bitrateKbps: kbps }), channels: STEREO, ...partOf(request) };
  const sound = soundOf(facts);
  return { target, output: { suffix, codec, mime, bitrateBps: isLossless ? sound.sampleRateHz * STEREO * 16 : kbps * 1000, ...sound } };
};

/**
 * Decides how a video is sent: the file as it is, unless another form, a smaller picture, a lower rate,
 * only a part, another soundtrack or subtitles in the picture are asked for, or the account may not be sent so much. `raw` is the file, whatever else is said.
 * @throws Rejection `input.invalid` for a start behind the end or a soundtrack that there is not, `transcode.failed` for the sound of a silent video
 */
export const decideVideo = (facts: VideoFacts, request: VideoRequest, rules: StreamRules): DirectStream | ConvertedStream => {
  if (request.format === 'raw') return { kind: 'direct' };
  if (facts.durationMs > 0 && (request.offsetMs ?? 0) >= facts.durationMs)
    throw new Rejection('input.invalid', 'the stream would start behind the end', 'offset');
  if ((request.audioTrack ?? 0) >= Math.max(1, facts.audioTracks))
    throw new Rejection('input.invalid', 'there is no such audio track', 'audioTrack');
  const reasons = reasonsFor(facts, request, rules);
  if (reasons.length === 0) return { kind: 'direct' };
  const isOptional = reasons.every((reason) => reason === 'bitrate-above-request');
  if (rules.convertsVideos === false) {
    if (isOptional) return { kind: 'direct' };
    throw new Rejection('access.denied', 'This account lacks the role videoConversion', 'account');
  }
  const own = videoFormatNamed(facts.format);
  const format = request.format ?? (own !== undefined && own !== 'raw' && isPictured(own) ? own : USUAL);
  const ceiling = ceilingOf(request, rules);
  const made = isPictured(format) ? moving(facts, format, request, ceiling ?? 0) : soundAlone(facts, format, request, rules);
  return { kind: 'transcode', ...made, reasons, isOptional };
};
