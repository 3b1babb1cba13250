import { given, type ScannedVideo, type VideoStream } from '@continuo/contracts';
import { z } from 'zod';
import { isoDate } from '../tags/dates.js';
import { digestOf } from '../tags/digest.js';
import { genreTermsFrom } from '../tags/genres.js';
import { cleanLines, cleanText, MAX_COMMENT_CHARS } from '../tags/text.js';
import { videoContainer } from './video-container.js';
import type { VideoRequest, VideoResult } from './video-reader.js';

const tags = z.record(z.string(), z.string()).default({});
const stream = z.object({
  codec_type: z.string().optional(),
  codec_name: z.string().optional(),
  width: z.number().optional(),
  height: z.number().optional(),
  avg_frame_rate: z.string().optional(),
  bit_rate: z.string().optional(),
  channels: z.number().optional(),
  sample_rate: z.string().optional(),
  duration: z.string().optional(),
  disposition: z.record(z.string(), z.number()).default({}),
  tags,
});
type Stream = z.output<typeof stream>;

/** Used fields of `ffprobe -print_format json -show_format -show_streams`. */
export const probeOutput = z.object({
  streams: z.array(stream).default([]),
  format: z.object({ format_name: z.string(), duration: z.string().optional(), bit_rate: z.string().optional(), tags }),
});
type ProbeOutput = z.output<typeof probeOutput>;

/** Most subtitles, and most soundtracks, kept of one file. */
const MAX_STREAMS = 64;
const MAX_LANGUAGE_CHARS = 32;
const BITS_PER_BYTE = 8;
const MS_PER_S = 1000;

const notMedia = (message: string): VideoResult => ({ ok: false, reason: 'not-media', message });

/** Reads what ffprobe found. Pure; what is no video is an answer. */
export const videoFromProbe = (found: ProbeOutput, request: VideoRequest): VideoResult => {
  const container = videoContainer(found.format.format_name, request.fileName);
  if (!container) return notMedia(`the container ${found.format.format_name} is not served`);
  // A cover that a music file carries is a picture, not a video.
  const picture = found.streams.find((one) => one.codec_type === 'video' && one.disposition['attached_pic'] !== 1);
  if (!picture?.width || !picture.height) return notMedia('the file holds no moving pictures');
  const sound = found.streams.filter((one) => one.codec_type === 'audio');
  const durationMs = durationOf(found);
  const read = {
    sizeBytes: request.sizeBytes,
    mtimeMs: request.mtimeMs,
    durationMs,
    ...container,
    ...(picture.codec_name === undefined ? {} : { videoCodec: picture.codec_name }),
    widthPx: picture.width,
    heightPx: picture.height,
    bitrateBps: positive(found.format.bit_rate) ?? averageBitrate(request.sizeBytes, durationMs),
    ...given({ videoBitrateBps: positive(picture.bit_rate), framesPerSecond: frameRate(picture.avg_frame_rate) }),
    ...soundOf(sound[0]),
    captions: streamsOf(found.streams.filter((one) => one.codec_type === 'subtitle')),
    audioTracks: streamsOf(sound),
    ...wordsOf(found.format.tags, request.fileName),
  };
  return { ok: true, video: { fileName: request.fileName, digest: digestOf(read), ...read } };
};

/** A number of seconds or bits that says something; absent for 0 and for what is no number. */
const positive = (text: string | undefined): number | undefined => {
  const value = Number(text);
  return Number.isFinite(value) && value > 0 ? Math.round(value) : undefined;
};

const msOf = (seconds: string | undefined): number | undefined => {
  const value = Number(seconds);
  return Number.isFinite(value) && value > 0 ? Math.round(value * MS_PER_S) : undefined;
};

/** 0 for a file that does not tell, as cut-off ones do. */
const durationOf = ({ format, streams }: ProbeOutput): number =>
  msOf(format.duration) ?? Math.max(0, ...streams.flatMap((one) => msOf(one.duration) ?? []));

const averageBitrate = (sizeBytes: number, durationMs: number): number =>
  durationMs > 0 ? Math.round((sizeBytes * BITS_PER_BYTE * MS_PER_S) / durationMs) : 0;

const frameRate = (ratio: string | undefined): number | undefined => {
  const [frames, seconds] = (ratio ?? '').split('/').map(Number);
  return frames && seconds ? Math.round((frames / seconds) * 1000) / 1000 : undefined;
};

type Sound = Pick<ScannedVideo, 'audioCodec' | 'channels' | 'sampleRateHz'>;

const soundOf = (sound: Stream | undefined): Sound =>
  sound === undefined
    ? {}
    : given({ audioCodec: sound.codec_name, channels: sound.channels || undefined, sampleRateHz: positive(sound.sample_rate) });

const lowerCased = (all: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(all).map(([name, value]) => [name.toLowerCase(), value]));

const streamsOf = (streams: readonly Stream[]): VideoStream[] =>
  streams.slice(0, MAX_STREAMS).map((one, index) => {
    const words = lowerCased(one.tags);
    return {
      index,
      ...given({
        codec: one.codec_name,
        language: cleanText(words.get('language'), MAX_LANGUAGE_CHARS),
        title: cleanText(words.get('title')),
      }),
    };
  });

/** Texts from the file's tags; a file without a title is called by its name. */
const wordsOf = (all: Readonly<Record<string, string>>, fileName: string) => {
  const words = lowerCased(all);
  const stem = fileName.replace(/\.[^.]{1,5}$/, '');
  return {
    title: cleanText(words.get('title')) ?? cleanText(stem) ?? fileName,
    ...given({
      releaseDate: isoDate(words.get('date') ?? words.get('date_released') ?? words.get('year')),
      comment: cleanLines(words.get('description') ?? words.get('comment'), MAX_COMMENT_CHARS),
    }),
    genres: genreTermsFrom(words.get('genre')),
  };
};
