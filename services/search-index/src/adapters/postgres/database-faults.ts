import { isDatabaseUnavailable } from '@continuo/chassis';
import { SearchUnavailable } from '../../search-index.js';

/** Tables that are not there (yet), or that this account may not read. */
const MISSING = new Set(['42P01', '3F000', '42501']);

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** Runs a step; a database that is unavailable, too slow, or has no index, becomes `SearchUnavailable`. */
export const asUnavailable = async <T>(step: () => Promise<T>): Promise<T> => {
  try {
    return await step();
  } catch (error) {
    if (!isDatabaseUnavailable(error) && !MISSING.has(codeOf(error))) throw error;
    throw new SearchUnavailable('the search index in Postgres cannot be used now', { cause: error });
  }
};
