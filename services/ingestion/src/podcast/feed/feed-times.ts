/** Offsets of names that `Date` does not know, or that feeds write though RFC 822 does not have them. */
const ZONES: Readonly<Record<string, string>> = {
  UT: '+0000',
  UTC: '+0000',
  WET: '+0000',
  WEST: '+0100',
  BST: '+0100',
  CET: '+0100',
  MEZ: '+0100',
  CEST: '+0200',
  MESZ: '+0200',
  EET: '+0200',
  EEST: '+0300',
  MSK: '+0300',
  IST: '+0530',
  JST: '+0900',
  AEST: '+1000',
  AEDT: '+1100',
  NZST: '+1200',
  NZDT: '+1300',
  AKST: '-0900',
  AKDT: '-0800',
  HST: '-1000',
};
const ISO = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?)?/;
/** Ends in a zone: an offset, or letters after the time. */
const ZONED = /(?:Z|[+-]\d{2}:?\d{2}|\b[A-Z]{1,4})$/i;
const EPOCH_SECONDS = /^\d{9,10}$/;
/** Where a day name has a comma, or is one of three letters. */
const WEEKDAY = /^\p{L}+\.?\s*,\s*|^(?:mon|tue|wed|thu|fri|sat|sun)\w*\s+/iu;
/** Later than this is a mistake, ms after now. */
const YEARS_AHEAD_MS = 2 * 366 * 86_400_000;

const isoTime = (text: string): number => {
  const day = text.slice(0, 10);
  if (text.length === 10) return Date.parse(`${day}T00:00:00Z`);
  const rest = text.slice(11).replace(',', '.').replaceAll(' ', '');
  return Date.parse(`${day}T${rest}${/(?:Z|[+-]\d{2}:?\d{2})$/i.test(rest) ? '' : 'Z'}`);
};

const letterTime = (text: string): number => {
  const plain = text
    .replace(WEEKDAY, '')
    .replace(/\bsept\b/i, 'Sep')
    .replace(/(\d)(?:st|nd|rd|th)\b/i, '$1')
    .replace(/\(.*\)$/, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const named = plain.replace(/(?<=[\d\s])[A-Z]{2,4}$/i, (zone) => ZONES[zone.toUpperCase()] ?? zone);
  return Date.parse(/\d:\d/.test(named) && ZONED.test(named) ? named : `${named} GMT`);
};

/**
 * When something was published: RFC 822 as feeds write it (names of days wrong or foreign, zones by name or missing, years of two digits), ISO 8601, seconds since
 * 1970. Epoch ms; null for what is no time, lies before 1970 or years ahead of `nowMs`. A time without zone is one of UTC.
 */
export const timeOf = (text: string | undefined, nowMs: number): number | null => {
  const written = (text ?? '').trim();
  if (written === '' || written.length > 100) return null;
  const ms = EPOCH_SECONDS.test(written) ? Number(written) * 1000 : ISO.test(written) ? isoTime(written) : letterTime(written);
  return Number.isFinite(ms) && ms > 0 && ms < nowMs + YEARS_AHEAD_MS ? Math.floor(ms) : null;
};

const MAX_DURATION_S = 7 * 86_400;
const CLOCK = /^(?:(?:(\d{1,3}):)?(\d{1,5}):)?(\d{1,7})(?:[.,]\d+)?$/;
/** `1h 2m 3s`, `12 minutes`, `PT1H2M3S`. */
const UNITS =
  /^(?:pt)?\s*(?:(\d{1,4})\s*h(?:ours?|rs?)?)?\s*,?\s*(?:(\d{1,5})\s*m(?:in(?:ute)?s?)?)?\.?\s*,?\s*(?:(\d{1,7})(?:[.,]\d+)?\s*s(?:ec(?:ond)?s?)?)?\.?$/;

/** Parses the duration of an episode, ms: seconds, `h:mm:ss`, `m:ss`, units written out. Null for anything else, nothing, or more than a week. */
export const durationOf = (text: string | undefined): number | null => {
  const written = (text ?? '').trim().toLowerCase();
  if (written === '' || written.length > 50) return null;
  const parts = CLOCK.exec(written) ?? UNITS.exec(written);
  if (!parts) return null;
  const [, hours = '0', minutes = '0', seconds = '0'] = parts;
  const total = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return total > 0 && total <= MAX_DURATION_S ? total * 1000 : null;
};
