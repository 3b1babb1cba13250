import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { missing } from './needs.js';
import type { RowResult } from './print-table.js';
import type { Row } from './row.js';

/** How rows are run. */
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
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `${row.name}.json`), `${JSON.stringify(report, null, 2)}\n`);
    return { row, report };
  } catch (error) {
    // The other rows have something to tell all the same.
    return { row, failed: describe(error) };
  }
};

const describe = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message} (${describe(error.cause)})`;
};
