import { defaultTagRules, separatorPattern } from './tag-rules.js';
import { cleanList } from './text.js';

/** Most genres, and most moods, kept of one track. */
const MAX_TERMS = 50;
/** Names of Discogs' fixed list that contain a separator. */
const WHOLE_TERMS = new Set(['folk, world, & country', 'brass & military', 'stage & screen']);

/**
 * Genres or moods of a track. Several tag values count as they are; each is also split at the separators, usually `;`, `|`, `\`, `//`, ` / ` and `,`. A bare slash
 * stays ("Hip-Hop/Rap" is one genre of the iTunes list). Terms that differ in case only are one.
 */
export const genreTermsFrom = (values: unknown, separators: readonly string[] = defaultTagRules.genreSeparators): string[] => {
  const separator = separatorPattern(separators);
  const given = cleanList(values, MAX_TERMS);
  const parts = given.flatMap((value) => (WHOLE_TERMS.has(value.toLowerCase()) ? [value] : value.split(separator)));
  const byKey = new Map<string, string>();
  for (const term of cleanList(parts, MAX_TERMS)) if (!byKey.has(term.toLowerCase())) byKey.set(term.toLowerCase(), term);
  return [...byKey.values()];
};
