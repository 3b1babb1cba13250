import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { TranscodeSource } from '@continuo/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeTone, sourceIn } from '../../test/media.js';
import { ffmpegChildren, openFiles, testTranscoder, type TestTranscoder, type TestTranscoderOptions } from '../../test/test-transcoder.js';
import type { ResolvedRequest } from './transcoder.js';

let home: string;
let song: TranscodeSource;
/** As FLAC of an hour: more than any pipe or buffer holds. */
let long: TranscodeSource;
const running: TestTranscoder[] = [];

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'continuo-transcoding-'));
  [song, long] = await Promise.all([makeTone(home, 'song.flac', 5), makeTone(home, 'long.flac', 3600)]);
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.stop()));
  const left = await ffmpegChildren();
  if (left.length > 0) throw new Error(`ffmpeg was left behind: ${left.join(', ')}`);
});
afterAll(() => rm(home, { recursive: true, force: true }));

const start = async (options: TestTranscoderOptions = {}): Promise<TestTranscoder> => {
  const one = await testTranscoder(options);
  running.push(one);
  return one;
};
const listening = async ({ transcoder }: TestTranscoder, request: ResolvedRequest): Promise<Readable> => {
  expect(await transcoder.begin(request)).toEqual({ state: 'growing' });
  const found = await transcoder.listen(request.key);
  if (!found) throw new Error('there is nothing to listen to');
  return found.body;
};
const cached = async ({ cache }: TestTranscoder, request: ResolvedRequest): Promise<Buffer> => {
  await vi.waitFor(async () => expect(await cache.find(request.key)).toBeDefined(), 20_000);
  const found = await cache.read(request.key);
  return buffer(found!.body);
};
const allFree = ({ slots }: TestTranscoder): Promise<void> => vi.waitFor(() => expect(slots.free).toBe(slots.total), 20_000);

describe('identical requests', () => {
  it('are one transcode, whose listeners each go at their own pace', async () => {
    const one = await start();
    const request = await one.look(long, { format: 'wav', lengthMs: 60_000 });
    const bodies = await Promise.all([1, 2, 3].map(() => listening(one, request)));
    const [slow, ...quick] = bodies as [Readable, Readable, Readable];
    const [first, second] = await Promise.all(quick.map((body) => buffer(body)));
    await cached(one, request);
    const late = await buffer(slow);
    expect(first!.length).toBeGreaterThan(10_000_000);
    expect(second!.equals(first!)).toBe(true);
    expect(late.subarray(64).equals(first!.subarray(64))).toBe(true);
    expect(await one.counted('continuo_transcodes_started_total')).toBe(1);
  });

  it('are the same whatever is said of the file that is not so, and another once it has changed', async () => {
    const one = await start();
    const name = 'changing.flac';
    const before = await one.look(await makeTone(home, name, 1));
    expect(await one.look({ ...(await sourceIn(home, name, 1)), sizeBytes: 7, modifiedAtMs: 7 })).toEqual(before);
    expect((await one.look(await makeTone(home, name, 2))).key).not.toBe(before.key);
    expect((await one.look(await sourceIn(home, name, 2), { format: 'opus' })).key).not.toBe(before.key);
  });

  it('end as the same file, which is found from then on', async () => {
    const one = await start();
    const request = await one.look(song);
    const heard = await buffer(await listening(one, request));
    expect((await cached(one, request)).equals(heard)).toBe(true);
    await allFree(one);
    expect(await one.transcoder.begin(request)).toEqual({ state: 'finished', sizeBytes: heard.length });
    expect(await one.counted('continuo_transcodes_started_total')).toBe(1);
  });

  it('give the same bytes when they are made again', async () => {
    const [left, right] = await Promise.all([start(), start()]);
    for (const format of ['mp3', 'opus', 'ogg', 'aac', 'm4a', 'flac', 'webm'] as const) {
      const [one, two] = await Promise.all([left, right].map(async (at) => buffer(await listening(at, await at.look(song, { format })))));
      expect([format, one!.equals(two!)]).toEqual([format, true]);
    }
  });
});

