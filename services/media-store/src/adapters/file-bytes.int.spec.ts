import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { openSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FileBytes, type FilePart } from './file-bytes.js';

const SIZE = 3_000_017;
let folder = '';
let server: http.Server;
let part: FilePart | undefined;
const files: Buffer[] = [];
const path = (index: number): string => join(folder, `${index}.bin`);
const open = (index: number, of?: FilePart): FileBytes => new FileBytes(openSync(path(index), 'r'), of);
const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'file-bytes-'));
  for (let index = 0; index < 4; index += 1) {
    files.push(randomBytes(SIZE));
    writeFileSync(path(index), files[index] as Buffer);
  }
  server = http.createServer((request, answer) => {
    const bytes = open(Number(request.url?.slice(1)), part);
    bytes.once('error', () => answer.destroy());
    answer.once('close', () => bytes.destroy());
    bytes.pipe(answer);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true, force: true });
});

const base = (): string => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen');
  return `http://127.0.0.1:${address.port}/`;
};
const openFiles = async (): Promise<number> => {
  const links = await Promise.all((await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
  return links.filter((link) => link.startsWith(folder)).length;
};

describe('the bytes of a file', () => {
  it.each([undefined, { start: 0, end: 0 }, { start: 5, end: 1_000_000 }, { start: SIZE - 3, end: SIZE - 1 }])(
    'come as they are: %j',
    async (of) => {
      const expected = of ? (files[0] as Buffer).subarray(of.start, of.end + 1) : (files[0] as Buffer);
      expect((await buffer(open(0, of))).equals(expected)).toBe(true);
      expect((await buffer(open(0, of).pipe(new PassThrough()))).equals(expected)).toBe(true);
      part = of;
      expect(Buffer.from(await (await fetch(`${base()}0`)).arrayBuffer()).equals(expected)).toBe(true);
      part = undefined;
      await expect.poll(openFiles).toBe(0);
    },
  );
  it('do not mix, however many are sent at once and at whatever pace they are taken', async () => {
    const slowly = async (index: number): Promise<string> => {
      const [response] = (await once(http.get(`${base()}${index}`), 'response')) as [http.IncomingMessage];
      const hash = createHash('sha256');
      for await (const chunk of response) {
        hash.update(chunk as Buffer);
        if (Math.random() < 0.02) await new Promise((resolve) => setTimeout(resolve, 3));
      }
      return hash.digest('hex');
    };
    const indexes = Array.from({ length: 40 }, (_, turn) => turn % 4);
    expect(await Promise.all(indexes.map(slowly))).toEqual(indexes.map((index) => digest(files[index] as Buffer)));
    await expect.poll(openFiles).toBe(0);
  });
  it('give their file back when the client goes away', async () => {
    for (let turn = 0; turn < 30; turn += 1) {
      const request = http.get(`${base()}0`);
      const [response] = (await once(request, 'response')) as [http.IncomingMessage];
      if (turn % 2 === 0) await once(response, 'data');
      request.destroy();
    }
    await expect.poll(openFiles).toBe(0);
  });
  it('break off when the file has become shorter than what was promised', async () => {
    writeFileSync(join(folder, '9.bin'), randomBytes(1000));
    const bytes = new FileBytes(openSync(join(folder, '9.bin'), 'r'), { start: 0, end: 999 });
    truncateSync(join(folder, '9.bin'), 500);
    await expect(buffer(bytes)).rejects.toThrow('shorter');
    part = { start: 0, end: SIZE };
    await expect(fetch(`${base()}0`).then((response) => response.arrayBuffer())).rejects.toThrow(/terminated|failed/);
    part = undefined;
    await expect.poll(openFiles).toBe(0);
  });
});
