/** Format of generated files: its suffix and ffmpeg's arguments for the sound. */
export interface FileFormat {
  readonly suffix: string;
  readonly encode: readonly string[];
  /** Whether a tag may hold several artists or genres; where it may not, only the first one is written. */
  readonly multiValue: boolean;
  /** Whether a cover can be embedded in a way that every reader understands. */
  readonly embedsArt: boolean;
}

/** Lossless seeds are short and mono: they fill the disk otherwise. */
const lossless = (...encode: string[]): readonly string[] => ['-t', '2', '-ac', '1', ...encode];

/** The kinds of file that can be generated, by the name on the command line. ffmpeg has no encoder for Monkey's Audio (ape). */
export const fileFormats = {
  mp3: { suffix: 'mp3', encode: ['-c:a', 'libmp3lame', '-b:a', '128k'], multiValue: true, embedsArt: true },
  flac: { suffix: 'flac', encode: lossless('-c:a', 'flac'), multiValue: true, embedsArt: true },
  ogg: { suffix: 'ogg', encode: ['-c:a', 'libvorbis', '-q:a', '3'], multiValue: true, embedsArt: true },
  opus: { suffix: 'opus', encode: ['-c:a', 'libopus', '-b:a', '96k'], multiValue: true, embedsArt: true },
  m4a: { suffix: 'm4a', encode: ['-c:a', 'aac', '-b:a', '128k'], multiValue: true, embedsArt: true },
  alac: { suffix: 'm4a', encode: lossless('-c:a', 'alac'), multiValue: true, embedsArt: true },
  wav: { suffix: 'wav', encode: lossless('-c:a', 'pcm_s16le'), multiValue: true, embedsArt: true },
  aiff: { suffix: 'aiff', encode: lossless('-c:a', 'pcm_s16be'), multiValue: true, embedsArt: true },
  wma: { suffix: 'wma', encode: ['-c:a', 'wmav2', '-b:a', '128k'], multiValue: false, embedsArt: false },
  wv: { suffix: 'wv', encode: lossless('-c:a', 'wavpack'), multiValue: true, embedsArt: true },
} as const satisfies Record<string, FileFormat>;

export type FormatName = keyof typeof fileFormats;
export const formatNames = Object.keys(fileFormats) as FormatName[];

/**
 * Reads a comma-separated list of formats.
 * @throws Error that names what is unknown and what there is.
 */
export const parseFormats = (list: string): FormatName[] => {
  const wanted = list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const unknown = wanted.filter((name) => !Object.hasOwn(fileFormats, name));
  if (unknown.length > 0 || wanted.length === 0) {
    throw new Error(`unknown format ${unknown.join(', ') || '(none given)'}; there are ${formatNames.join(', ')}`);
  }
  return wanted as FormatName[];
};
