import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scannedTrack } from '@continuo/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { id3Cover, id3Frame, id3Tag, id3Text } from '../../test/id3-tag.js';
import { makeMediaFile } from '../../test/media-files.js';
import { CUT_TAGS } from './bounded-tags.js';
import { readTrack } from './read-track.js';

/** Where reading takes as long as the file says, none of these ends within it. */
const LIMITS = { parseTimeoutMs: 120_000, maxPictureBytes: 1_000_000, maxPicturePixels: 1_000_000 };

let folder: string;
let sound: Buffer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'continuo-bounded-tags-'));
  await makeMediaFile({ path: join(folder, 'bare.mp3'), seconds: 1, args: ['-id3v2_version', '0', '-write_id3v1', '0'] });
  sound = await readFile(join(folder, 'bare.mp3'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const read = async (...frames: Buffer[]) => {
  const path = join(folder, 'tagged.mp3');
  await writeFile(path, Buffer.concat([id3Tag(...frames), sound]));
  const { size, mtimeMs } = await stat(path);
  const request = { path, fileName: 'tagged.mp3', folderPath: '', sizeBytes: size, mtimeMs: Math.trunc(mtimeMs), lyricsPaths: [] };
  const result = await readTrack(request, LIMITS);
  if (!result.ok) throw new Error(`${result.reason}: ${result.message}`);
  return { track: scannedTrack.parse(result.track), notices: result.notices };
};

const numbered = (count: number, text: (number: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => text(index + 1));
const title = id3Text('TIT2', 'A Title');

describe('a file that says more than anybody means', () => {
  it('keeps the first of its artists, and says so', async () => {
    const { track, notices } = await read(title, id3Text('TPE1', ...numbered(50_000, (n) => `Artist ${n}`)));
    expect(track.artists.map(({ name }) => name)).toEqual(numbered(50, (n) => `Artist ${n}`));
    expect(notices).toContainEqual(CUT_TAGS);
  });

  it('keeps the beginning of its title, and says so', async () => {
    const { track, notices } = await read(id3Text('TIT2', 'x'.repeat(5_000_000)), id3Text('TPE1', 'Artist'));
    expect(track.title).toMatch(/^x{400}$/);
    expect(track.artists).toEqual([{ name: 'Artist' }]);
    expect(notices).toContainEqual(CUT_TAGS);
  });

  it.each<[string, () => Buffer[]]>([
    ['genres', () => [id3Text('TCON', ...numbered(50_000, (n) => `Genre ${n}`))]],
    ['comments', () => numbered(20_000, (n) => `eng\0comment ${n}`).map((text) => id3Frame('COMM', Buffer.from(`\u0003${text}`)))],
    ['names of its own', () => numbered(20_000, (n) => `name ${n}\0value`).map((text) => id3Text('TXXX', text))],
    ['pictures', () => numbered(5000, String).map(() => id3Cover('image/png', Buffer.alloc(64)))],
    ['words', () => [id3Frame('USLT', Buffer.from(`\u0003eng\0${'[00:01.00]la la\n'.repeat(100_000)}`))]],
  ])('is read all the same with too many %s', async (_, frames) => {
    const { track, notices } = await read(title, ...frames());
    expect(track.title).toBe('A Title');
    expect(track.genres.length).toBeLessThanOrEqual(50);
    expect(notices).toContainEqual(CUT_TAGS);
  });
});

describe('a file that says as much as some do', () => {
  it('is not told of', async () => {
    const { track, notices } = await read(title, id3Text('TPE1', ...numbered(40, (n) => `Artist ${n}`)), id3Text('TXXX', 'KEY\0value'));
    expect(track.artists).toHaveLength(40);
    expect(notices).toEqual([]);
  });
});
