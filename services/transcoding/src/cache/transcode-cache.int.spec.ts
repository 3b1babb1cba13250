import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { recordingLog } from '@continuo/chassis/testkit';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { workerMetrics } from '../metrics.js';
import { TranscodeCache } from './transcode-cache.js';

let folder: string;
let clockMs: number;
let registry: Registry;
const opened: TranscodeCache[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'continuo-cache-'));
  clockMs = Date.UTC(2024, 5, 1);
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((cache) => cache.close()));
  await rm(folder, { recursive: true, force: true });
});

const open = async (capBytes = 1_000_000): Promise<TranscodeCache> => {
  registry = new Registry();
  const metrics = workerMetrics(registry).cache;
  const cache = await TranscodeCache.open({ folder, capBytes, log: recordingLog().log, metrics, now: () => (clockMs += 1000) });
  opened.push(cache);
  return cache;
};
const keyOf = (n: number): string => n.toString(16).padStart(2, '0').repeat(32);
const keep = async (cache: TranscodeCache, n: number, sizeBytes = 1000): Promise<boolean> => {
  const path = cache.temporaryPath();
  await writeFile(path, Buffer.alloc(sizeBytes, n));
  return cache.admit(keyOf(n), path, sizeBytes);
};
const present = async (cache: TranscodeCache, numbers: readonly number[]): Promise<number[]> => {
  const found: number[] = [];
  for (const n of numbers) {
    const one = await cache.read(keyOf(n));
    if (one) found.push(n);
    one?.body.destroy();
  }
  return found;
};
const counted = async (name: string): Promise<number> => (await registry.getSingleMetric(name)?.get())?.values[0]?.value ?? 0;

describe('the cache of transcodes', () => {
  it('keeps what it is given, and gives it back whole and in parts', async () => {
    const cache = await open();
    expect(await cache.find(keyOf(1))).toBeUndefined();
    expect(await cache.read(keyOf(1))).toBeUndefined();
    await keep(cache, 1);
    expect(await cache.find(keyOf(1))).toEqual({ key: keyOf(1), sizeBytes: 1000 });
    expect(await buffer((await cache.read(keyOf(1)))!.body)).toEqual(Buffer.alloc(1000, 1));
    expect(await buffer((await cache.read(keyOf(1), { start: 10, end: 19 }))!.body)).toEqual(Buffer.alloc(10, 1));
  });

  it('throws away what was not used for longest', async () => {
    const cache = await open(10_000);
    for (let n = 1; n <= 10; n += 1) await keep(cache, n);
    await cache.find(keyOf(1));
    await keep(cache, 11);
    expect(await present(cache, [1, 2, 3, 4, 11])).toEqual([1, 4, 11]);
    expect(await counted('continuo_transcode_cache_evictions_total')).toBe(2);
    expect(await counted('continuo_transcode_cache_bytes')).toBe(9000);
  });

  it('remembers over a new start what was used', async () => {
    const before = await open(10_000);
    for (let n = 1; n <= 10; n += 1) await keep(before, n);
    await before.find(keyOf(1));
    await before.close();
    const after = await open(10_000);
    await keep(after, 11);
    expect(await present(after, [1, 2, 11])).toEqual([1, 11]);
  });

  it('comes down to a smaller cap at the start', async () => {
    const before = await open(10_000);
    for (let n = 1; n <= 10; n += 1) await keep(before, n);
    const after = await open(4000);
    expect(await present(after, [1, 6, 7, 8, 9, 10])).toEqual([8, 9, 10]);
  });

  it('does not throw away what is read', async () => {
    const cache = await open(10_000);
    for (let n = 1; n <= 10; n += 1) await keep(cache, n);
    const { body } = (await cache.read(keyOf(1)))!;
    await keep(cache, 11);
    expect(await present(cache, [1, 2, 3, 4])).toEqual([1, 4]);
    expect((await buffer(body)).length).toBe(1000);
  });

  it('lets those read on whose file another worker throws away', async () => {
    const [left, right] = [await open(10_000), await open(10_000)];
    await keep(left, 1, 4000);
    const { body } = (await left.read(keyOf(1)))!;
    for (let n = 2; n <= 4; n += 1) await keep(right, n, 4000);
    expect(await present(right, [1])).toEqual([]);
    expect(await buffer(body)).toEqual(Buffer.alloc(4000, 1));
    expect(await left.find(keyOf(1))).toBeUndefined();
    expect(await left.find(keyOf(4))).toBeDefined();
  });

  it('takes nothing that is worth half of it, and with no room nothing at all', async () => {
    expect(await keep(await open(10_000), 1, 5001)).toBe(false);
    expect(await keep(await open(0), 2, 1)).toBe(false);
  });

  it('makes room when it is asked to', async () => {
    const cache = await open();
    for (let n = 1; n <= 4; n += 1) await keep(cache, n);
    expect(await cache.makeRoom(1500)).toBe(true);
    expect(await present(cache, [1, 2, 3, 4])).toEqual([3, 4]);
    await cache.makeRoom(1e9);
    expect(await cache.makeRoom(1)).toBe(false);
  });

  it('takes things again soon after its folder was deleted', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    try {
      const cache = await open();
      await rm(folder, { recursive: true });
      vi.advanceTimersByTime(10_000);
      await vi.waitFor(async () => expect(await keep(cache, 1)).toBe(true), 5000);
      expect(await present(cache, [1])).toEqual([1]);
      await cache.close();
    } finally {
      vi.useRealTimers();
    }
  });

  it('leaves alone what is not its own', async () => {
    await mkdir(join(folder, 'ab'));
    await writeFile(join(folder, 'ab', 'notes.txt'), Buffer.alloc(50_000));
    await writeFile(join(folder, 'photo.jpg'), Buffer.alloc(50_000));
    const cache = await open(1000);
    await cache.makeRoom(1e9);
    expect(await readdir(folder)).toEqual(['ab', 'making', 'photo.jpg']);
    expect(await readdir(join(folder, 'ab'))).toEqual(['notes.txt']);
  });
});

