import type { CaptionEncoding } from '@continuo/contracts';

/** Characters that mean something to a filter's option, and those that mean something to a chain of filters; ffmpeg reads the text once for each. */
const IN_OPTION = /[\\':]/g;
const IN_CHAIN = /[\\'[\],;]/g;

/** A text as the value of a filter's option, whatever it holds. No shell is involved. */
export const filterValue = (text: string): string => text.replace(IN_OPTION, String.raw`\$&`).replace(IN_CHAIN, String.raw`\$&`);

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

/** Subtitles that are drawn: a stream of a file, or all that a file of subtitles holds. */
export interface DrawnCaptions {
  /** Real path. */
  readonly path: string;
  /** Counted from 0 among the subtitles of the file. */
  readonly track?: number | undefined;
  readonly encoding?: CaptionEncoding | undefined;
}

/** Draws subtitles into the picture. Reading starts at `offsetMs`, where pictures have the time 0, but subtitles keep the times of the whole. */
export const captionFilter = ({ path, track, encoding = 'unicode' }: DrawnCaptions, offsetMs: number): string => {
  const stream = track === undefined ? '' : `:stream_index=${track}`;
  const letters = encoding === 'unicode' ? '' : `:charenc=${encoding}`;
  const drawing = `subtitles=filename=${filterValue(path)}${stream}${letters}`;
  return offsetMs === 0 ? drawing : `setpts=PTS+${seconds(offsetMs)}/TB,${drawing},setpts=PTS-${seconds(offsetMs)}/TB`;
};
