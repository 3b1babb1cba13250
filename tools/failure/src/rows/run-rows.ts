import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { missing } from './needs.js';
import type { RowResult } from './print-table.js';
import type { Row, RowReport } from './row.js';

/** Options of running rows. */
export interface RunRows {
  /** Folder for data and reports. */
  readonly folder: string;
  readonly seed: number;
  /** Instead of each row's own number. */
  readonly rounds?: number | undefined;
  readonly say: (line: string) => void;
}

/** Runs one row, unless something that it needs is missing; writes its report. Never rejects. */
export const runRow = async (row: Row, { folder, seed, rounds, say }: RunRows): Promise<RowResult> => {
  const without = await missing(row.needs);
  if (without !== undefined) return { row, skipped: without };
  try {
    const report = await row.run({ home: join(folder, row.name), seed, rounds: rounds ?? row.rounds, say });
    await keepReport(folder, report);
    return { row, report };
  } catch (error) {
    // The other rows have something to tell all the same.
    return { row, failed: describe(error) };
  }
};

/** Writes a report as JSON and answers the file's path. */
export const keepReport = async (folder: string, report: RowReport): Promise<string> => {
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${report.row}.json`);
  await writeFile(file, `${JSON.stringify(report, null, 2)}\n`);
  return file;
};

const describe = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message} (${describe(error.cause)})`;
};