describe('listeners who go away', () => {
  it('take the transcode with them, the last one, after a moment', async () => {
    const one = await start({ graceMs: 100 });
    const request = await one.look(long, { format: 'wav' });
    const [left, right] = await Promise.all([listening(one, request), listening(one, request)]);
    left.destroy();
    await delay(300);
    expect(await ffmpegChildren()).toHaveLength(1);
    right.destroy();
    await vi.waitFor(async () => expect(await ffmpegChildren()).toEqual([]), 20_000);
    await allFree(one);
    expect(await one.cache.find(request.key)).toBeUndefined();
    expect((await one.transcoder.stateOf(request)).state).toBe('free');
  });

  it('come back in time, or begin anew', async () => {
    const one = await start({ graceMs: 2000 });
    // An hour: it takes longer than everything here, so that it is not finished meanwhile.
    const request = await one.look(long, { format: 'wav' });
    (await listening(one, request)).destroy();
    const again = await listening(one, request);
    expect(await one.counted('continuo_transcodes_started_total')).toBe(1);
    again.destroy();
    await vi.waitFor(async () => expect(await ffmpegChildren()).toEqual([]), 20_000);
    const anew = await listening(one, request);
    expect(await one.counted('continuo_transcodes_started_total')).toBe(2);
    anew.destroy();
  });

  it('leave no ffmpeg and no file open, however many they are', async () => {
    const one = await start({ graceMs: 0, slots: 8 });
    await buffer(await listening(one, await one.look(song)));
    await allFree(one);
    const before = await openFiles();
    for (let round = 0; round < 12; round += 1) {
      const requests = await Promise.all([1, 2, 3, 4].map((n) => one.look(long, { format: 'flac', offsetMs: round * 1000 + n })));
      const bodies = await Promise.all(requests.map((request) => listening(one, request)));
      for (const body of bodies) body.destroy();
      await allFree(one);
    }
    expect(await ffmpegChildren()).toEqual([]);
    expect(await openFiles()).toBeLessThanOrEqual(before + 2);
    const [making] = await readdir(join(one.folder, 'making'));
    expect(await readdir(join(one.folder, 'making', making!))).toEqual(['in-use']);
  });

  it('who were promised something and never came are waited for, not for ever', async () => {
    const one = await start({ graceMs: 0 });
    const request = await one.look(long, { format: 'ogg' });
    await one.transcoder.begin(request);
    await delay(200);
    expect(await ffmpegChildren()).toHaveLength(1);
    await vi.waitFor(async () => expect(await ffmpegChildren()).toEqual([]), { timeout: 15_000, interval: 200 });
    await allFree(one);
    expect(await one.cache.find(request.key)).toBeUndefined();
  });
});

