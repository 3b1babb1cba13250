import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

const RATE_HZ = 22_050;
const HEADER_BYTES = 44;

/** Writes a song of noise, which no encoder makes small, as a WAV file of 44 kB a second. @param seed the same noise for the same number */
export const writeNoise = async (path: string, lengthS: number, seed: number): Promise<void> => {
  const samples = RATE_HZ * lengthS;
  const file = Buffer.alloc(HEADER_BYTES + samples * 2);
  file.write('RIFF', 0);
  file.writeUInt32LE(file.length - 8, 4);
  file.write('WAVEfmt ', 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(RATE_HZ, 24);
  file.writeUInt32LE(RATE_HZ * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36);
  file.writeUInt32LE(samples * 2, 40);
  let state = seed;
  for (let sample = 0; sample < samples; sample += 1) {
    // A linear congruence is noise enough.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    file.writeInt16LE(state >> 17, HEADER_BYTES + sample * 2);
  }
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, file);
};
