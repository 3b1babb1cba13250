import { Rejection } from '@continuo/contracts';
import { videoFormatNamed, type VideoFacts, type VideoWish } from './decide-video.js';

/** What a request says of the video that it wants, as it said it. */
export interface SpokenVideoWish extends Omit<VideoWish, 'format' | 'captions'> {
  /** A format, or `raw`. */
  readonly format?: string | undefined;
  /** The name of the parameter that holds it. */
  readonly formatParameter?: string | undefined;
  /** Subtitles to draw into the picture, as `drawnCaptions` reads them. */
  readonly subtitle?: string | undefined;
}

const formatOf = ({ format, formatParameter = 'format' }: SpokenVideoWish, facts: VideoFacts): VideoWish['format'] => {
  const name = format?.trim().toLowerCase() ?? '';
  if (name === '' || name === facts.format) return name === '' ? undefined : videoFormatNamed(name);
  const known = videoFormatNamed(name);
  if (known === undefined)
    throw new Rejection('input.invalid', `this server cannot make the format ${name.slice(0, 20)} of a video`, formatParameter);
  return known;
};

/**
 * What a request wants of a video; `captions` are those that it means by `subtitle`.
 * @throws Rejection `input.invalid` for a format that cannot be made
 */
export const videoWishFor = (facts: VideoFacts, spoken: SpokenVideoWish, captions?: VideoWish['captions']): VideoWish => {
  const { maxKbps, box, offsetMs, lengthMs, audioTrack, isConverted } = spoken;
  return { format: formatOf(spoken, facts), maxKbps, box, offsetMs, lengthMs, audioTrack, isConverted, captions };
};
