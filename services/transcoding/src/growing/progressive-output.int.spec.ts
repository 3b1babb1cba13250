import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ProgressiveOutput, type ProgressiveOutputOptions } from './progressive-output.js';
import { SpilledBytes } from './spilled-bytes.js';

let home: string;
let made = 0;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'continuo-growing-'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

const create = (options: Partial<ProgressiveOutputOptions> = {}): Promise<ProgressiveOutput> =>
  ProgressiveOutput.create({
    path: join(home, `growing-${(made += 1)}`),
    makeRoom: async () => false,
    onSpill: () => undefined,
    onTrim: () => undefined,
    ...options,
  });
const piece = (n: number, length = 1000): Buffer => Buffer.alloc(length, n);

describe('growing bytes', () => {
  it('reach everybody who follows, whenever they come', async () => {
    const bytes = await create();
    const early = buffer(bytes.follow()!);
    await bytes.append(piece(1));
    const later = buffer(bytes.follow()!);
    await delay(20);
    await bytes.append(piece(2));
    bytes.finish();
    const last = buffer(bytes.follow()!);
    await bytes.leave();
    const whole = Buffer.concat([piece(1), piece(2)]);
    expect(await Promise.all([early, later, last])).toEqual([whole, whole, whole]);
    expect(bytes.isKept).toBe(true);
  });

  it('fail for those who follow when their making fails', async () => {
    const bytes = await create();
    const heard = buffer(bytes.follow()!);
    await bytes.append(piece(1));
    bytes.finish(new Error('broken'));
    await expect(heard).rejects.toThrow('broken');
    await bytes.leave();
  });

  it('are given to somebody who goes in the middle, and then to others', async () => {
    const bytes = await create();
    const gone = bytes.follow()!;
    await bytes.append(piece(1));
    gone.once('data', () => gone.destroy());
    await new Promise((resolve) => gone.once('close', resolve));
    await bytes.append(piece(2));
    bytes.finish();
    expect((await buffer(bytes.follow()!)).length).toBe(2000);
    await bytes.leave();
  });

  it('are not given to who comes when everybody has left: their file is found elsewhere', async () => {
    const bytes = await create();
    await bytes.append(piece(1));
    bytes.finish();
    await bytes.leave();
    expect(bytes.follow()).toBeUndefined();
  });

  it('can be corrected in the file', async () => {
    const path = join(home, 'corrected');
    const bytes = await create({ path });
    await bytes.append(piece(1, 10));
    await bytes.patch(4, Buffer.from([9]));
    expect([...(await bytes.peek(3, 3))]).toEqual([1, 9, 1]);
    bytes.finish();
    await bytes.sync();
    await bytes.leave();
    expect((await readFile(path))[4]).toBe(9);
  });
});

describe('growing bytes that no disk takes', () => {
  const full = { path: '/nowhere/at/all' };

  it('go through memory', async () => {
    const onSpill = vi.fn<(error: unknown) => void>();
    const bytes = await create({ ...full, onSpill });
    const [left, right] = [buffer(bytes.follow()!), buffer(bytes.follow()!)];
    for (let n = 0; n < 10; n += 1) await bytes.append(piece(n));
    bytes.finish();
    expect((await left).equals(await right)).toBe(true);
    expect((await left).length).toBe(10_000);
    expect(bytes.isKept).toBe(false);
    expect(onSpill).toHaveBeenCalledTimes(1);
    await bytes.leave();
  });

  it('wait for the slowest listener, and let nobody join whose beginning has gone', async () => {
    const onTrim = vi.fn<() => void>();
    const bytes = await create({ ...full, onTrim });
    const follower = bytes.follow()!;
    let written = 0;
    const writing = (async () => {
      for (let n = 0; n < 40; n += 1) {
        await bytes.append(piece(n, 1 << 20));
        written += 1;
      }
      bytes.finish();
    })();
    await delay(50);
    expect(written).toBeLessThan(10);
    expect((await buffer(follower)).length).toBe(40 << 20);
    await writing;
    expect(onTrim).toHaveBeenCalledTimes(1);
    expect(bytes.follow()).toBeUndefined();
    await bytes.leave();
  });

  it('hold up nobody once there is no listener any more', async () => {
    const bytes = await create(full);
    const writing = (async () => {
      for (let n = 0; n < 10; n += 1) await bytes.append(piece(n, 1 << 20));
    })();
    await delay(20);
    bytes.finish(new Error('given up'));
    await writing;
    await bytes.leave();
  });
});

it('spilled bytes are found by their position in the stream', async () => {
  const spilled = new SpilledBytes(100, 6);
  await Promise.all([spilled.add(Buffer.from('abc')), spilled.add(Buffer.from('def'))]);
  expect([spilled.at(100), spilled.at(102), spilled.at(104)].map(String)).toEqual(['abc', 'c', 'ef']);
  expect(spilled.at(106)).toBeUndefined();
  expect(spilled.endBytes).toBe(106);
  spilled.trim(105);
  expect(spilled.isTrimmed).toBe(true);
  expect(String(spilled.at(103))).toBe('def');
  expect(spilled.endBytes).toBe(106);
});
