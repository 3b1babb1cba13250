/** Characters that mean something to a filter's option, and those that mean something to a chain of filters; ffmpeg reads the text once for each. */
const IN_OPTION = /[\\':]/g;
const IN_CHAIN = /[\\'[\],;]/g;

/** A text as the value of a filter's option, whatever it holds. No shell is involved. */
export const filterValue = (text: string): string => text.replace(IN_OPTION, String.raw`\$&`).replace(IN_CHAIN, String.raw`\$&`);

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

/**
 * Draws the subtitles of a file into its picture. Reading starts at `offsetMs`, where pictures have the time 0, but subtitles keep the times of the file.
 * @param path real path of the file, in which the stream of subtitles is
 */
export const captionFilter = (path: string, track: number, offsetMs: number): string => {
  const drawing = `subtitles=filename=${filterValue(path)}:stream_index=${track}`;
  return offsetMs === 0 ? drawing : `setpts=PTS+${seconds(offsetMs)}/TB,${drawing},setpts=PTS-${seconds(offsetMs)}/TB`;
};
