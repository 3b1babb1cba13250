const SECOND_DIGITS = 2;

/** Duration as `m:ss` or `h:mm:ss`. */
export const clock = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds));
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (n: number): string => String(n).padStart(SECOND_DIGITS, '0');
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
};

const MINUTE_S = 60;
const HOUR_S = 3600;

/** Duration in hours and minutes for people, such as `3 hr 20 min`; seconds below a minute. */
export const hoursAndMinutes = (seconds: number): string => {
  const text = (value: number, unit: string): string =>
    new Intl.NumberFormat(document.documentElement.lang, { style: 'unit', unit, unitDisplay: 'short' }).format(value);
  if (seconds < MINUTE_S) return text(Math.round(seconds), 'second');
  const minutes = Math.round(seconds / MINUTE_S);
  const [hours, rest] = [Math.floor((minutes * MINUTE_S) / HOUR_S), minutes % MINUTE_S];
  return [...(hours > 0 ? [text(hours, 'hour')] : []), ...(rest > 0 ? [text(rest, 'minute')] : [])].join(' ');
};

const BYTE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
const BYTE_STEP = 1000;

/** A size in the largest unit that leaves a number over 1. */
export const size = (bytes: number): string => {
  const at = bytes < BYTE_STEP ? 0 : Math.min(BYTE_UNITS.length - 1, Math.floor(Math.log(bytes) / Math.log(BYTE_STEP)));
  const style = { style: 'unit', unit: BYTE_UNITS[at] ?? 'byte', unitDisplay: 'short', maximumFractionDigits: at === 0 ? 0 : 1 } as const;
  return new Intl.NumberFormat(document.documentElement.lang, style).format(bytes / BYTE_STEP ** at);
};
