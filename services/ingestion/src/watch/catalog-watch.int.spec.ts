import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { RootUnusable } from '../walk/walk.js';
import { CatalogWatch } from './catalog-watch.js';
import type { Touched } from './touched-places.js';

const PATIENCE = { timeout: 40_000, interval: 20 };

let root: string;
let watch: CatalogWatch;
let told: (Touched | 'all')[];
let fault: Error | undefined;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'continuo-watch-')));
  told = [];
  fault = undefined;
  const onQuiet = async (touched: Touched | 'all'): Promise<void> => {
    told.push(touched);
    if (fault) throw fault;
  };
  watch = new CatalogWatch({ root, quietMs: 50, onQuiet, log: pino({ level: 'silent' }) });
  await watch.ready();
});
afterEach(async () => {
  await watch.close();
  await rm(root, { recursive: true, force: true });
});

/** Names of the files that the last look was about. */
const lastNames = (): string[] => {
  const last = told.at(-1);
  return last === undefined || last === 'all' ? [] : [...(last.files.get('') ?? [])].toSorted();
};

it('what could not be looked at is looked at again, with what happens next', async () => {
  fault = new Error('the disk is full');
  await writeFile(join(root, 'a.mp3'), 'a');
  await expect.poll(lastNames, PATIENCE).toEqual(['a.mp3']);
  fault = undefined;
  await writeFile(join(root, 'b.mp3'), 'b');
  await expect.poll(lastNames, PATIENCE).toEqual(['a.mp3', 'b.mp3']);
  await writeFile(join(root, 'c.mp3'), 'c');
  await expect.poll(lastNames, PATIENCE).toEqual(['c.mp3']);
});

it('a root that cannot be used is not looked at until it is back', async () => {
  fault = new RootUnusable('it is bare');
  await writeFile(join(root, 'a.mp3'), 'a');
  await expect.poll(lastNames, PATIENCE).toEqual(['a.mp3']);
  fault = undefined;
  await writeFile(join(root, 'b.mp3'), 'b');
  await expect.poll(lastNames, PATIENCE).toEqual(['b.mp3']);
});
