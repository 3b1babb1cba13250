import { mkdtemp, readdir, readFile, readlink, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openBackupArchive } from './backup-archive.js';

const LARGE_BYTES = 256 * 1024 * 1024;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'continuo-archive-'));
  const file = { path: 'large', sizeBytes: LARGE_BYTES, contentBytes: 1, sha256: 'a'.repeat(64) };
  const state = { messages: 1, first_seq: 1, last_seq: 1 };
  const manifest = {
    format: 1,
    id: 'a',
    product: { name: 'continuo', version: '1' },
    startedAt: '2026-11-23T01:00:00.000Z',
    finishedAt: '2026-11-23T01:00:01.000Z',
    secret: { salt: 's', check: 'c' },
    events: {},
    nats: '2.12.0',
    streams: [{ name: 'EV_LIBRARY', config: { name: 'EV_LIBRARY' }, state, snapshot: file, consumers: [] }],
    deletedAccounts: [],
  };
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'large'), '');
  await truncate(join(folder, 'large'), LARGE_BYTES);
});
afterEach(() => rm(folder, { recursive: true }));

/** Position of this process in the large file, bytes; undefined while it is not open. */
const positionInFile = async (): Promise<number | undefined> => {
  for (const descriptor of await readdir('/proc/self/fd')) {
    const path = await readlink(`/proc/self/fd/${descriptor}`).catch(() => '');
    if (path !== join(folder, 'large')) continue;
    return Number(/pos:\s*(\d+)/.exec(await readFile(`/proc/self/fdinfo/${descriptor}`, 'utf8'))?.[1]);
  }
  return undefined;
};

it.runIf(process.platform === 'linux')('reads no further than its reader, and closes its file when that leaves', async () => {
  const archive = await openBackupArchive(folder);
  const reading = archive[Symbol.asyncIterator]();
  await reading.next();
  await reading.next();
  await expect.poll(positionInFile).toBeGreaterThan(0);
  await sleep(200);
  expect(await positionInFile()).toBeLessThan(4 * 1024 * 1024);
  archive.destroy();
  await expect.poll(positionInFile).toBeUndefined();
});

it('fails when a file is not as long as the manifest says', async () => {
  await truncate(join(folder, 'large'), 1000);
  await expect((await openBackupArchive(folder)).toArray()).rejects.toThrow('Size mismatch');
  await rm(join(folder, 'large'));
  await expect((await openBackupArchive(folder)).toArray()).rejects.toThrow('ENOENT');
});
