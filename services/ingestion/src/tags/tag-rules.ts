/** Rules for reading ambiguous tags. Plain data, for it travels to the reader threads. */
export interface TagRules {
  /** Separators of artist names within one value. A blank in front or behind says that white space must stand there. */
  readonly artistSeparators: readonly string[];
  /** Separators of genres and moods within one value. */
  readonly genreSeparators: readonly string[];
  /** The character set of text that is no UTF-8 and says nothing of itself: a label that `TextDecoder` knows, or `auto` for a guess by its letters. */
  readonly encoding: string;
}

/** Rules for whoever sets nothing. */
export const defaultTagRules: TagRules = {
  artistSeparators: [';', ' / '],
  genreSeparators: [';', '|', '\\', ' / ', '//', ','],
  encoding: 'auto',
};

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);

const patternOf = (separator: string): string => {
  const blank = (isThere: boolean): string => (isThere ? String.raw`\s+` : String.raw`\s*`);
  return `${blank(/^\s/.test(separator))}${escaped(separator.trim())}${blank(/\s$/.test(separator))}`;
};

const NEVER = /(?!)/;
const kept = new Map<string, RegExp>();

/** The expression that splits at any of the separators, longer ones first; made once for each list. */
export const separatorPattern = (separators: readonly string[]): RegExp => {
  const key = separators.join('\0');
  const known = kept.get(key);
  if (known) return known;
  const usable = separators.filter((separator) => separator.trim() !== '').toSorted((a, b) => b.length - a.length);
  const pattern = usable.length === 0 ? NEVER : new RegExp(usable.map(patternOf).join('|'), 'i');
  kept.set(key, pattern);
  return pattern;
};
