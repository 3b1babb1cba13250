import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { formatTable, type Cell } from '@continuo/continuo-cli';

/** One measured value, with what was asked for where there is a budget. */
export interface Measurement {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** `atLeast` or `atMost` what; absent for values that only explain others. */
  readonly budget?: { readonly atLeast: number } | { readonly atMost: number };
  readonly note?: string;
}

/** Measurements of one benchmark. */
export interface BenchmarkResult {
  readonly benchmark: string;
  readonly measurements: readonly Measurement[];
}

/** Whether a value keeps its budget; undefined without one. */
export const keepsBudget = ({ value, budget }: Measurement): boolean | undefined => {
  if (!budget) return undefined;
  return 'atLeast' in budget ? value >= budget.atLeast : value <= budget.atMost;
};

const rounded = (value: number): number => (Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3)));

const budgetText = ({ budget }: Measurement): string => (!budget ? '' : 'atLeast' in budget ? `≥ ${budget.atLeast}` : `≤ ${budget.atMost}`);

const verdict = (measurement: Measurement): string =>
  ({ true: 'kept', false: 'MISSED', undefined: '' })[String(keepsBudget(measurement)) as 'true'];

/** The result as a small table. */
export const describeResult = ({ benchmark, measurements }: BenchmarkResult): string => {
  const rows: Cell[][] = measurements.map((it) => [it.what, rounded(it.value), it.unit, budgetText(it), verdict(it), it.note ?? '']);
  return `${benchmark}\n${formatTable(['What', 'Value', 'Unit', 'Budget', '', 'Note'], rows)}`;
};

/** Processes that wanted a core during the last minute, on average; the benchmark itself is among them. */
export const loadNow = (): number => loadavg()[0] ?? 0;

/** The machine that the values were taken on. */
export const machine = (): Record<string, string | number> => ({
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memoryGb: Math.round(totalmem() / 1024 ** 3),
  node: process.version,
  load: loadNow(),
  platform: `${process.platform} ${process.arch}`,
});

/** Writes a result as `<folder>/<benchmark>.json` and answers the path. */
export const writeResult = async (folder: string, result: BenchmarkResult, atMs: number): Promise<string> => {
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${result.benchmark.replaceAll(/[^a-z0-9]+/gi, '-').toLowerCase()}.json`);
  await writeFile(path, `${JSON.stringify({ at: new Date(atMs).toISOString(), machine: machine(), ...result }, null, 2)}\n`);
  return path;
};
