const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const unitMs: Readonly<Record<string, number>> = {
  sec: 1000,
  second: 1000,
  min: 60_000,
  minute: 60_000,
  hour: HOUR_MS,
  day: DAY_MS,
  week: 7 * DAY_MS,
  fortnight: 14 * DAY_MS,
};
/** Calendar months of a unit. */
const unitMonths: Readonly<Record<string, number>> = { month: 1, year: 12 };
/** Days from today's midnight. */
const dayWords: Readonly<Record<string, number>> = { today: 0, midnight: 0, yesterday: -1, tomorrow: 1 };

const EPOCH = /^@(-?\d{1,11})$|^(\d{5,12})$/;
const DISTANCE = /^(last|next|[+-]?\d{1,6}) *([a-z]+?)s?( ago)?$/;
const ZONE = /(?:z|gmt|utc|[+-]\d{2}:?\d{2})$/i;
const LONGEST = 60;

const midnight = (nowMs: number): number => Math.floor(nowMs / DAY_MS) * DAY_MS;

/** So many units before or after now; undefined when the text says no such thing. */
const distant = (text: string, nowMs: number): number | undefined => {
  const [, count = '', unit = '', ago] = DISTANCE.exec(text) ?? [];
  const amount = ({ last: -1, next: 1 }[count] ?? Number(count)) * (ago ? -1 : 1);
  if (Object.hasOwn(unitMs, unit)) return nowMs + amount * (unitMs[unit] ?? 0);
  if (!Object.hasOwn(unitMonths, unit)) return undefined;
  const date = new Date(nowMs);
  return date.setUTCMonth(date.getUTCMonth() + amount * (unitMonths[unit] ?? 0));
};

/**
 * Reads any date text of a request: a date with or without a time, seconds of the epoch, `yesterday`, `-2 weeks`, `3 days ago`,
 * `last month`. What names no time zone is UTC: the server's own is nobody's business.
 * @returns epoch milliseconds, NaN when the text is no date
 */
export const instantOfText = (text: string, nowMs: number): number => {
  const trimmed = text.trim().toLowerCase();
  if (trimmed.length > LONGEST) return Number.NaN;
  const [, marked, bare] = EPOCH.exec(trimmed) ?? [];
  const epochSeconds = marked ?? bare;
  if (epochSeconds !== undefined) return Number(epochSeconds) * 1000;
  if (trimmed === 'now') return nowMs;
  if (Object.hasOwn(dayWords, trimmed)) return midnight(nowMs) + (dayWords[trimmed] ?? 0) * DAY_MS;
  return distant(trimmed, nowMs) ?? Date.parse(ZONE.test(trimmed) || !trimmed.includes(':') ? trimmed : `${trimmed}z`);
};

/** The last instant that a `Date` can be. */
const LAST_INSTANT_MS = 8.64e15;
/** The day that was written last, and its text with the `T`: things of a list came on few days. */
let lastDay = Number.NaN;
let lastDayText = '';

const twoDigits = (value: number): string => (value < 10 ? `0${value}` : String(value));

/** Epoch milliseconds as ISO 8601 in UTC, as `Date.toISOString` writes it. @throws RangeError for no time of the calendar */
export const isoText = (atMs: number): string => {
  if (!Number.isInteger(atMs) || Math.abs(atMs) > LAST_INSTANT_MS) return new Date(atMs).toISOString();
  const day = Math.floor(atMs / DAY_MS);
  if (day !== lastDay) {
    lastDayText = new Date(day * DAY_MS).toISOString().slice(0, -'00:00:00.000Z'.length);
    lastDay = day;
  }
  const inDay = atMs - day * DAY_MS;
  const seconds = Math.floor(inDay / 1000);
  const minutes = Math.floor(seconds / 60);
  const text = `${lastDayText}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}:${twoDigits(seconds % 60)}`;
  return `${text}.${String(1000 + (inDay % 1000)).slice(1)}Z`;
};
