/** Positions of a stream from one to another, both included. */
export interface Gap {
  readonly from: number;
  readonly to: number;
}

/** The positions between two others, as a gap; none between neighbours. */
export const gapBetween = (after: number, before: number): Gap[] => (before - after > 1 ? [{ from: after + 1, to: before - 1 }] : []);

/** Gaps in order, those that touch or overlap as one. */
export const joined = (gaps: readonly Gap[]): Gap[] => {
  const result: Gap[] = [];
  for (const gap of gaps.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last && gap.from <= last.to + 1) result[result.length - 1] = { from: last.from, to: Math.max(last.to, gap.to) };
    else result.push(gap);
  }
  return result;
};

/** Returns gaps without the positions of others. */
export const without = (gaps: readonly Gap[], others: readonly Gap[]): Gap[] => {
  let left = joined(gaps);
  for (const other of others) {
    left = left.flatMap((gap) =>
      other.to < gap.from || other.from > gap.to
        ? [gap]
        : [
            { from: gap.from, to: other.from - 1 },
            { from: other.to + 1, to: gap.to },
          ].filter(({ from, to }) => from <= to),
    );
  }
  return left;
};

/** Counts the positions in gaps that do not overlap. */
export const sizeOf = (gaps: readonly Gap[]): number => gaps.reduce((sum, { from, to }) => sum + to - from + 1, 0);

/** Single positions, in order, as gaps. */
export const gapsOf = (positions: readonly number[]): Gap[] => joined(positions.map((position) => ({ from: position, to: position })));

const SHOWN = 5;

/** Gaps for people: `94 to 197, 301 and 12 more`. */
export const describeGaps = (gaps: readonly Gap[]): string => {
  const shown = gaps.slice(0, SHOWN).map(({ from, to }) => (from === to ? String(from) : `${from} to ${to}`));
  const more = sizeOf(gaps.slice(SHOWN));
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
};

/** Gaps as they are kept: `94-197,301-301`. */
export const formatGaps = (gaps: readonly Gap[]): string => gaps.map(({ from, to }) => `${from}-${to}`).join(',');

/** Reads what {@link formatGaps} wrote. */
export const parseGaps = (text: string): Gap[] =>
  text
    .split(',')
    .map((part) => part.split('-').map(Number))
    .flatMap(([from = 0, to = 0]) => (from >= 1 && to >= from ? [{ from, to }] : []));