it('a folder that cannot be used is named, with what to do', async () => {
  await writeFile(join(folder, 'file'), '');
  const metrics = workerMetrics(new Registry()).cache;
  const opening = TranscodeCache.open({ folder: join(folder, 'file'), capBytes: 1, log: recordingLog().log, metrics, now: Date.now });
  await expect(opening).rejects.toThrow(/The folder for transcodes, .*file, cannot be used .* TRANSCODE_CACHE/);
});

describe('what workers are making', () => {
  const making = async (): Promise<string[]> => readdir(join(folder, 'making'));

  it('goes with them in order, and is cleared away by others when they have died', async () => {
    const child = fork('-', { execArgv: ['-e', '0'], stdio: 'ignore' });
    const deadPid = child.pid;
    await once(child, 'exit');
    const host = hostname().replaceAll(/[^a-zA-Z0-9-]/g, '_');
    const dead = join(folder, 'making', `${host}.${deadPid}.x`);
    const silent = join(folder, 'making', 'elsewhere.1.y');
    const alive = join(folder, 'making', 'elsewhere.1.z');
    for (const one of [dead, silent, alive]) {
      await mkdir(one, { recursive: true });
      await writeFile(join(one, 'in-use'), '');
      await writeFile(join(one, 'half'), Buffer.alloc(100));
    }
    const longAgo = Date.now() / 1000 - 3600;
    await utimes(join(silent, 'in-use'), longAgo, longAgo);
    const [left, right] = [await open(), await open()];
    expect(await making()).toHaveLength(3);
    expect(await making()).toContain('elsewhere.1.z');
    await writeFile(left.temporaryPath(), 'half');
    await left.close();
    expect(await making()).toHaveLength(2);
    await right.close();
    expect(await making()).toEqual(['elsewhere.1.z']);
  });
});
