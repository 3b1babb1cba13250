import { callerNames, type CallerName } from './callers.fixture.js';

/** A row of the matrix: what is called, the level that it asks for, and what came of it by caller. */
export interface MatrixRow {
  readonly name: string;
  readonly needs: string;
  readonly cells: Readonly<Record<CallerName, string>>;
}

/** The matrix as text that a person can review, one line per row. */
export const matrixText = (rows: readonly MatrixRow[]): string => {
  const lines = [
    ['', 'needs', ...callerNames],
    ...rows.map(({ name, needs, cells }) => [name, needs, ...callerNames.map((one) => cells[one])]),
  ];
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));
  return `${lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')}\n`;
};
