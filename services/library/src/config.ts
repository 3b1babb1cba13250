import { baseConfig, meilisearchSettings, type Environment } from '@continuo/chassis';
import { z } from 'zod';

/** Settings of the library service: those that every service has, and where the search indexes are. */
export const libraryConfig = baseConfig.extend({
  ...meilisearchSettings,
  /** How often the search indexes are told of plays, and looked after, ms. */
  SEARCH_INDEX_UPKEEP_MS: z.coerce.number().int().min(100).default(10_000),
});
export type LibraryConfig = z.infer<typeof libraryConfig>;

/** The environment of this process; `main.ts` hands it on. */
export const environment: Environment = process.env;
