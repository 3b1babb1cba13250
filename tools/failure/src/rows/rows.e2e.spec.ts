import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLongForm } from '@continuo/local-servers/test-form';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { missing } from './needs.js';
import { isRebuiltEqual, rowFailures } from './print-table.js';
import { rows } from './table.js';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'continuo-rows-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Rows of the table with few rounds, some beside each other: mostly they wait for servers. `main.js table` runs all of it, `main.js nightly` all night. */
describe.concurrent.each(rows.filter(({ testRounds, isInShortForm }) => testRounds !== undefined && (isLongForm || isInShortForm)))(
  '$event',
  ({ name, needs, testRounds = 1, testFigures = [], run }) => {
    it('loses and doubles nothing', { timeout: 400_000 }, async (context) => {
      const without = await missing(needs);
      if (without !== undefined) return context.skip(without);
      const report = await run({ home: join(folder, name), seed: 7, rounds: testRounds, isShort: true });
      expect(rowFailures(report)).toEqual([]);
      expect([report.lost ?? 0, report.doubled ?? 0]).toEqual([0, 0]);
      expect(isRebuiltEqual(report)).not.toBe(false);
      for (const figure of testFigures) expect(report.figures[figure]).toBeGreaterThan(0);
      expect(report.writes).toBeGreaterThan(0);
      expect(report.faults).toBeGreaterThan(0);
    });
  },
);
