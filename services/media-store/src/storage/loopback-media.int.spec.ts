import { Readable } from 'node:stream';
import { Rejection } from '@continuo/contracts';
import { afterAll, describe, expect, it } from 'vitest';
import type { FileStorage } from './file-storage.js';
import { isLoopbackMedia, LoopbackMedia } from './loopback-media.js';

const content = Buffer.from('0123456789');
const asked: string[] = [];
const storage = {
  stat: async () => ({ sizeBytes: content.length, mtimeMs: 1 }),
  read: async (path: string, part?: { start: number; end?: number }) => {
    asked.push(path);
    if (path === 'gone.mp3') throw new Rejection('media.not-found');
    if (path === 'away.mp3') throw new Rejection('unavailable', 'the secret of the storage');
    const { start = 0, end = content.length - 1 } = part ?? {};
    if (start >= content.length) throw new Rejection('media.range');
    const last = Math.min(end, content.length - 1);
    return { body: Readable.from([content.subarray(start, last + 1)]), start, end: last, sizeBytes: content.length };
  },
} as unknown as FileStorage;
const roots: string[] = [];
const media = new LoopbackMedia(async (root) => {
  roots.push(root);
  return storage;
});
afterAll(() => media.close());

const get = async (address: string, range?: string): Promise<{ status: number; range: string | null; text: string }> => {
  const answer = await fetch(address, range ? { headers: { range } } : {});
  return { status: answer.status, range: answer.headers.get('content-range'), text: await answer.text() };
};

describe('an address of this machine', () => {
  it('gives the file, and any part of it', async () => {
    const address = await media.addressOf('s3://music', 'Ä b/c d.mp3');
    expect(isLoopbackMedia(address)).toBe(true);
    expect(address).toMatch(/\.mp3$/);
    expect(await get(address)).toEqual({ status: 200, range: null, text: '0123456789' });
    expect(await get(address, 'bytes=2-4')).toEqual({ status: 206, range: 'bytes 2-4/10', text: '234' });
    expect(await get(address, 'bytes=8-')).toEqual({ status: 206, range: 'bytes 8-9/10', text: '89' });
    expect(await get(address, 'bytes=10-')).toMatchObject({ status: 416 });
    expect((await fetch(address, { method: 'HEAD' })).headers.get('content-length')).toBe('10');
    expect([new Set(roots), new Set(asked)]).toEqual([new Set(['s3://music']), new Set(['Ä b/c d.mp3'])]);
  });

  it('tells a file that is gone from storage that is unavailable, and nothing else', async () => {
    expect(await get(await media.addressOf('s3://music', 'gone.mp3'))).toEqual({ status: 404, range: null, text: '' });
    expect(await get(await media.addressOf('s3://music', 'away.mp3'))).toEqual({ status: 502, range: null, text: '' });
  });

  it('opens that one file, and none that somebody makes up', async () => {
    const address = new URL(await media.addressOf('s3://music', 'a.mp3'));
    const other = Buffer.from(JSON.stringify(['s3://music', 'b.mp3'])).toString('base64url');
    const [, signature] = address.pathname.split('/');
    asked.length = 0;
    for (const path of [`/${signature}/${other}.mp3`, `/x/${other}.mp3`, `//${other}`, '/', `/${signature}`, '/%00/x'])
      expect(await get(`${address.origin}${path}`)).toMatchObject({ status: 404 });
    const stranger = new LoopbackMedia(() => Promise.resolve(storage));
    const foreign = new URL(await stranger.addressOf('s3://music', 'a.mp3'));
    expect(await get(new URL(foreign.pathname, address).href)).toMatchObject({ status: 404 });
    await stranger.close();
    expect(asked).toEqual([]);
  });
});
