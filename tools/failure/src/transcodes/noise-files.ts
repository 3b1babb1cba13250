import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Files of noise, which is what encoders take longest over. @throws Error when ffmpeg is missing */
export const makeNoiseFiles = async (folder: string, count: number, seconds: number): Promise<void> => {
  await mkdir(folder, { recursive: true });
  for (let n = 1; n <= count; n += 1) {
    const noise = `anoisesrc=color=pink:seed=${n}:duration=${seconds}:sample_rate=44100`;
    const args = ['-nostdin', '-loglevel', 'error', '-f', 'lavfi', '-i', noise, '-ac', '2', '-metadata', `title=Noise ${n}`];
    await run('ffmpeg', [...args, join(folder, `${String(n).padStart(3, '0')}.flac`)]);
  }
};
