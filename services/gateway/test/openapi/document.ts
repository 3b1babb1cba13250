import type { Schema } from './schema-set.js';

/** An operation of an OpenAPI document. */
export type Operation = Readonly<Record<string, unknown>>;

/** Operations by path and verb. */
export type Paths = Record<string, Record<string, Operation>>;

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument {
  readonly openapi: '3.1.1';
  readonly info: Readonly<Record<string, unknown>>;
  readonly servers: readonly { readonly url: string; readonly description?: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly paths: Paths;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>>; readonly [other: string]: unknown };
}

/** JSON answers that documents show as examples, by operation and the parameters that its path determines. */
export type Examples = (operation: string, fixed?: Readonly<Record<string, string>>) => unknown;

/** Longest example, characters. */
const LONGEST_EXAMPLE = 2000;

/** The example of an answer, unless there is none or it is long. */
export const exampleOf = (
  examples: Examples,
  operation: string,
  fixed: Readonly<Record<string, string>> = {},
): { readonly example?: unknown } => {
  const example = examples(operation, fixed);
  return example === undefined || JSON.stringify(example).length > LONGEST_EXAMPLE ? {} : { example };
};

/** Words for the access level that an operation requires. */
const levels: Readonly<Record<number, string>> = {
  0: 'without login',
  5: 'every account',
  25: 'accounts that are no guests',
  50: 'content managers',
  75: 'catalog managers',
  100: 'administrators',
};

/** Sentence about who may use an operation. */
export const accessSentence = (level: number): string => `For ${levels[level] ?? `access level ${level}`}.`;

/** Tags of all operations, in the order of the alphabet. */
export const tagsOf = (paths: Paths): { name: string }[] => {
  const names = Object.values(paths).flatMap((verbs) => Object.values(verbs).flatMap(({ tags }) => tags as string[]));
  return [...new Set(names)].toSorted().map((name) => ({ name }));
};

/** Text of a committed document: in many lines, which can be merged and compared. */
export const documentText = (document: object): string => `${JSON.stringify(document, undefined, 1)}\n`;
