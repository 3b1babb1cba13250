import { z } from 'zod';

/*
 * Request schemas of Meilisearch's documented interface, as far as an adapter may use it. Everything else is refused, as the real server does: unknown
 * fields, wrong types, texts that are no Unicode.
 */

const uid = z.string().regex(/^[a-zA-Z0-9_-]{1,400}$/);
const names = z.array(z.string());
const count = z.int().min(0);
const nullable = <T extends z.ZodType>(schema: T) => schema.nullable().optional();

/** A filter: a text, or a list of texts and lists of texts. */
export const filterSchema = z.union([z.string(), z.array(z.union([z.string(), names]))]);

const searchFields = {
  q: nullable(z.string()),
  offset: count.optional(),
  limit: count.optional(),
  filter: nullable(filterSchema),
  attributesToRetrieve: nullable(names),
  attributesToSearchOn: nullable(names),
  matchingStrategy: z.enum(['last', 'all', 'frequency']).optional(),
  locales: nullable(names),
  showRankingScore: z.boolean().optional(),
};
export const multiSearchBody = z.strictObject({ queries: z.array(z.strictObject({ indexUid: uid, ...searchFields })) });
export type SearchQueryBody = z.infer<typeof multiSearchBody>['queries'][number];

export const createIndexBody = z.strictObject({ uid, primaryKey: nullable(z.string()) });

const filterable = z.union([
  z.string(),
  z.strictObject({
    attributePatterns: names.min(1),
    features: z
      .strictObject({ facetSearch: z.boolean(), filter: z.strictObject({ equality: z.boolean(), comparison: z.boolean() }) })
      .optional(),
  }),
]);
const rankingRule = z.string().regex(/^(words|typo|proximity|attribute|attributeRank|wordPosition|sort|exactness|[\w.-]+:(asc|desc))$/);
/** ISO 639-3 codes of the languages that the tokenizer knows, those that matter here. */
const locale = z.enum(['cmn', 'jpn', 'kor', 'tha', 'eng', 'deu', 'fra', 'rus', 'ara', 'heb', 'ell', 'spa', 'por', 'swe', 'tur', 'vie']);

/** Settings of an index; each may be null, which resets it. */
export const settingsBody = z.strictObject({
  searchableAttributes: nullable(names),
  displayedAttributes: nullable(names),
  filterableAttributes: nullable(z.array(filterable)),
  sortableAttributes: nullable(names),
  rankingRules: nullable(z.array(rankingRule)),
  stopWords: nullable(names),
  synonyms: nullable(z.record(z.string(), names)),
  separatorTokens: nullable(names),
  nonSeparatorTokens: nullable(names),
  dictionary: nullable(names),
  distinctAttribute: nullable(z.string()),
  typoTolerance: nullable(
    z.strictObject({
      enabled: nullable(z.boolean()),
      minWordSizeForTypos: nullable(
        z
          .strictObject({ oneTypo: nullable(z.int().min(0).max(255)), twoTypos: nullable(z.int().min(0).max(255)) })
          .refine(({ oneTypo, twoTypos }) => (oneTypo ?? 5) <= (twoTypos ?? 9), 'oneTypo must not be greater than twoTypos'),
      ),
      disableOnWords: nullable(names),
      disableOnAttributes: nullable(names),
      disableOnNumbers: nullable(z.boolean()),
    }),
  ),
  faceting: nullable(
    z.strictObject({ maxValuesPerFacet: nullable(count), sortFacetValuesBy: nullable(z.record(z.string(), z.enum(['alpha', 'count']))) }),
  ),
  pagination: nullable(z.strictObject({ maxTotalHits: nullable(z.int().min(1)) })),
  proximityPrecision: nullable(z.enum(['byWord', 'byAttribute'])),
  searchCutoffMs: nullable(count),
  localizedAttributes: nullable(z.array(z.strictObject({ attributePatterns: names.min(1), locales: z.array(locale) }))),
  prefixSearch: nullable(z.enum(['indexingTime', 'disabled'])),
  facetSearch: nullable(z.boolean()),
});
export type SettingsBody = z.infer<typeof settingsBody>;

export const documentsBody = z.array(z.record(z.string(), z.unknown()));
export const documentsQuery = z.strictObject({
  primaryKey: z.string().optional(),
  skipCreation: z.enum(['true', 'false']).optional(),
  customMetadata: z.string().optional(),
});
export const deleteBatchBody = z.array(z.union([z.int(), z.string()]));

export const swapBody = z
  .array(z.strictObject({ indexes: z.tuple([uid, uid]), rename: z.boolean().optional() }))
  .refine((swaps) => new Set(swaps.flatMap(({ indexes }) => indexes)).size === swaps.length * 2, 'each index may be named once');

const listOf = <T>(one: z.ZodType<T, string>) =>
  z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(one));
const taskUid = z.string().regex(/^\d+$/).transform(Number);
export const taskStatuses = ['enqueued', 'processing', 'succeeded', 'failed', 'canceled'] as const;
export type TaskStatus = (typeof taskStatuses)[number];
export const taskTypes = [
  'indexCreation',
  'indexDeletion',
  'indexSwap',
  'settingsUpdate',
  'documentAdditionOrUpdate',
  'documentDeletion',
] as const;
export type TaskType = (typeof taskTypes)[number];

export const tasksQuery = z.strictObject({
  limit: z.coerce.number().int().min(0).optional(),
  from: z.coerce.number().int().min(0).optional(),
  reverse: z.enum(['true', 'false']).optional(),
  uids: listOf(taskUid).optional(),
  statuses: listOf(z.enum(taskStatuses)).optional(),
  types: listOf(z.enum(taskTypes)).optional(),
  indexUids: listOf(uid).optional(),
});
export type TasksQuery = z.infer<typeof tasksQuery>;

export const pageQuery = z.strictObject({
  offset: z.coerce.number().int().min(0).optional(),
  limit: z.coerce.number().int().min(0).optional(),
});
