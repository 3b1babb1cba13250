import { formatCount } from '@continuo/operations';

/** Cell of a table: numbers are right-aligned. */
export type Cell = string | number | null;

/** Width in characters of a terminal, where wide East Asian characters take two. */
const widthOf = (text: string): number => {
  let width = 0;
  for (const char of text)
    width += /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u.test(char) ? 2 : 1;
  return width;
};

/** Control characters from file names or tags must not reach the terminal. */
const printable = (text: string): string => text.replaceAll(/\p{Cc}/gu, '�');

const cellText = (cell: Cell): string => (cell === null ? '-' : typeof cell === 'number' ? formatCount(cell) : printable(cell));

/** Lays rows out in columns under their headings; numbers to the right. No rows give the headings alone. */
export const formatTable = (headings: readonly string[], rows: readonly (readonly Cell[])[]): string => {
  const texts = rows.map((row) => row.map(cellText));
  const widths = headings.map((heading, column) => Math.max(widthOf(heading), ...texts.map((row) => widthOf(row[column] ?? ''))));
  const right = headings.map(
    (_, column) => rows.length > 0 && rows.every((row) => typeof row[column] === 'number' || row[column] === null),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => {
        const padding = ' '.repeat(Math.max(0, (widths[column] ?? 0) - widthOf(cell)));
        return right[column] ? padding + cell : cell + padding;
      })
      .join('  ')
      .trimEnd();
  return [line(headings), ...texts.map(line)].join('\n');
};
