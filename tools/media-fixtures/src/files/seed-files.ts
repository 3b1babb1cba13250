import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fileFormats, type FormatName } from './formats.js';

const run = promisify(execFile);

const quiet = ['-hide_banner', '-nostdin', '-v', 'error', '-y'];
/** Two slowly beating tones, four seconds: compresses like music rather than like silence. */
const tone = ['-f', 'lavfi', '-i', 'aevalsrc=0.2*sin(440*2*PI*t)+0.02*random(0)|0.2*sin(443*2*PI*t)+0.02*random(1):d=4:s=44100'];

const made = new Map<string, Promise<Uint8Array>>();

/** A file that ffmpeg makes by these arguments, once per process: a run of tests generates files dozens of times. */
const produce = (suffix: string, args: readonly string[]): Promise<Uint8Array> => {
  const key = [suffix, ...args].join(' ');
  const known = made.get(key) ?? encode(suffix, args);
  made.set(key, known);
  // Whoever comes next tries again.
  known.catch(() => made.delete(key));
  return known;
};

const encode = async (suffix: string, args: readonly string[]): Promise<Uint8Array> => {
  const folder = await mkdtemp(join(tmpdir(), 'continuo-bench-seeds-'));
  try {
    const path = join(folder, `seed.${suffix}`);
    await run('ffmpeg', [...quiet, ...args, path]);
    return await readFile(path);
  } catch (cause) {
    throw new Error('ffmpeg cannot make the seed files; is ffmpeg 5 or newer in PATH?', { cause });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** One untagged file per format, and pictures to use as covers. */
export interface Seeds {
  readonly sound: ReadonlyMap<FormatName, Uint8Array>;
  /** JPEG files. */
  readonly covers: readonly Uint8Array[];
}

const COVERS = ['mandelbrot=s=500x500', 'testsrc2=s=600x600', 'color=c=teal:s=300x300', 'gradients=s=800x800:seed=3'];

/**
 * Encodes the seeds.
 * @throws Error when ffmpeg is missing or lacks an encoder.
 */
export const makeSeeds = async (formats: readonly FormatName[]): Promise<Seeds> => {
  const sound = new Map<FormatName, Uint8Array>();
  for (const name of formats) {
    const { suffix, encode: args } = fileFormats[name];
    sound.set(name, await produce(suffix, [...tone, ...args]));
  }
  const covers: Uint8Array[] = [];
  for (const source of COVERS) covers.push(await produce('jpg', ['-f', 'lavfi', '-i', source, '-frames:v', '1', '-q:v', '6']));
  return { sound, covers };
};

/** A copy of a JPEG with a comment segment after its first marker: the same picture, other bytes, another content hash. */
export const withComment = (jpeg: Uint8Array, comment: string): Uint8Array => {
  const text = Buffer.from(comment, 'utf8');
  const segment = Buffer.alloc(4);
  segment.writeUInt16BE(0xfffe, 0);
  segment.writeUInt16BE(text.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), segment, text, jpeg.subarray(2)]);
};
