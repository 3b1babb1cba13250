/** Earliest and latest year that is believed. */
const FIRST_YEAR = 1000;
const LAST_YEAR = 2999;

/** A tag's date as ISO 8601, as exact as it is: `2004`, `2004-05` or `2004-05-17`. Absent when it is no date. */
export const isoDate = (value: unknown): string | undefined => {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const match = /^\s*(\d{4})(?:[-/.]?(\d{2})(?:[-/.]?(\d{2}))?)?(?!\d)/.exec(String(value));
  if (!match) return undefined;
  const [, year = '', month, day] = match;
  if (yearOf(year) === undefined) return undefined;
  if (!inRange(month, 12)) return year;
  return inRange(day, 31) ? `${year}-${month}-${day}` : `${year}-${month}`;
};

const inRange = (digits: string | undefined, max: number): digits is string =>
  digits !== undefined && Number(digits) >= 1 && Number(digits) <= max;

/** The year that a date or number starts with, when it is a plausible one. */
export const yearOf = (value: unknown): number | undefined => {
  const year = typeof value === 'string' ? Number.parseInt(value.trim().slice(0, 4), 10) : value;
  return typeof year === 'number' && year >= FIRST_YEAR && year <= LAST_YEAR ? Math.trunc(year) : undefined;
};
