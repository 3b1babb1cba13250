import { z } from 'zod';
import type { OperationRow } from '../../src/apis/manage/operation.js';

interface JsonSchema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly minItems?: number;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/** Texts of which one suits most patterns. */
const TEXTS = ['a', '1', 'listenbrainz', '127.0.0.1', 'a@example.org', 'https://example.org/a', '%a', '2030-01-01'];

const textOf = ({ format, pattern, minLength = 1 }: JsonSchema): string => {
  if (format === 'date-time') return '2030-01-01T00:00:00.000Z';
  const fits = TEXTS.find((text) => text.length >= minLength && (pattern === undefined || new RegExp(pattern, 'u').test(text)));
  return fits ?? 'a'.repeat(Math.max(1, minLength));
};

const objectOf = ({ properties = {}, required = [] }: JsonSchema, root: JsonSchema): Record<string, unknown> =>
  Object.fromEntries(required.map((name) => [name, valueOf(properties[name] ?? {}, root)]));

const typed: Readonly<Record<string, (schema: JsonSchema, root: JsonSchema) => unknown>> = {
  string: textOf,
  integer: ({ minimum = 1 }) => Math.max(1, minimum),
  number: ({ minimum = 1 }) => Math.max(1, minimum),
  boolean: () => false,
  null: () => null,
  array: ({ items = {}, minItems = 1 }, root) => Array.from({ length: Math.max(1, minItems) }, () => valueOf(items, root)),
  object: objectOf,
};

const valueOf = (schema: JsonSchema, root: JsonSchema): unknown => {
  if (schema.$ref) return valueOf(root.$defs?.[schema.$ref.split('/').at(-1) ?? ''] ?? {}, root);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return valueOf(schema.anyOf[0] ?? {}, root);
  const type = [schema.type].flat()[0] ?? 'object';
  return typed[type]?.(schema, root);
};

const jsonSchemaOf = (schema: z.ZodType): JsonSchema => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;

/** A value that a schema takes, with required fields alone: numbers are 1, texts the first that suits, lists hold one thing. */
export const exampleOf = (schema: z.ZodType): unknown => {
  const json = jsonSchemaOf(schema);
  return valueOf(json, json);
};

/** Another object that a schema takes than the one given: one field is added, left out or changed. Undefined where there is none. */
export const otherThan = (schema: z.ZodType, given: Readonly<Record<string, unknown>>): object | undefined => {
  const json = jsonSchemaOf(schema);
  const { properties = {} } = json.$ref ? (json.$defs?.[json.$ref.split('/').at(-1) ?? ''] ?? {}) : json;
  const others = Object.entries(properties).flatMap(([name, field]) => {
    const { [name]: known, ...rest } = given;
    if (known === undefined) return [{ ...given, [name]: valueOf(field, json) }];
    const values = [...(field.enum ?? []), true, false, 2, `${JSON.stringify(known)}b`, 'b', [2]].filter((value) => value !== known);
    return [rest, ...values.map((value) => ({ ...given, [name]: value }))];
  });
  return others.find((other) => schema.safeParse(other).success);
};

/** Path of an operation with parameters filled in by their schemas, unless others are given. */
export const filledPath = (
  { path, params: schema }: Pick<OperationRow<never>, 'path' | 'params'>,
  params: Readonly<Record<string, string | number>> = {},
): string => {
  const made = exampleOf(schema) as Readonly<Record<string, string | number>>;
  return path.replaceAll(/\{(?<name>\w+)\}/g, (_match, name: string) => encodeURIComponent(params[name] ?? made[name] ?? 1));
};

/** True for a schema of an object that refuses unknown fields. */
export const isStrict = (schema: z.ZodType): boolean =>
  schema.safeParse({ aFieldThatIsNotThere: 1 }).error?.issues.some(({ code }) => code === 'unrecognized_keys') === true;
