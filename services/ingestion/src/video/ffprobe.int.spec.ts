import { mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeMediaFile, makePicture } from '../../test/media-files.js';
import { makeVideo, videoSuffixes } from '../../test/video-files.js';
import { FfprobeReader } from './ffprobe.adapter.js';
import type { VideoResult } from './video-reader.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'continuo-videos-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const reader = new FfprobeReader({ program: 'ffprobe', atOnce: 2, timeoutMs: 20_000 });
const read = async (path: string, by = reader): Promise<VideoResult> => {
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  return by.readVideo({ path, fileName: basename(path), sizeBytes: size, mtimeMs: 1 });
};
const at = (name: string): string => join(folder, name);

describe('reading videos', () => {
  it('finds what a file says of itself', async () => {
    const tags = { title: 'The Film', date: '1999-05-02', genre: 'Noir; Short', comment: 'two\nlines' };
    await makeVideo({ path: at('film.mkv'), tags, seconds: 2, size: [128, 96], captions: ['eng', 'ger'] });
    const result = await read(at('film.mkv'));
    expect(result).toMatchObject({
      ok: true,
      video: {
        title: 'The Film',
        releaseDate: '1999-05-02',
        genres: ['Noir', 'Short'],
        format: 'mkv',
        mime: 'video/x-matroska',
        videoCodec: 'mpeg4',
        audioCodec: 'aac',
        widthPx: 128,
        heightPx: 96,
        framesPerSecond: 25,
        channels: 1,
        sampleRateHz: 44_100,
        captions: [
          { index: 0, codec: 'subrip', language: 'eng' },
          { index: 1, codec: 'subrip', language: 'ger' },
        ],
        audioTracks: [{ index: 0, codec: 'aac' }],
      },
    });
    const { video } = result as Extract<VideoResult, { ok: true }>;
    expect(video.durationMs).toBeGreaterThanOrEqual(2000);
    expect(video.durationMs).toBeLessThan(2200);
    expect(video.bitrateBps).toBeGreaterThan(10_000);
    expect(await read(at('film.mkv'))).toEqual(result);
  });

  it.each(videoSuffixes)('knows %s', async (suffix) => {
    await makeVideo({ path: at(`any.${suffix}`) });
    const result = await read(at(`any.${suffix}`));
    expect(result).toMatchObject({ ok: true, video: { title: 'any', format: suffix, widthPx: 96, heightPx: 64 } });
  });

  it('takes a video without sound, and names that look like options or addresses', async () => {
    await makeVideo({ path: at('-i concat:x|y %d é.mp4'), silent: true });
    expect(await read(at('-i concat:x|y %d é.mp4'))).toMatchObject({ ok: true, video: { title: '-i concat:x|y %d é', audioTracks: [] } });
  });

  it('says why a file is none', async () => {
    await makeVideo({ path: at('whole.mp4') });
    await writeFile(at('cut.mp4'), (await readFile(at('whole.mp4'))).subarray(0, 1500));
    await writeFile(at('code.ts'), 'export const answer = 42;\n');
    await makePicture(at('cover.png'));
    await makeMediaFile({ path: at('song.m4a'), cover: at('cover.png') });
    await writeFile(at('list.ts'), '#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nwhole.mp4\n#EXT-X-ENDLIST\n');
    await writeFile(at('concat.avi'), "ffconcat version 1.0\nfile 'whole.mp4'\n");
    expect(await read(at('cut.mp4'))).toMatchObject({ ok: false, reason: 'damaged', message: expect.not.stringContaining(folder) });
    for (const name of ['code.ts', 'song.m4a', 'list.ts', 'concat.avi'])
      expect([name, await read(at(name))]).toMatchObject([name, { ok: false, reason: 'not-media' }]);
    const program = at('warning-ffprobe');
    await writeFile(program, `#!/bin/sh\necho 'Warning: using insecure memory!' >&2\nexec ffprobe "$@"\n`, { mode: 0o755 });
    const warned = new FfprobeReader({ program, atOnce: 1, timeoutMs: 20_000 });
    expect(await read(at('code.ts'), warned)).toEqual(await read(at('code.ts')));
    expect(await read(at('absent.mp4'))).toMatchObject({ ok: false, reason: 'vanished' });
    await truncate(at('whole.mp4'), 0);
    expect(await read(at('whole.mp4'))).toMatchObject({ ok: false });
  });

  it('leaves files for later when the program is missing, and gives up on one that takes too long', async () => {
    await makeVideo({ path: at('any.mp4') });
    const absent = new FfprobeReader({ program: at('no-ffprobe'), atOnce: 1, timeoutMs: 1000 });
    expect(await read(at('any.mp4'), absent)).toMatchObject({ reason: 'unreadable', message: expect.stringContaining('FFPROBE_PATH') });
    await writeFile(at('slow'), '#!/bin/sh\nexec sleep 30\n', { mode: 0o755 });
    const slow = new FfprobeReader({ program: at('slow'), atOnce: 1, timeoutMs: 300 });
    const both = await Promise.all([read(at('any.mp4'), slow), read(at('any.mp4'), slow)]);
    for (const result of both) expect(result).toMatchObject({ reason: 'damaged', message: expect.stringContaining('300 ms') });
  });
});
