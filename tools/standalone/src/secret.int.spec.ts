import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { keptSecret, secretFileOf } from './secret.js';

let folders: string[];

beforeAll(async () => {
  folders = await Promise.all([0, 1].map(() => mkdtemp(join(tmpdir(), 'continuo-secret-'))));
});
afterAll(async () => {
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
});

it('is made up at the first start, kept, of 256 bits, and nobody else may read it', async () => {
  const [first, other] = await Promise.all(folders.map((folder) => keptSecret(folder)));
  expect(first?.secret).toMatch(/^[0-9a-f]{64}$/);
  expect(other).not.toEqual(first);
  expect(await keptSecret(folders[0] ?? '')).toEqual(first);
  expect((await stat(secretFileOf(folders[0] ?? ''))).mode & 0o777).toBe(0o600);
});

it('comes with the one before it while a change is under way, and is never made up in the place of a lost one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'continuo-secret-'));
  folders.push(folder);
  await writeFile(secretFileOf(folder), 'new\nold\n');
  expect(await keptSecret(folder)).toEqual({ secret: 'new', previous: 'old' });
  await writeFile(secretFileOf(folder), '\n');
  await expect(keptSecret(folder)).rejects.toThrow(/is empty/);
  await rm(secretFileOf(folder));
  await mkdir(join(folder, 'nats'));
  await expect(keptSecret(folder)).rejects.toThrow(/is missing.*put it back/);
  await expect(stat(secretFileOf(folder))).rejects.toThrow(/ENOENT/);
  expect((await keptSecret(folder, true)).secret).toMatch(/^[0-9a-f]{64}$/);
});
