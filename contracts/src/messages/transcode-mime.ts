import type { TranscodeFormat } from './transcode-target.js';

/** Media types of what transcoding workers make, as players expect them. */
export const transcodeMimes = {
  mp3: 'audio/mpeg',
  opus: 'audio/ogg',
  ogg: 'audio/ogg',
  aac: 'audio/aac',
  m4a: 'audio/mp4',
  flac: 'audio/flac',
  wav: 'audio/wav',
  mp4: 'video/mp4',
  webm: 'video/webm',
  ts: 'video/mp2t',
  srt: 'application/x-subrip',
} as const satisfies Record<TranscodeFormat, string>;

/** The media type of a target: containers that can hold pictures are audio when there are none. */
export const transcodeMimeOf = (target: { readonly format: TranscodeFormat; readonly picture?: object | undefined }): string =>
  target.picture || target.format === 'ts' ? transcodeMimes[target.format] : transcodeMimes[target.format].replace('video/', 'audio/');
