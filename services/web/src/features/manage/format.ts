import { language } from '../../messages/index.js';
import { m } from './messages/index.js';

const times = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
const counts = new Intl.NumberFormat(language);

/** A moment in words; `never` for none. */
export const when = (moment: string | null): string => (moment === null ? m.never : times.format(new Date(moment)));

/** A number as people write it. */
export const count = (value: number): string => counts.format(value);

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
const STEP = 1000;

/** A size in the largest unit that leaves a number over 1. */
export const size = (bytes: number): string => {
  const at = bytes < STEP ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log(bytes) / Math.log(STEP)));
  const style = { style: 'unit', unit: UNITS[at] ?? 'byte', unitDisplay: 'short', maximumFractionDigits: at === 0 ? 0 : 1 } as const;
  return new Intl.NumberFormat(language, style).format(bytes / STEP ** at);
};
