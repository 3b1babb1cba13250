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
 * Reads any date text of a request (browse.md, `add` and `update`): a date with or without a time, seconds of the epoch, `yesterday`, `-2 weeks`, `3 days ago`,
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
