import type { ScannedCredit } from '@continuo/contracts';
import { defaultTagRules, separatorPattern } from './tag-rules.js';
import { cleanList, cleanText } from './text.js';

/** Most names credited on one track. */
const MAX_CREDITS = 50;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

/** Artists that a track or album is credited to. */
export interface Credits {
  readonly credits: ScannedCredit[];
  /** Without the guests named after `feat.`: whom an album falls back to. */
  readonly main: ScannedCredit[];
  /** The line as printed, when it says more than the joined names. */
  readonly printed?: string;
}

/** Tags about one kind of credit. */
export interface CreditTags {
  /** One value per name where the tag format allows it; a single value may hold several names. */
  readonly names: readonly string[];
  /** The credit line as one text. */
  readonly line?: string | undefined;
  readonly mbids: readonly string[];
  readonly sortNames: readonly string[];
  /** Separators of names within one value, beside the split that ids prove. */
  readonly separators?: readonly string[];
}

/** MusicBrainz ids in whatever separators the tagger used, lower case, in order. */
export const mbidsOf = (values: unknown): string[] =>
  (Array.isArray(values) ? values : [values])
    .flatMap((value) => (typeof value === 'string' ? (value.match(UUID) ?? []) : []))
    .map((id) => id.toLowerCase());

const GUEST = /\s+[([]?(?:feat\.?|ft\.|featuring)\s+/i;
/** Separators that usually do not occur within names: a semicolon, and a slash with blanks around it. */
const SAFE_SEPARATOR = separatorPattern(defaultTagRules.artistSeparators);
/** Separators that also occur within names ("Simon & Garfunkel"): used only where MusicBrainz ids prove how many names there are. */
const PROVEN_SEPARATOR = /\s*;\s*|\s+\/\s+|\s*,\s+|\s+(?:&|and|x|vs\.?|with)\s+/i;

const split = (text: string, separator: RegExp): string[] =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** Splits one credit line into main names and guests; "feat." may stand in brackets. */
export const splitLine = (line: string, separator: RegExp = SAFE_SEPARATOR): { main: string[]; guests: string[] } => {
  const [head = '', ...tail] = line.split(GUEST);
  const main = split(head, separator);
  const guests = tail.flatMap((part) => split(part.replace(/[)\]]\s*$/, ''), separator));
  return main.length === 0 ? { main: [line], guests: [] } : { main, guests };
};

/**
 * Names in one value: one id means one name, several ids mean as many names if some separator gives just that number, and without ids
 * only separators that names do not contain are trusted.
 */
const namesOfLine = (line: string, idCount: number, separators?: readonly string[]): { main: string[]; guests: string[] } => {
  if (idCount === 1) return { main: [line], guests: [] };
  const safe = splitLine(line, separators ? separatorPattern(separators) : SAFE_SEPARATOR);
  if (idCount === 0 || safe.main.length + safe.guests.length === idCount) return safe;
  const proven = splitLine(line, PROVEN_SEPARATOR);
  return proven.main.length + proven.guests.length === idCount ? proven : safe;
};

/** Turns names, ids and sort names into credits. Ids and sort names are paired by place, and only when their number is that of the names. */
export const creditsFrom = (tags: CreditTags): Credits => {
  const given = cleanList(tags.names, MAX_CREDITS);
  if (given.length === 0) return { credits: [], main: [] };
  const line = cleanText(tags.line);
  const found =
    given.length === 1
      ? namesOfLine(given[0] as string, tags.mbids.length, tags.separators)
      : { main: given, guests: guestsAmong(given, line) };
  const names = cleanList([...found.main, ...found.guests], MAX_CREDITS);
  const credits = names.map((name, index) => ({
    name,
    ...(tags.mbids.length === names.length ? { mbid: tags.mbids[index] } : {}),
    ...(tags.sortNames.length === names.length ? sortNameOf(tags.sortNames[index]) : {}),
  }));
  const guests = new Set(found.guests);
  const main = credits.filter((credit) => !guests.has(credit.name));
  const printed = line ?? given[0];
  return { credits, main: main.length > 0 ? main : credits, ...(printed && saysMore(printed, names) ? { printed } : {}) };
};

const sortNameOf = (value: unknown): { sortName?: string } => {
  const sortName = cleanText(value);
  return sortName ? { sortName } : {};
};

/** Of several given names, those that the printed line puts after "feat.". */
const guestsAmong = (names: readonly string[], line: string | undefined): string[] => {
  const place = line?.search(GUEST) ?? -1;
  if (line === undefined || place < 0) return [];
  const head = line.slice(0, place).toLowerCase();
  return names.filter((name) => !head.includes(name.toLowerCase()) && line.toLowerCase().includes(name.toLowerCase()));
};

/** True when a printed line is neither one of the names nor their plain enumeration. */
const saysMore = (printed: string, names: readonly string[]): boolean => {
  const usual = [names.join(', '), names.join('; '), names.join(' / '), ...names];
  return !usual.some((text) => text.toLowerCase() === printed.toLowerCase());
};

/**
 * Undoes the split at every slash that readers of ID3v2.3 make: its "/" is a list separator by the standard, but it also stands in names
 * ("AC/DC"). Very short parts, or a single MusicBrainz id, show that it was one name.
 */
export const rejoinSlashes = (parts: readonly string[], idCount: number): string[] => {
  if (parts.length < 2 || idCount === parts.length) return [...parts];
  const oneName = idCount === 1 || parts.some((part) => part.length < 4);
  return oneName ? [parts.join('/')] : [...parts];
};
