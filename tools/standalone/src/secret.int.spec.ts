import { mkdtemp, rm, stat } from 'node:fs/promises';
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
  const [first, other] = await Promise.all(folders.map(keptSecret));
  expect(first).toMatch(/^[0-9a-f]{64}$/);
  expect(other).not.toBe(first);
  expect(await keptSecret(folders[0] ?? '')).toBe(first);
  expect((await stat(secretFileOf(folders[0] ?? ''))).mode & 0o777).toBe(0o600);
});
