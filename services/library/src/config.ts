import { baseConfig, type Environment } from '@continuo/chassis';
import { z } from 'zod';
import { meilisearchSettings } from '@continuo/search-index';

/** Settings of the library service: those that every service has, where the search indexes are, and how many lists accounts may have. */
export const libraryConfig = baseConfig.extend({
  ...meilisearchSettings,
  /** Folders in which catalogs have to lie, and that administrators may look through when they add one; separated by commas. */
  CATALOG_ROOTS: z
    .string()
    .default('/')
    .transform((text) => text.split(',').flatMap((part) => part.trim() || [])),
  /** Largest number of playlists of an account; those of the server do not count. */
  PLAYLISTS_PER_ACCOUNT: z.coerce.number().int().min(1).max(1_000_000).default(5000),
  /** Largest number of smartlists of an account. */
  SMARTLISTS_PER_ACCOUNT: z.coerce.number().int().min(1).max(1_000_000).default(1000),
  /** Largest number of collections of an account. */
  COLLECTIONS_PER_ACCOUNT: z.coerce.number().int().min(1).max(1_000_000).default(1000),
  /** Interval of upkeep of the search indexes, which also writes plays into them, ms. */
  SEARCH_INDEX_UPKEEP_MS: z.coerce.number().int().min(100).default(60_000),
});
export type LibraryConfig = z.infer<typeof libraryConfig>;

/** The environment of this process; `main.ts` hands it on. */
export const environment: Environment = process.env;
