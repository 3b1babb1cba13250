import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CatalogId } from '@continuo/contracts';
import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ScanBench } from '../../test/scan-bench.js';
import { ScanSchedule } from './scan-schedule.js';

let bench: ScanBench;
let root: string;
let started: CatalogId[] = [];

beforeAll(async () => {
  bench = await ScanBench.start();
  root = await mkdtemp(join(tmpdir(), 'continuo-scheduled-'));
  for (const id of [1, 2, 3]) await bench.library.addCatalog(id, join(root, String(id)));
  await sql`update library.catalog set enabled = false where id = 2`.execute(bench.library.db);
  await sql`update library.catalog set gather_types = 'podcast' where id = 3`.execute(bench.library.db);
});
afterAll(async () => {
  await bench.stop();
  await rm(root, { recursive: true, force: true });
});
beforeEach(async () => {
  started = [];
  await sql`delete from ingestion.schedule`.execute(bench.db);
});

const schedule = (expression = '* * * * *'): ScanSchedule =>
  new ScanSchedule({
    db: bench.deps.db,
    log: pino({ level: 'silent' }),
    defaultExpression: expression,
    timeZone: 'UTC',
    start: async (id) => void started.push(id),
    lookIntervalMs: 1000,
  });
const lastTurnWas = (agoMs: number) =>
  sql`update ingestion.schedule set last_turn_at_ms = (extract(epoch from clock_timestamp()) * 1000)::bigint - ${agoMs}`.execute(bench.db);

describe('the schedule of scans', () => {
  it('begins when it is new, and scans what is enabled when its turn has come, once however often it was missed', async () => {
    const clock = schedule('0 * * * *');
    expect(await clock.look()).toBe(false);
    await lastTurnWas(5 * 3_600_000);
    expect(await clock.look()).toBe(true);
    expect(await clock.look()).toBe(false);
    expect(started).toEqual([1]);
  });
  it('is that of a catalog where it has one of its own', async () => {
    const own = (text: string | null) => sql`update library.catalog set scan_schedule = ${text} where id = 1`.execute(bench.library.db);
    const [always, never] = [schedule('0 * * * *'), schedule('')];
    for (const [text, clock, turns] of [
      ['0 * * * *', never, [1]],
      ['', always, []],
      [null, always, [1]],
      [null, never, []],
    ] as const) {
      started = [];
      await own(text);
      await clock.look();
      await lastTurnWas(2 * 3_600_000);
      await clock.look();
      expect(started).toEqual(turns);
    }
  });
  it('takes each turn in one worker', async () => {
    const workers = Array.from({ length: 8 }, () => schedule('0 * * * *'));
    await workers[0]?.look();
    await lastTurnWas(2 * 3_600_000);
    const taken = await Promise.all(workers.map((one) => one.look()));
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(started).toEqual([1]);
  });
});
