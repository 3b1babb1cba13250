import { seededRandom } from '../random/seeded-random.js';
import { rowFailures, tableLines, type RowResult } from '../rows/print-table.js';
import type { Row } from '../rows/row.js';
import { runRow } from '../rows/run-rows.js';
import { rows } from '../rows/table.js';

/** Duration and size of a nightly run. */
export interface Nightly {
  readonly rounds: number;
  readonly seed: number;
  /** Begins nothing new after so many minutes. */
  readonly minutes?: number | undefined;
  readonly folder: string;
  readonly print: (line: string) => void;
}

const LEAST = 4;
const MOST = 10;
const MINUTE_MS = 60_000;

/** Totals of a night. */
interface Sum {
  rounds: number;
  writes: number;
  lost: number;
  doubled: number;
  readonly bad: string[];
  readonly rows: RowResult[];
}

/**
 * Runs all rows in random order until so many rounds are through; everything comes once before anything comes again.
 * Answers whether everything held.
 */
export const nightly = async ({ rounds, seed, minutes = 24 * 60, folder, print }: Nightly): Promise<boolean> => {
  const random = seededRandom(seed);
  const untilMs = Date.now() + minutes * MINUTE_MS;
  const sum: Sum = { rounds: 0, writes: 0, lost: 0, doubled: 0, bad: [], rows: [] };
  let turn: Row[] = [];
  while (sum.rounds < rounds && Date.now() < untilMs) {
    if (turn.length === 0) turn = random.shuffled(rows);
    const row = turn.pop() as Row;
    const part = { rounds: Math.min(random.between(LEAST, MOST), rounds - sum.rounds), seed: random.between(1, 1_000_000) };
    print(`${row.name}, ${part.rounds} rounds, seed ${part.seed}`);
    await runOneRow(row, part, { folder, print }, sum);
    print(`  so far: ${sum.rounds} rounds, ${sum.writes} writes, lost ${sum.lost}, double ${sum.doubled}`);
  }
  for (const line of tableLines(sum.rows)) print(line);
  print(`nightly, seed ${seed}: ${sum.rounds} rounds, ${sum.writes} writes acknowledged, lost ${sum.lost}, double ${sum.doubled}`);
  for (const line of sum.bad) print(`FAIL ${line}`);
  return sum.bad.length === 0;
};

const runOneRow = async (
  row: Row,
  { rounds, seed }: { readonly rounds: number; readonly seed: number },
  { folder, print }: Pick<Nightly, 'folder' | 'print'>,
  sum: Sum,
): Promise<void> => {
  const { name } = row;
  // Some rows take long for one round: their own number is the most.
  const result = await runRow(row, { folder, seed, rounds: Math.min(rounds, row.rounds), say: () => undefined });
  sum.rows.push(result);
  if ('report' in result) {
    sum.rounds += result.report.faults;
    sum.writes += result.report.writes;
    sum.lost += result.report.lost ?? 0;
    sum.doubled += result.report.doubled ?? 0;
    sum.bad.push(...rowFailures(result.report).map(({ check, detail }) => `${name}, seed ${seed}: ${check}: ${detail}`));
  } else if ('failed' in result) sum.bad.push(`${name}, seed ${seed}: ${result.failed}`);
  if ('skipped' in result) print(`  skipped: ${result.skipped}`);
};
