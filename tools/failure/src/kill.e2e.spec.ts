import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { killBatches } from './batches/kill-batches.js';
import { killPlays } from './plays/kill-plays.js';
import { killDownloads } from './downloads/kill-downloads.js';
import { failures } from './report/report.js';
import { killScan } from './scans/kill-scan.js';
import { killTranscodes } from './transcodes/kill-transcodes.js';
import { killWrites } from './writes/kill-writes.js';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'continuo-failure-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Short forms of the scenarios; the long ones are run by hand (`main.js kill-scan`, `kill-writes`, `kill-plays`, `kill-transcodes`, `kill-downloads`, `kill-batches`). */
describe('processes that are killed at random moments', () => {
  it('lose nothing of a scan and double nothing', { timeout: 170_000 }, async () => {
    const report = await killScan({ rounds: 3, files: 300, seed: 5, home: join(folder, 'scan'), musicFolder: folder });
    expect(failures(report)).toEqual([]);
    expect(report.kills).toHaveLength(3);
  });

  it('lose nothing that was acknowledged to writers', { timeout: 170_000 }, async () => {
    const report = await killWrites({ rounds: 4, writers: 3, seed: 5, home: join(folder, 'writes') });
    expect(failures(report)).toEqual([]);
    expect(report.figures['files']).toBeGreaterThan(0);
  });

  it('count every play once that was acknowledged to listeners', { timeout: 170_000 }, async () => {
    const report = await killPlays({ rounds: 4, listeners: 4, seed: 5, home: join(folder, 'plays') });
    expect(failures(report)).toEqual([]);
    expect(report.figures['plays']).toBeGreaterThan(0);
  });

  it('have every medium of a batch made once, and whole', { timeout: 170_000 }, async () => {
    const report = await killTranscodes({ rounds: 4, files: 6, seconds: 30, seed: 5, home: join(folder, 'transcodes') });
    expect(failures(report)).toEqual([]);
    expect(report.figures['transcodes']).toBe(report.figures['wanted']);
  });

  it('have every file of a podcast fetched once, bit for bit', { timeout: 170_000 }, async () => {
    const report = await killDownloads({ rounds: 4, files: 4, seconds: 40, seed: 5, home: join(folder, 'downloads') });
    expect(failures(report)).toEqual([]);
    expect(report.figures['continued']).toBeGreaterThan(0);
  });

  it('leave no atomic batch in part', { timeout: 120_000 }, async () => {
    const report = await killBatches({ rounds: 4, eventsPerBatch: 300, seed: 5, home: join(folder, 'batches') });
    expect(failures(report)).toEqual([]);
    expect(report.figures['acknowledged']).toBeGreaterThan(0);
  });
});
