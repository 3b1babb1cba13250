import { join } from 'node:path';
import { killBatches } from '../batches/kill-batches.js';
import { killDownloads } from '../downloads/kill-downloads.js';
import { killPlays } from '../plays/kill-plays.js';
import { seededRandom } from '../random/seeded-random.js';
import { failures, reportLines, writeReport, type Report } from '../report/report.js';
import { isGood, rowFailures, tableLines, type RowResult } from '../rows/print-table.js';
import { runRow } from '../rows/run-rows.js';
import { rows } from '../rows/table.js';
import { killScan } from '../scans/kill-scan.js';
import { killTranscodes } from '../transcodes/kill-transcodes.js';
import { killWrites } from '../writes/kill-writes.js';

/** How long and how much. */
export interface Nightly {
  readonly rounds: number;
  readonly seed: number;
  /** Begins nothing new after so many minutes. */
  readonly minutes?: number | undefined;
  readonly folder: string;
  readonly print: (line: string) => void;
}

interface Part {
  readonly rounds: number;
  readonly seed: number;
  readonly home: string;
  readonly folder: string;
}

const scenarios: Readonly<Record<string, (part: Part) => Promise<Report>>> = {
  'kill-writes': (part) => killWrites({ ...part, writers: 5 }),
  'kill-plays': (part) => killPlays({ ...part, listeners: 6 }),
  'kill-scan': (part) => killScan({ ...part, files: 600, musicFolder: part.folder }),
  'kill-transcodes': (part) => killTranscodes({ ...part, files: 6, seconds: 30 }),
  'kill-downloads': (part) => killDownloads({ ...part, files: 5, seconds: 40 }),
  'kill-batches': (part) => killBatches({ ...part, eventsPerBatch: 200 }),
};

const LEAST = 4;
const MOST = 10;
const MINUTE_MS = 60_000;

/** What a night adds up to. */
interface Sum {
  rounds: number;
  writes: number;
  lost: number;
  doubled: number;
  readonly bad: string[];
  readonly rows: RowResult[];
}

/**
 * Kills over all scenarios and rows in random order until so many rounds are through; everything comes once before anything comes again.
 * Answers whether everything held.
 */
export const nightly = async ({ rounds, seed, minutes = 24 * 60, folder, print }: Nightly): Promise<boolean> => {
  const random = seededRandom(seed);
  const untilMs = Date.now() + minutes * MINUTE_MS;
  const sum: Sum = { rounds: 0, writes: 0, lost: 0, doubled: 0, bad: [], rows: [] };
  let turn: string[] = [];
  while (sum.rounds < rounds && Date.now() < untilMs) {
    if (turn.length === 0) turn = random.shuffled([...Object.keys(scenarios), ...rows.map(({ name }) => name)]);
    const name = turn.pop() as string;
    const part = { rounds: Math.min(random.between(LEAST, MOST), rounds - sum.rounds), seed: random.between(1, 1_000_000) };
    print(`${name}, ${part.rounds} rounds, seed ${part.seed}`);
    await (name in scenarios
      ? runScenario(name, { ...part, folder, home: join(folder, name) }, sum, print)
      : runOneRow(name, part, { folder, print }, sum));
    print(`  so far: ${sum.rounds} rounds, ${sum.writes} writes, lost ${sum.lost}, double ${sum.doubled}`);
  }
  for (const line of tableLines(sum.rows)) print(line);
  print(`nightly, seed ${seed}: ${sum.rounds} rounds, ${sum.writes} writes acknowledged, lost ${sum.lost}, double ${sum.doubled}`);
  for (const line of sum.bad) print(`FAIL ${line}`);
  return sum.bad.length === 0;
};

const runScenario = async (name: string, part: Part, sum: Sum, print: (line: string) => void): Promise<void> => {
  try {
    const report = await (scenarios[name] as (part: Part) => Promise<Report>)(part);
    await writeReport(part.folder, report);
    sum.rounds += report.kills.length;
    const acknowledged = report.figures['acknowledged'] ?? report.figures['transcodes'] ?? report.figures['files'];
    sum.writes += typeof acknowledged === 'number' ? acknowledged : 0;
    const bad = failures(report);
    if (bad.length > 0) for (const line of reportLines(report)) print(`  ${line}`);
    sum.bad.push(...bad.map(({ check, detail }) => `${name}, seed ${part.seed}: ${check}: ${detail}`));
  } catch (error) {
    // The night goes on; what did not come to its end counts as failed.
    sum.bad.push(`${name}, seed ${part.seed}: ${error instanceof Error ? error.message : String(error)}`);
  }
};

const runOneRow = async (
  name: string,
  { rounds, seed }: { readonly rounds: number; readonly seed: number },
  { folder, print }: Pick<Nightly, 'folder' | 'print'>,
  sum: Sum,
): Promise<void> => {
  const row = rows.find((one) => one.name === name);
  if (!row) throw new Error(`there is no row ${name}`);
  // Some rows take long for one round: their own number is the most.
  const result = await runRow(row, { folder, seed, rounds: Math.min(rounds, row.rounds), say: () => undefined });
  sum.rows.push(result);
  if ('report' in result) {
    sum.rounds += result.report.faults;
    sum.writes += result.report.writes;
    sum.lost += result.report.lost;
    sum.doubled += result.report.doubled;
    sum.bad.push(...rowFailures(result.report).map(({ check, detail }) => `${name}, seed ${seed}: ${check}: ${detail}`));
  } else if (!isGood(result) && 'failed' in result) sum.bad.push(`${name}, seed ${seed}: ${result.failed}`);
  if ('skipped' in result) print(`  skipped: ${result.skipped}`);
};
