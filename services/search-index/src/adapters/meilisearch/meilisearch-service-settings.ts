import { z } from 'zod';
import type { MeilisearchOptions } from './meilisearch-connection.js';

/** Settings of services that search in Meilisearch, or fill it. */
export const meilisearchSettings = {
  /** Meilisearch (1.31 or newer), which answers searches by words; Postgres does without it, and whenever it does not answer. */
  MEILI_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** Key for Meilisearch. The gateway needs the action `search`, the library also `documents.*`, `indexes.*`, `settings.*`, `tasks.*`, `stats.get` and `version`. */
  MEILI_KEY: z.string().min(1).optional(),
  /** Prefix of the names of our indexes in Meilisearch, where several installations share one. */
  MEILI_INDEX_PREFIX: z
    .string()
    .regex(/^[a-zA-Z0-9][a-zA-Z0-9_-]{0,63}$/)
    .default('continuo'),
};

interface Settings {
  readonly MEILI_URL?: string | undefined;
  readonly MEILI_KEY?: string | undefined;
  readonly MEILI_INDEX_PREFIX: string;
}

/** Address of Meilisearch in the settings; undefined when there is none. */
export const meilisearchOptions = ({
  MEILI_URL: url,
  MEILI_KEY: key,
  MEILI_INDEX_PREFIX: prefix,
}: Settings): MeilisearchOptions | undefined => (url === undefined ? undefined : { url, prefix, key });
