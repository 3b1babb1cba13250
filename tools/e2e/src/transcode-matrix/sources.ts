import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ffmpeg } from '@continuo/transcoding/testkit';

/** Length of each source, seconds. */
export const SOURCE_SECONDS = 15;

/** A click at the beginning of each second over soft noise: places can be heard, and encoders have to use the rate that they are given. */
const CLICK = 'if(lt(mod(t,1),0.05),0.8*sin(2*PI*(400+50*floor(t))*t),NOISE)';
const SOUND = [0, 1].map((seed) => CLICK.replace('NOISE', `0.07*(2*random(${seed})-1)`)).join('|');

/** Sources by name, each with the ending of its file and how it is encoded. What is lossy has a higher rate than is asked for later, so that it has to be coded anew. */
export const sources = {
  'mp3, constant rate': { ending: 'cbr.mp3', encode: ['-c:a', 'libmp3lame', '-b:a', '256k'] },
  'mp3, variable rate': { ending: 'vbr.mp3', encode: ['-c:a', 'libmp3lame', '-q:a', '0'] },
  flac: { ending: 'flac', encode: ['-c:a', 'flac'] },
  'ogg vorbis': { ending: 'ogg', encode: ['-c:a', 'libvorbis', '-q:a', '8'] },
  opus: { ending: 'opus', encode: ['-c:a', 'libopus', '-b:a', '224k'] },
  'm4a, aac': { ending: 'aac.m4a', encode: ['-c:a', 'aac', '-b:a', '256k'] },
  'm4a, alac': { ending: 'alac.m4a', encode: ['-c:a', 'alac'] },
  wav: { ending: 'wav', encode: ['-c:a', 'pcm_s16le'] },
  aiff: { ending: 'aiff', encode: ['-c:a', 'pcm_s16be', '-write_id3v2', '1'] },
  wma: { ending: 'wma', encode: ['-c:a', 'wmav2', '-b:a', '256k'] },
} as const satisfies Readonly<Record<string, { ending: string; encode: readonly string[] }>>;
export type SourceName = keyof typeof sources;
export const sourceNames = Object.keys(sources) as SourceName[];

/** Writes a file of each kind, titled by its name. */
export const makeSources = async (folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true });
  const input = ['-f', 'lavfi', '-i', `aevalsrc=exprs='${SOUND}':sample_rate=44100:duration=${SOURCE_SECONDS}`];
  await ffmpeg(...input, `file:${join(folder, '..', 'master.wav')}`);
  for (const name of sourceNames) {
    const { ending, encode } = sources[name];
    await ffmpeg(
      '-i',
      `file:${join(folder, '..', 'master.wav')}`,
      ...encode,
      '-metadata',
      `title=${name}`,
      `file:${join(folder, `clicks.${ending}`)}`,
    );
  }
};
