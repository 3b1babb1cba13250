import { Rejection } from '@continuo/contracts';
import { videoFormatNamed, type VideoFacts, type VideoRequest } from './decide-video.js';

/** Video parameters of a request, unchecked. */
export interface VideoParameters extends Omit<VideoRequest, 'format' | 'captions'> {
  /** A format, or `raw`. */
  readonly format?: string | undefined;
  /** The name of the parameter that holds it. */
  readonly formatParameter?: string | undefined;
  /** Subtitles to draw into the picture, as `drawnCaptions` reads them. */
  readonly subtitle?: string | undefined;
}

const formatOf = ({ format, formatParameter = 'format' }: VideoParameters, facts: VideoFacts): VideoRequest['format'] => {
  const name = format?.trim().toLowerCase() ?? '';
  if (name === '' || name === facts.format) return name === '' ? undefined : videoFormatNamed(name);
  const known = videoFormatNamed(name);
  if (known === undefined)
    throw new Rejection('input.invalid', `this server cannot make the format ${name.slice(0, 20)} of a video`, formatParameter);
  return known;
};

/**
 * Checks the parameters of a video stream; `captions` are the subtitles named by `subtitle`.
 * @throws Rejection `input.invalid` for a format that cannot be made
 */
export const videoRequestFor = (facts: VideoFacts, parameters: VideoParameters, captions?: VideoRequest['captions']): VideoRequest => {
  const { maxKbps, box, offsetMs, lengthMs, audioTrack, isConverted } = parameters;
  return { format: formatOf(parameters, facts), maxKbps, box, offsetMs, lengthMs, audioTrack, isConverted, captions };
};
