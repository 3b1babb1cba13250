import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ffmpegProbe } from './ffmpeg-probe.adapter.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'continuo-ffmpeg-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A program that prints the text and ends with the code. */
const program = async (name: string, text: string, code = 0): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, `#!/bin/sh\necho '${text}'\nexit ${code}\n`);
  await chmod(path, 0o755);
  return path;
};

describe('ffmpegProbe', () => {
  it('finds the real ffmpeg and encoders that every build has', async () => {
    const found = await ffmpegProbe('ffmpeg')();
    expect(found.problem).toBeNull();
    expect(found.ffmpeg?.version).toMatch(/\S/);
    expect(found.audioEncoders).toEqual(expect.arrayContaining(['aac', 'alac', 'flac', 'pcm_s16le']));
    expect(found.audioEncoders).not.toContain('png');
  });

  it.each([
    ['a missing program', async () => join(folder, 'absent'), 'there is no such program'],
    ['an old one', () => program('old', 'ffmpeg version 4.4.2 Copyright'), 'has version 4.4.2, which is too old'],
    ['another program', () => program('other', 'hello'), 'is not an ffmpeg'],
    ['a broken one', () => program('broken', 'oops', 3), 'it ended with code 3'],
  ])('says what is wrong with %s and the remedy', async (_, make, problem) => {
    const found = await ffmpegProbe(await make())();
    expect(found).toMatchObject({ ffmpeg: null, audioEncoders: [] });
    expect(found.problem).toContain(problem);
    expect(found.problem).toContain('install ffmpeg 5 or newer, or name it in FFMPEG_PATH');
  });
});
