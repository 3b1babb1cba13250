import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeSeeds, withComment } from './seed-files.js';
import { tagWriter } from './tag-writer.js';

const run = promisify(execFile);

/** A troublesome file and what a scan should make of it. */
export interface BrokenCase {
  /** Relative to the root; absent where the name is no text. */
  readonly path: string;
  /** `ignore`: neither a song nor a reported skip. `either`: what is left of it may or may not be enough. */
  readonly expect: 'song' | 'skip' | 'either' | 'ignore';
  /** Reason of the skip. */
  readonly reason?: string;
}

interface Material {
  readonly mp3: Uint8Array;
  readonly flac: Uint8Array;
  readonly picture: Uint8Array;
  readonly hugeCover: Uint8Array;
}

/** A JPEG of 50 MB: the picture followed by comment segments, each of the largest size. */
const hugePicture = (picture: Uint8Array): Uint8Array => {
  const segment = withComment(picture, 'x'.repeat(65_000)).subarray(2, 65_006);
  const copies = Math.ceil(50_000_000 / segment.length);
  return Buffer.concat([picture.subarray(0, 2), ...Array.from({ length: copies }, () => segment), picture.subarray(2)]);
};

const material = async (): Promise<Material> => {
  const seeds = await makeSeeds(['mp3', 'flac']);
  const writer = await tagWriter();
  const [picture, mp3, flac] = [seeds.covers[0], seeds.sound.get('mp3'), seeds.sound.get('flac')];
  if (!picture || !mp3 || !flac) throw new Error('the seeds are incomplete');
  const tags = (title: string) => ({ title: [title], artist: ['Trouble'], albumArtist: ['Trouble'], album: ['Broken'] });
  return {
    mp3: await writer.write(mp3, tags('Sound')),
    flac: await writer.write(flac, tags('Sound')),
    picture,
    hugeCover: await writer.write(mp3, tags('Huge cover'), hugePicture(picture)),
  };
};

type Content = readonly [BrokenCase, Uint8Array | string];

const contents = ({ mp3, flac, picture, hugeCover }: Material): Content[] => [
  [{ path: 'good.mp3', expect: 'song' }, mp3],
  [{ path: 'zero-bytes.mp3', expect: 'skip', reason: 'empty' }, ''],
  [{ path: 'text.mp3', expect: 'skip', reason: 'not-media' }, 'This is no music.\n'.repeat(200)],
  [{ path: 'picture.ogg', expect: 'skip', reason: 'not-media' }, picture],
  [{ path: 'zeros.flac', expect: 'skip' }, new Uint8Array(100_000)],
  [{ path: 'beginning.flac', expect: 'skip', reason: 'damaged' }, flac.subarray(0, 20)],
  [{ path: 'half.flac', expect: 'either' }, flac.subarray(0, flac.length >> 1)],
  [{ path: 'half.mp3', expect: 'either' }, mp3.subarray(0, mp3.length >> 1)],
  [{ path: 'really-mp3.flac', expect: 'either' }, mp3],
  [{ path: 'notes.txt', expect: 'ignore' }, 'not a media file'],
  [{ path: 'huge cover/huge-cover.mp3', expect: 'song' }, hugeCover],
  [{ path: `long/${'n'.repeat(251)}.mp3`, expect: 'song' }, mp3],
  [{ path: 'names/line\nbreak.mp3', expect: 'song' }, mp3],
  [{ path: 'names/quote\'s "and" <brackets>.mp3', expect: 'song' }, mp3],
  [{ path: 'names/مرحبا 😀 e\u0301.mp3', expect: 'song' }, mp3],
  [{ path: 'names/constructor.mp3', expect: 'song' }, mp3],
  [{ path: 'names/__proto__/toString.mp3', expect: 'song' }, mp3],
];

/** Creates entries that are no plain files: circular and dangling links, a pipe without writer, a name that is not UTF-8. */
const oddities = async (root: string, mp3: Uint8Array): Promise<BrokenCase[]> => {
  await mkdir(join(root, 'loop'), { recursive: true });
  await symlink('..', join(root, 'loop', 'up'));
  await symlink('self.mp3', join(root, 'loop', 'self.mp3'));
  await symlink('/nowhere/absent.mp3', join(root, 'loop', 'dangling.mp3'));
  await run('mkfifo', [join(root, 'loop', 'pipe.mp3')]);
  await mkdir(join(root, 'latin1'), { recursive: true });
  const name = Buffer.concat([Buffer.from(join(root, 'latin1/')), Buffer.from([0xe9, 0x74, 0xe9]), Buffer.from('.mp3')]);
  await writeFile(name, mp3);
  return [
    { path: 'loop/self.mp3', expect: 'either' },
    { path: 'loop/dangling.mp3', expect: 'either' },
    { path: 'loop/pipe.mp3', expect: 'either' },
    { path: 'latin1/?t?.mp3', expect: 'skip', reason: 'name-not-utf8' },
  ];
};

/**
 * Writes a folder of files that scans stumble over; a scan must end, and explain each one it leaves out. Needs a POSIX file system.
 * The cases are also written to `<out>.manifest.json`.
 */
export const generateBroken = async (out: string): Promise<BrokenCase[]> => {
  const made = await material();
  const cases: BrokenCase[] = [];
  for (const [broken, content] of contents(made)) {
    await mkdir(join(out, broken.path, '..'), { recursive: true });
    await writeFile(join(out, broken.path), content);
    cases.push(broken);
  }
  cases.push(...(await oddities(out, made.mp3)));
  await writeFile(`${out}.manifest.json`, `${JSON.stringify(cases, null, 2)}\n`);
  return cases;
};
