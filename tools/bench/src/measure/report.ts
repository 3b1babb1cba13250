import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';

/** Value that is asked for, and the direction in which others are better. */
export type Budget = { readonly atLeast: number } | { readonly atMost: number };

/** One measured value, with what was asked for where there is a budget. */
export interface Measurement {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** `atLeast` or `atMost` what; absent for values that only explain others. */
  readonly budget?: Budget;
  readonly note?: string;
}

/** Measurements of one benchmark. */
export interface BenchmarkResult {
  readonly benchmark: string;
  readonly measurements: readonly Measurement[];
}

/** Whether a value keeps a budget. */
export const isWithin = (budget: Budget, value: number): boolean =>
  'atLeast' in budget ? value >= budget.atLeast : value <= budget.atMost;

/** Whether a measurement keeps its budget; undefined without one. */
export const keepsBudget = ({ value, budget }: Measurement): boolean | undefined => budget && isWithin(budget, value);

/** How many times better ours is, in the direction of the budget, than the best of others; undefined without both. */
export const timesBetter = (budget: Budget, ours: number | undefined, others: readonly number[]): number | undefined => {
  if (ours === undefined || others.length === 0) return undefined;
  return 'atLeast' in budget ? ours / Math.max(...others) : Math.min(...others) / ours;
};

const rounded = (value: number): number => (Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3)));

const budgetText = ({ budget }: Measurement): string => (!budget ? '' : 'atLeast' in budget ? `≥ ${budget.atLeast}` : `≤ ${budget.atMost}`);

const verdict = (measurement: Measurement): string =>
  ({ true: 'kept', false: 'missed', undefined: '' })[String(keepsBudget(measurement)) as 'true'];

/** A table in Markdown, as wide as its texts; the first line is its head. */
export const markdownTable = (lines: readonly (readonly string[])[]): string => {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(3, ...lines.map((line) => line[column]?.length ?? 0)));
  const row = (line: readonly string[]): string => `| ${line.map((text, column) => text.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = lines;
  return [row(head), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...body.map(row)].join('\n');
};

/** The result as a table in Markdown below its name. */
export const describeResult = ({ benchmark, measurements }: BenchmarkResult): string => {
  const rows = measurements.map((it) => [it.what, `${rounded(it.value)} ${it.unit}`, budgetText(it), verdict(it), it.note ?? '']);
  return `${benchmark}\n\n${markdownTable([['Measurement', 'Result', 'Budget', '', 'Note'], ...rows])}`;
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

/** Reads what {@link writeResult} wrote. */
export const readResult = async (path: string): Promise<BenchmarkResult> => JSON.parse(await readFile(path, 'utf8')) as BenchmarkResult;
