import { Rejection } from '@continuo/contracts';
import { isTextCaptions } from '../../../captions/text-codecs.js';
import { videoFormatNamed, type VideoFacts, type VideoWish } from './decide-video.js';

/** What a request says of the video that it wants, as it said it. */
export interface SpokenVideoWish extends Omit<VideoWish, 'format' | 'captionTrack'> {
  /** A format, or `raw`. */
  readonly format?: string | undefined;
  /** The name of the parameter that holds it. */
  readonly formatParameter?: string | undefined;
  /** Subtitles to draw into the picture: the number of a subtitle stream of the file, or a language as the file spells it. */
  readonly subtitle?: string | undefined;
}

const captionTrackOf = ({ captions }: VideoFacts, subtitle: string | undefined): number | undefined => {
  const word = subtitle?.trim().toLowerCase() ?? '';
  if (word === '') return undefined;
  const usable = captions.filter(({ codec }) => isTextCaptions(codec));
  const found = usable.find(({ index, language }) => String(index) === word || language?.toLowerCase() === word);
  if (!found) throw new Rejection('input.invalid', 'the video has no such subtitle', 'subtitle');
  return found.index;
};

const formatOf = ({ format, formatParameter = 'format' }: SpokenVideoWish, facts: VideoFacts): VideoWish['format'] => {
  const name = format?.trim().toLowerCase() ?? '';
  if (name === '' || name === facts.format) return name === '' ? undefined : videoFormatNamed(name);
  const known = videoFormatNamed(name);
  if (known === undefined)
    throw new Rejection('input.invalid', `this server cannot make the format ${name.slice(0, 20)} of a video`, formatParameter);
  return known;
};

/**
 * What a request wants of a video.
 * @throws Rejection `input.invalid` for a format that cannot be made, or subtitles that there are not
 */
export const videoWishFor = (facts: VideoFacts, spoken: SpokenVideoWish): VideoWish => {
  const { maxKbps, box, offsetMs, lengthMs, audioTrack, isConverted, subtitle } = spoken;
  const track = captionTrackOf(facts, subtitle);
  return { format: formatOf(spoken, facts), maxKbps, box, offsetMs, lengthMs, audioTrack, isConverted, captionTrack: track };
};
