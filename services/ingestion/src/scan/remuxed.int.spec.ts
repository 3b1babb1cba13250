import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { CatalogId } from '@continuo/contracts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ffmpegPath } from '../../test/config.js';
import { ScanBench } from '../../test/scan-bench.js';

const run = promisify(execFile);
const ffmpeg = (...args: string[]) => run(ffmpegPath, ['-hide_banner', '-loglevel', 'error', '-y', ...args]);

let bench: ScanBench;
let base: string;
let root: string;
let catalog: CatalogId;
let nextCatalog = 1;

beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'continuo-samples-')));
  const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=4', '-metadata', 'title=Tone', '-metadata', 'artist=One'];
  await ffmpeg(...tone, '-c:a', 'libmp3lame', '-b:a', '128k', join(base, 'cbr.mp3'));
  await ffmpeg(...tone, '-c:a', 'libmp3lame', '-q:a', '5', '-ac', '2', join(base, 'vbr.mp3'));
  await ffmpeg(...tone, '-c:a', 'libmp3lame', '-b:a', '64k', '-ar', '22050', join(base, 'low.mp3'));
  bench = await ScanBench.start();
});
afterAll(async () => {
  await bench.stop();
  await rm(base, { recursive: true, force: true });
});
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'continuo-catalog-')));
  await mkdir(join(root, 'old'));
  await mkdir(join(root, 'new'));
  catalog = await bench.library.addCatalog(nextCatalog++, root);
});
afterEach(() => rm(root, { recursive: true, force: true }));

const songs = async () => (await bench.library.songs(catalog)).map(({ path, id, track }) => ({ path, id, title: track.title }));
/** Writes a file anew without touching its sound, elsewhere and under another title. */
const remux = async (from: string, to: string, ...how: string[]): Promise<void> => {
  await ffmpeg('-i', from, '-c', 'copy', ...how, '-metadata', 'title=Called otherwise now', to);
  await rm(from);
};
/** Bytes of the tag in front of a file. */
const tagBytes = (bytes: Buffer): number => 10 + bytes.subarray(6, 10).reduce((sum, byte) => sum * 128 + byte, 0);

describe('a file that another program has written anew, and that lies elsewhere', () => {
  it.each(['cbr.mp3', 'vbr.mp3', 'low.mp3'])('is the song that it was, with a frame about the file or without (%s)', async (name) => {
    await copyFile(join(base, name), join(root, 'old', name));
    await bench.scan(catalog);
    const [before] = await songs();
    await remux(join(root, 'old', name), join(root, 'new', 'bare.mp3'), '-write_xing', '0');
    expect(await bench.scan(catalog)).toMatchObject({ songs_moved: 1, songs_added: 0, songs_removed: 0 });
    expect(await songs()).toEqual([{ path: 'new/bare.mp3', id: before?.id, title: 'Called otherwise now' }]);
    await remux(join(root, 'new', 'bare.mp3'), join(root, 'old', 'again.mp3'), '-write_xing', '1', '-id3v2_version', '3');
    expect(await bench.scan(catalog)).toMatchObject({ songs_moved: 1, songs_added: 0, songs_removed: 0 });
    expect((await songs()).map(({ path, id }) => [path, id])).toEqual([['old/again.mp3', before?.id]]);
  });

  it('is the song that a release before recorded by the frame about the file, where that is as it was; and by its sound once it was read again', async () => {
    const path = join(root, 'old', 'cbr.mp3');
    await copyFile(join(base, 'cbr.mp3'), path);
    await bench.scan(catalog);
    const bytes = await readFile(path);
    const at = tagBytes(bytes);
    const earlier = `mp3:${createHash('sha1')
      .update(bytes.subarray(at, at + 8192))
      .digest('hex')
      .slice(0, 24)}`;
    const printOf = async (): Promise<string | null> =>
      (
        await sql<{ print: string | null }>`select sound_print as print from library.song where catalog_id = ${catalog}`.execute(
          bench.library.db,
        )
      ).rows[0]?.print ?? null;
    const now = await printOf();
    expect(now).not.toBe(earlier);
    await sql`update library.song set sound_print = ${earlier} where catalog_id = ${catalog}`.execute(bench.library.db);
    const [before] = await songs();
    // A tag of another length in front of the same frames.
    const tag = Buffer.concat([Buffer.from('ID3\x04\x00\x00\x00\x00\x02\x00', 'latin1'), Buffer.alloc(256)]);
    await rm(path);
    await writeFile(join(root, 'new', 'tagged.mp3'), Buffer.concat([tag, bytes.subarray(at)]));
    expect(await bench.scan(catalog)).toMatchObject({ songs_moved: 1, songs_added: 0, songs_removed: 0 });
    expect((await songs())[0]?.id).toBe(before?.id);
    expect(await printOf()).toBe(now);
  });
});
