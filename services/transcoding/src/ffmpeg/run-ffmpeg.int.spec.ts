import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { transcodeTarget } from '@continuo/contracts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { planOf, type TranscodePlan } from '../target/transcode-plan.js';
import { makeTone } from '../../test/media.js';
import { ffmpegChildren } from '../../test/test-transcoder.js';
import { runFfmpeg } from './run-ffmpeg.adapter.js';
import { FfmpegFailed } from './run-ffmpeg.js';

let home: string;
let path: string;
/** Children left by earlier specs of the same process. */
let others: readonly number[];

beforeAll(async () => {
  others = await ffmpegChildren();
  home = await mkdtemp(join(tmpdir(), 'continuo-ffmpeg-'));
  await makeTone(home, 'tone.flac', 600);
  path = join(home, 'tone.flac');
});
afterAll(() => rm(home, { recursive: true, force: true }));

const run = runFfmpeg({ path: 'ffmpeg', niceness: 3 });
const plan = (changes: Partial<TranscodePlan> = {}): TranscodePlan => ({
  ...planOf(transcodeTarget.parse({ format: 'wav' }), { path: '', durationMs: 600_000 }, { videoThreads: 1 }),
  ...changes,
});
const failure = (done: Promise<void>): Promise<unknown> => done.catch((error: unknown) => error);
const own = async (): Promise<number[]> => (await ffmpegChildren()).filter((pid) => !others.includes(pid));
const gone = (): Promise<void> => vi.waitFor(async () => expect(await own()).toEqual([]), 20_000);

describe('ffmpeg', () => {
  it('hands over what it makes, in order, and waits for whoever takes it', async () => {
    const pieces: Buffer[] = [];
    let taking = 0;
    const take = async (piece: Buffer): Promise<void> => {
      taking += 1;
      if (taking > 1) throw new Error('two at once');
      if (pieces.length < 3) await delay(20);
      pieces.push(piece);
      taking -= 1;
    };
    await run({ plan: plan(), path, take }).done;
    expect(Buffer.concat(pieces).length).toBeGreaterThan(600 * 44_100 * 4);
    await gone();
  });

  it('ends when it is killed, also before it has started', async () => {
    const early = run({ plan: plan(), path, take: async () => undefined });
    early.kill();
    expect(await failure(early.done)).toMatchObject({ name: 'FfmpegFailed', message: 'it was given up' });
    const late = run({ plan: plan(), path, take: () => delay(50) });
    await vi.waitFor(async () => expect(await own()).toHaveLength(1), 20_000);
    late.kill();
    expect(await failure(late.done)).toBeInstanceOf(FfmpegFailed);
    await gone();
  });

  it('ends when it takes too long', async () => {
    const slow = run({ plan: plan({ timeLimitMs: 300 }), path, take: () => delay(60_000, undefined, { ref: false }) });
    expect(await failure(slow.done)).toMatchObject({ message: 'it took longer than 300 ms' });
    await gone();
  });

  it('ends when nobody takes what it makes', async () => {
    const broken = run({ plan: plan(), path, take: () => Promise.reject(new Error('no')) });
    expect(await failure(broken.done)).toBeInstanceOf(FfmpegFailed);
    await gone();
  });

  it('says for the log what it has to complain about', async () => {
    const none = run({ plan: plan(), path: join(home, 'none.flac'), take: async () => undefined });
    expect(await failure(none.done)).toMatchObject({ name: 'FfmpegFailed', details: expect.stringContaining('No such file') });
  });
});
