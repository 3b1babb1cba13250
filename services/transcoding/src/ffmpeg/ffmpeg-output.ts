/** The oldest ffmpeg that Continuo works with. */
export const OLDEST_FFMPEG = 5;

/** libavutil's major version in ffmpeg 5; the two have been raised together since. Tells the age of builds that carry no release number. */
const LIBAVUTIL_OF_FFMPEG_5 = 57;

/** Parsed output of `ffmpeg -version`. */
export interface FfmpegVersion {
  /** As printed, for example `7.1.2` or `N-113007-g8d24a28d06`. */
  readonly version: string;
  /** Major release number, derived from libavutil for builds between releases; undefined when neither is printed. */
  readonly major: number | undefined;
}

/** Reads the output of `ffmpeg -version`; undefined when it is not that of an ffmpeg. */
export const parseVersion = (output: string): FfmpegVersion | undefined => {
  const version = /^ffmpeg version (\S+)/m.exec(output)?.[1];
  if (version === undefined) return undefined;
  const release = /^n?(\d+)(?:\.\d+)/.exec(version)?.[1];
  if (release !== undefined) return { version, major: Number(release) };
  const libavutil = /^libavutil\s+(\d+)\./m.exec(output)?.[1];
  return { version, major: libavutil === undefined ? undefined : Number(libavutil) - LIBAVUTIL_OF_FFMPEG_5 + OLDEST_FFMPEG };
};

const namesMarked = (output: string, mark: RegExp): string[] => [...output.matchAll(mark)].map((match) => match[1] ?? '').toSorted();

/** Reads the names of the audio encoders out of `ffmpeg -encoders`, sorted. */
export const parseAudioEncoders = (output: string): string[] => namesMarked(output, /^ A[A-Z.]{5} ([\w-]+)/gm);

/** The same of the video encoders. */
export const parseVideoEncoders = (output: string): string[] => namesMarked(output, /^ V[A-Z.]{5} ([\w-]+)/gm);