describe('places', () => {
  it('are refused when there are none, with a time to wait, and are given back', async () => {
    const one = await start({ slots: 1, graceMs: 0 });
    const [request, other] = await Promise.all([one.look(long, { format: 'wav' }), one.look(song)]);
    const body = await listening(one, request);
    expect(await one.transcoder.stateOf(other)).toEqual({ state: 'busy', retryAfterSeconds: expect.any(Number) });
    await expect(one.transcoder.begin(other)).rejects.toMatchObject({
      code: 'transcode.busy',
      subject: expect.stringMatching(/^[1-9]\d?$/),
    });
    // A request for a transcode under way needs no slot.
    (await listening(one, request)).destroy();
    body.destroy();
    await allFree(one);
    expect((await buffer(await listening(one, other))).length).toBeGreaterThan(1000);
  });

  it('are given up by what nobody listens to any more, when somebody needs one', async () => {
    const one = await start({ slots: 1, graceMs: 30_000 });
    (await listening(one, await one.look(long, { format: 'wav' }))).destroy();
    const request = await one.look(song);
    await vi.waitFor(async () => expect(await one.transcoder.stateOf(request)).toEqual({ state: 'free', freeSlots: 1 }), 20_000);
    expect((await buffer(await listening(one, request))).length).toBeGreaterThan(1000);
    expect(await one.counted('continuo_transcodes_started_total')).toBe(2);
  });

  it('are held by jobs as well, which are told how far they are and can be given up', async () => {
    const one = await start({ graceMs: 0, slots: 1 });
    const request = await one.look(song, { format: 'ogg' });
    const { sizeBytes } = await one.transcoder.prepare(request);
    expect((await cached(one, request)).length).toBe(sizeBytes);
    await allFree(one);
    expect(await one.transcoder.prepare(request)).toEqual({ wasThere: true, sizeBytes });
    const giveUp = new AbortController();
    const progress = vi.fn<(writtenBytes: number) => void>();
    const long1 = one.transcoder.prepare(await one.look(long, { format: 'ogg' }), { signal: giveUp.signal, onProgress: progress });
    await vi.waitFor(() => expect(progress).toHaveBeenCalled(), 20_000);
    giveUp.abort(new Error('changed my mind'));
    await expect(long1).rejects.toThrow('changed my mind');
    await allFree(one);
  });
});

describe('an end', () => {
  it('lets what is under way finish, and takes nothing new', async () => {
    const one = await start();
    const request = await one.look(song, { format: 'opus' });
    const heard = buffer(await listening(one, request));
    const drained = one.transcoder.drain(10_000);
    await expect(one.transcoder.begin(await one.look(song, { format: 'aac' }))).rejects.toMatchObject({ code: 'transcode.busy' });
    await drained;
    expect((await cached(one, request)).equals(await heard)).toBe(true);
  });

  it('ends what takes too long; its listeners notice', async () => {
    const one = await start();
    const body = await listening(one, await one.look(long, { format: 'wav' }));
    const heard = buffer(body).catch((error: unknown) => error);
    await one.transcoder.drain(100);
    expect(await heard).toBeInstanceOf(Error);
  });
});

describe('an ffmpeg that goes away while the worker runs', () => {
  it('is no fault of the files: others may do what this worker cannot', async () => {
    const program = join(home, 'ffmpeg');
    await writeFile(program, '#!/bin/sh\nexec ffmpeg "$@"\n');
    await chmod(program, 0o755);
    const one = await start({ ffmpegPath: program });
    await one.transcoder.prepare(await one.look(song));
    await rm(program);
    const request = await one.look(song, { bitrateKbps: 96 });
    await one.transcoder.begin(request);
    await expect(one.transcoder.listen(request.key)).rejects.toMatchObject({ code: 'unavailable' });
    await vi.waitFor(() => expect(one.look(song)).rejects.toMatchObject({ code: 'unavailable' }), 20_000);
    expect(one.slots.free).toBe(one.slots.total);
  });
});

describe('what cannot be done', () => {
  it('is refused: no sound in it, broken, gone, outside of its catalog', async () => {
    const one = await start();
    await writeFile(join(home, 'noise.mp3'), Buffer.alloc(5000, 'no music'));
    await writeFile(join(home, 'empty.mp3'), '');
    for (const name of ['noise.mp3', 'empty.mp3']) {
      const request = await one.look(await sourceIn(home, name, 1));
      await one.transcoder.begin(request);
      await expect(one.transcoder.listen(request.key)).rejects.toMatchObject({ code: 'transcode.failed' });
      await allFree(one);
      expect(await one.cache.find(request.key)).toBeUndefined();
    }
    for (const path of ['gone.mp3', '../outside.mp3', '/etc/passwd', '.', ''])
      await expect(one.look({ ...song, path })).rejects.toMatchObject({ code: 'media.not-found' });
  });

  it('is refused as well when nothing is left behind the offset', async () => {
    const one = await start();
    await expect(one.look(song, { offsetMs: 5000 })).rejects.toMatchObject({ code: 'transcode.failed' });
  });
});
