import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const COLOURS = ['red', 'green', 'blue', 'yellow', 'white', 'black', 'orange', 'purple'];

/** Small JPEG pictures, each of another content. @throws Error when ffmpeg is missing */
export const makePictures = async (): Promise<Buffer[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'continuo-pictures-'));
  try {
    const pictures: Buffer[] = [];
    for (const colour of COLOURS) {
      const path = join(folder, `${colour}.jpg`);
      const args = [
        '-hide_banner',
        '-loglevel',
        'error',
        '-y',
        '-f',
        'lavfi',
        '-i',
        `color=c=${colour}:size=32x32`,
        '-frames:v',
        '1',
        path,
      ];
      await promisify(execFile)('ffmpeg', args);
      pictures.push(await readFile(path));
    }
    return pictures;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
