import type { TranscodeTarget } from '@continuo/contracts';

/** Video encoding of a container. */
export interface PictureProfile {
  /** ffmpeg's name of the encoder. */
  readonly encoder: string;
  readonly extra: readonly string[];
}

/** Key frames come this often, so that players can go to a place and fragments stay short. */
const KEY_FRAMES = ['-force_key_frames', 'expr:gte(t,n_forced*2)'];
const H264 = ['-preset', 'veryfast', '-profile:v', 'high', '-pix_fmt', 'yuv420p'];

/** The containers that take pictures. */
export const pictureTable: Readonly<Partial<Record<TranscodeTarget['format'], PictureProfile>>> = {
  mp4: { encoder: 'libx264', extra: [...H264, ...KEY_FRAMES] },
  // Segments are made one by one: pictures that are shown in another order than they are sent would reach over their ends. Times are kept as
  // they are: rounded to the rate of pictures, whose grid begins anew with every segment, they would stumble from one to the next.
  ts: { encoder: 'libx264', extra: [...H264, '-bf', '0', '-enc_time_base:v', '1:90000', ...KEY_FRAMES] },
  webm: {
    encoder: 'libvpx-vp9',
    extra: ['-deadline', 'realtime', '-cpu-used', '8', '-row-mt', '1', '-pix_fmt', 'yuv420p', ...KEY_FRAMES],
  },
};

/** Fits the picture into the box, never enlarges it, and leaves even sides, which the encoders want. */
const scaling = (widthPx: number, heightPx: number): string =>
  `scale=w='min(${widthPx},iw)':h='min(${heightPx},ih)':force_original_aspect_ratio=decrease:force_divisible_by=2,setsar=1`;

/** ffmpeg arguments for the picture. `before` are filters that it goes through in its own size. */
export const pictureArguments = (
  { encoder, extra }: PictureProfile,
  { maxWidthPx, maxHeightPx, bitrateKbps }: NonNullable<TranscodeTarget['picture']>,
  before: readonly string[] = [],
): readonly string[] => [
  '-c:v',
  encoder,
  ...extra,
  '-b:v',
  `${bitrateKbps}k`,
  '-maxrate:v',
  `${Math.round(bitrateKbps * 1.25)}k`,
  '-bufsize:v',
  `${bitrateKbps * 2}k`,
  '-vf',
  [...before, scaling(maxWidthPx, maxHeightPx)].join(','),
];
