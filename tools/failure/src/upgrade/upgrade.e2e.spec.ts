import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLongForm } from '@continuo/local-servers/test-form';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowFailures } from '../rows/print-table.js';
import { next, present } from './build.js';
import { rebuildWhileServing } from './rebuild-while-serving.js';
import { rollingUpgrade } from './rolling-upgrade.js';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'continuo-upgrade-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Little traffic; more is for runs by hand (`main.js rolling-upgrade`, `rebuild-while-serving`). */
const traffic = { readers: 2, writers: 1, files: 30 } as const;

describe('a system that is used all the while', () => {
  it.runIf(isLongForm)('is replaced by its next release, replica by replica, and no request fails', { timeout: 1_800_000 }, async () => {
    const report = await rollingUpgrade({
      ...traffic,
      builds: [present, next],
      twice: false,
      home: join(folder, 'upgrade'),
      musicFolder: folder,
    });
    expect(rowFailures(report)).toEqual([]);
    expect(report.figures).toMatchObject({ failed: 0 });
    expect(report.writes).toBeGreaterThan(0);
    expect(report.selfExits).toEqual([]);
  });

  it('has the tables of every projection rebuilt, and no request fails', { timeout: 1_800_000 }, async () => {
    const report = await rebuildWhileServing({ ...traffic, home: join(folder, 'rebuild'), musicFolder: folder });
    expect(rowFailures(report)).toEqual([]);
    expect(report.figures).toMatchObject({ failed: 0 });
  });
});
