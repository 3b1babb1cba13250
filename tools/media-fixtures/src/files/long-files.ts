import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const QUIET = ['-hide_banner', '-nostdin', '-v', 'error', '-y'];

/** Writes a tone of so many seconds without compression: 176 KB a second. Answers its path. @throws Error when ffmpeg is missing */
export const makeTone = async (folder: string, name: string, seconds: number): Promise<string> => {
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${name}.wav`);
  const tone = `sine=frequency=330:duration=${seconds}:sample_rate=44100`;
  await run('ffmpeg', [...QUIET, '-f', 'lavfi', '-i', tone, '-ac', '2', '-metadata', `title=${name}`, path]);
  return path;
};

/** Writes songs of noise, which is what encoders take longest over. @throws Error when ffmpeg is missing */
export const makeNoise = async (folder: string, names: readonly string[], seconds: number): Promise<void> => {
  await mkdir(folder, { recursive: true });
  for (const [index, name] of names.entries()) {
    const noise = `anoisesrc=color=pink:amplitude=0.5:seed=${index + 1}:duration=${seconds}:sample_rate=44100`;
    const tags = ['-metadata', `title=${name}`, '-metadata', `album=${seconds} seconds`];
    await run('ffmpeg', [...QUIET, '-f', 'lavfi', '-i', noise, '-ac', '2', ...tags, join(folder, `${name}.flac`)]);
  }
};

/** An album of one tone that was cut into songs. */
export interface JoinedAlbum {
  readonly album: string;
  readonly parts: number;
  /** Length of a part. */
  readonly seconds: number;
  /** FLAC when it is omitted. */
  readonly format?: 'flac' | 'mp3';
  /** Options of ffmpeg's encoder. */
  readonly encoding?: readonly string[];
}

/** Writes one tone, cut into the songs of an album: they are heard without a gap when each begins at the very sample where the one before it ends. @throws Error when ffmpeg is missing */
export const makeJoinedAlbum = async (
  folder: string,
  { album, parts, seconds, format = 'flac', encoding = [] }: JoinedAlbum,
): Promise<void> => {
  await mkdir(folder, { recursive: true });
  // Not a whole number of blocks: files that end with a short one are the rule.
  const samples = seconds * 44_100 + 37;
  const tone = `sine=frequency=441:duration=${parts * (seconds + 1)}:sample_rate=44100,volume=3`;
  for (let part = 0; part < parts; part += 1) {
    const cut = `atrim=start_sample=${part * samples}:end_sample=${(part + 1) * samples},asetpts=PTS-STARTPTS`;
    const tags = [`title=${album} ${part + 1}`, `album=${album}`, 'artist=One tone', `track=${part + 1}`].flatMap((tag) => [
      '-metadata',
      tag,
    ]);
    await run('ffmpeg', [
      ...QUIET,
      '-f',
      'lavfi',
      '-i',
      tone,
      '-af',
      cut,
      '-ac',
      '2',
      ...encoding,
      ...tags,
      join(folder, `${album} ${part + 1}.${format}`),
    ]);
  }
};
