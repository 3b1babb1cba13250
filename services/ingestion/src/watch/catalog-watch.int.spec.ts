import { mkdir, mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { RootUnusable } from '../walk/walk.js';
import { CatalogWatch, ChangedDuringCheck } from './catalog-watch.js';
import type { Touched } from './changed-paths.js';

const PATIENCE = { timeout: 40_000, interval: 20 };

let root: string;
let watch: CatalogWatch;
let told: (Touched | 'all')[];
let fault: Error | undefined;
/** Paths of each removal check, and its effect. */
let settled: Touched[];
let whenSettling: (stillQuiet: () => Promise<void>) => Promise<void>;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'continuo-watch-')));
  told = [];
  fault = undefined;
  settled = [];
  whenSettling = (stillQuiet) => stillQuiet();
  const onQuiet = async (touched: Touched, stillQuiet: () => Promise<void>): Promise<void> => {
    await whenSettling(stillQuiet);
    settled.push(touched);
  };
  const onNew = async (touched: Touched | 'all'): Promise<void> => {
    told.push(touched);
    if (fault) throw fault;
  };
  watch = new CatalogWatch({ root, quietMs: 50, onNew, onQuiet, log: pino({ level: 'silent' }) });
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

it('retries failed paths together with the next change', async () => {
  fault = new Error('the disk is full');
  await writeFile(join(root, 'a.mp3'), 'a');
  await expect.poll(lastNames, PATIENCE).toEqual(['a.mp3']);
  fault = undefined;
  await writeFile(join(root, 'b.mp3'), 'b');
  await expect.poll(lastNames, PATIENCE).toEqual(['a.mp3', 'b.mp3']);
  await writeFile(join(root, 'c.mp3'), 'c');
  await expect.poll(lastNames, PATIENCE).toEqual(['c.mp3']);
});

it('does not scan an unusable root until it is back', async () => {
  fault = new RootUnusable('it is bare');
  await writeFile(join(root, 'a.mp3'), 'a');
  await expect.poll(lastNames, PATIENCE).toEqual(['a.mp3']);
  fault = undefined;
  await writeFile(join(root, 'b.mp3'), 'b');
  await expect.poll(lastNames, PATIENCE).toEqual(['b.mp3']);
});

it('checks for removed files after new ones are scanned, and aborts when another change happens', async () => {
  await mkdir(join(root, 'y'));
  await expect.poll(() => settled.at(-1)?.trees, PATIENCE).toEqual(['y']);
  let refused: unknown;
  // Between finding that something is gone and recording it.
  whenSettling = async (stillQuiet) => {
    whenSettling = (quiet) => quiet();
    await rename(join(root, 'z'), join(root, 'w'));
    await stillQuiet().catch((error: unknown) => {
      refused = error;
      throw error;
    });
  };
  settled = [];
  await rename(join(root, 'y'), join(root, 'z'));
  await expect.poll(() => settled, PATIENCE).toHaveLength(1);
  expect(refused).toBeInstanceOf(ChangedDuringCheck);
  expect(settled[0]?.trees).toEqual(['w', 'y', 'z']);
  // The place that it moved on to was looked at before.
  expect(told.some((one) => one !== 'all' && one.trees.includes('w'))).toBe(true);
});

it('scans changes made during a scan before checking for removed files', async () => {
  const order: string[] = [];
  await watch.close();
  const names = (touched: Touched | 'all'): string => (touched === 'all' ? 'all' : touched.trees.join('+'));
  watch = new CatalogWatch({
    root,
    quietMs: 50,
    onNew: async (touched) => {
      order.push(`new ${names(touched)}`);
      if (order.length === 1) await rename(join(root, 'y'), join(root, 'z'));
      if (order.length === 2) await rename(join(root, 'z'), join(root, 'w'));
    },
    onQuiet: async (touched) => {
      order.push(`gone ${names(touched)}`);
    },
    log: pino({ level: 'silent' }),
  });
  await watch.ready();
  await mkdir(join(root, 'y'));
  await expect.poll(() => order, PATIENCE).toEqual(['new y', 'new y+z', 'new w+z', 'gone w+y+z']);
});
