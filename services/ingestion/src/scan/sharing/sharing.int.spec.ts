import { copyFile, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type CatalogId, SCAN_OFFER_SUBJECT, type HelperAnswer, type HelperMessage, type ScanOffer } from '@continuo/contracts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeMediaFile } from '../../../test/media-files.js';
import { ScanBench } from '../../../test/scan-bench.js';

const FOLDERS = 120;

let bench: ScanBench;
let base: string;
let root: string;
let catalog: CatalogId;
let nextCatalog = 1;
/** Messages of helpers, in order. */
let said: HelperMessage[] = [];
let stopListening: () => void;

beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'continuo-samples-')));
  await makeMediaFile({ path: join(base, 'a.mp3'), tags: { artist: 'One', album: 'First', title: 'A' } });
  bench = await ScanBench.start();
  const listening = bench.deps.nats.subscribe('scan.parts.*', {
    callback: (_error, message) => {
      said.push(message.json<HelperMessage>());
    },
  });
  stopListening = () => listening.unsubscribe();
});
afterAll(async () => {
  stopListening();
  await bench.stop();
  await rm(base, { recursive: true, force: true });
});
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'continuo-catalog-')));
  for (let at = 0; at < FOLDERS; at += 1) {
    await mkdir(join(root, `f${at}`));
    await copyFile(join(base, 'a.mp3'), join(root, `f${at}`, 'a.mp3'));
    await copyFile(join(base, 'a.mp3'), join(root, `f${at}`, 'b.mp3'));
  }
  catalog = await bench.library.addCatalog(nextCatalog++, root);
  said = [];
  // A library that takes its time leaves work for others.
  bench.library.beforeRecord = () => delay(40);
});
afterEach(async () => {
  bench.library.beforeRecord = () => undefined;
  await rm(root, { recursive: true, force: true });
});

const songs = async (): Promise<number> => (await bench.library.songs(catalog)).length;
const saidOf = (say: HelperMessage['say']): number => said.filter((one) => one.say === say).length;

describe('two workers', () => {
  it('share one scan by its folders, and count it as one', async () => {
    const second = await bench.replica();
    try {
      bench.library.beforeRecord = () => delay(200);
      expect(await bench.scan(catalog)).toMatchObject({ state: 'finished', songs_added: FOLDERS * 2, files_seen: FOLDERS * 2 });
      expect(await songs()).toBe(FOLDERS * 2);
      await expect.poll(() => saidOf('done'), { timeout: 10_000 }).toBeGreaterThan(0);
      bench.library.records.length = 0;
      expect(await bench.scan(catalog)).toMatchObject({ state: 'finished', songs_added: 0, songs_changed: 0 });
      expect(bench.library.records).toEqual([]);
    } finally {
      await second.stop();
    }
  });

  it('go on as one when the other leaves in the middle', async () => {
    const second = await bench.replica();
    bench.library.beforeRecord = () => delay(200);
    const { scanId } = await bench.startScan(catalog);
    await expect.poll(() => saidOf('give'), { timeout: 20_000 }).toBeGreaterThan(0);
    await second.stop();
    expect(await bench.ended(scanId)).toMatchObject({ state: 'finished' });
    expect(await songs()).toBe(FOLDERS * 2);
  });
});

describe('a helper that takes folders and dies', () => {
  it('loses them to the worker of the scan', async () => {
    const { nats } = bench.deps;
    let taken: HelperAnswer | undefined;
    const offers = nats.subscribe(SCAN_OFFER_SUBJECT, {
      callback: (_error, message) => {
        const { subject } = message.json<ScanOffer>();
        offers.unsubscribe();
        const give: HelperMessage = { say: 'give', helper: 'dies soon' };
        void nats.request(subject, JSON.stringify(give)).then((reply) => (taken = reply.json<HelperAnswer>()));
      },
    });
    await nats.flush();
    bench.library.beforeRecord = () => delay(200);
    const { scanId } = await bench.startScan(catalog);
    expect(await bench.ended(scanId)).toMatchObject({ state: 'finished', songs_added: FOLDERS * 2 });
    expect(taken?.plans?.length).toBeGreaterThan(0);
    expect(await songs()).toBe(FOLDERS * 2);
  });
});

describe('a scan that is cancelled', () => {
  it('takes its helpers with it', async () => {
    const second = await bench.replica();
    try {
      const gate = Promise.withResolvers<undefined>();
      bench.library.beforeRecord = () => gate.promise;
      const { scanId } = await bench.startScan(catalog);
      await expect.poll(() => saidOf('alive'), { timeout: 20_000 }).toBeGreaterThan(0);
      await bench.cancelScan(scanId);
      expect(await bench.ended(scanId)).toMatchObject({ state: 'cancelled' });
      const heard = said.length;
      await expect.poll(() => said.slice(heard).length, { timeout: 20_000 }).toBeGreaterThan(0);
      gate.resolve(undefined);
      // Sent records are kept; folders that were not begun stay unread.
      await expect.poll(() => saidOf('failed'), { timeout: 20_000 }).toBeGreaterThan(0);
      expect(await songs()).toBeLessThan(FOLDERS * 2);
    } finally {
      await second.stop();
    }
  });
});
