import type { AnyTable } from '../../../src/render/index.js';
import { anyOf, arrayOf, objectSchema, type Schema, type SchemaSet } from '../schema-set.js';

/** Makes the schema of an answer in the version of a set of schemas; `fixed` holds the parameters that a path determines. */
export type Answer = (schemas: SchemaSet, fixed: Readonly<Record<string, string>>) => Schema;

/** Summary of an action and the JSON of its answer; media have no JSON. */
export interface ActionDescription {
  readonly summary: string;
  readonly answer: Answer | 'media';
  /** Parameters that the row reads by itself, beside those of its schema. */
  readonly more?: Readonly<Record<string, Schema>>;
}

const TEXT: Schema = { type: 'string' };
const COUNT: Schema = { type: 'integer', minimum: 0 };
const HASH: Schema = { type: 'string', description: 'Hash of the ids in the list; changes when the list does.' };
const COUNTERS = { total_count: COUNT, md5: HASH } as const;

/** Version whose uncounted lists have counters when they are empty. */
const COUNTED_WHEN_EMPTY = 6;

/** A list in its envelope. */
export const listSchema = (schemas: SchemaSet, name: string, items: Schema, isCounted = true): Schema => {
  const isOptional = !isCounted && schemas.profile.version === COUNTED_WHEN_EMPTY;
  const counters = isCounted || isOptional ? COUNTERS : {};
  return objectSchema({ ...counters, [name]: arrayOf(items) }, isOptional ? Object.keys(counters) : []);
};

/** A page of objects of a table. */
export const list =
  (table: AnyTable, name: string = table.kind): Answer =>
  (schemas) =>
    listSchema(schemas, name, schemas.of(table));

/** Deleted objects. Up to version 6 an empty list has another name. */
export const deleted =
  (table: AnyTable): Answer =>
  (schemas, fixed) => {
    const names = schemas.profile.version < 8 ? [table.kind, `${table.kind}s`] : [table.kind];
    return anyOf(names.map((name) => list(table, name)(schemas, fixed)));
  };

/** Objects of a table, without a total. */
export const bareList =
  (table: AnyTable): Answer =>
  (schemas) =>
    listSchema(schemas, table.kind, schemas.of(table), false);

/** One object of a table. */
export const one =
  (table: AnyTable): Answer =>
  (schemas) =>
    schemas.of(table);

/** A message of success. */
export const success: Answer = (schemas) => schemas.named('Success', objectSchema({ success: TEXT }));

/** One of several answers. */
export const oneOf =
  (...answers: readonly Answer[]): Answer =>
  (schemas, fixed) =>
    anyOf(answers.map((answer) => answer(schemas, fixed)));

/** Answers by the parameter `type`, which a path may determine; versions may lack some. */
export const byType =
  (answers: Readonly<Record<string, Answer>>): Answer =>
  (schemas, fixed) => {
    const own = fixed['type'] === undefined ? undefined : answers[fixed['type']];
    return own ? own(schemas, fixed) : anyOf(Object.values(answers).map((answer) => answer(schemas, fixed)));
  };

/** An object of its own shape. */
export const shape =
  (make: (schemas: SchemaSet) => Readonly<Record<string, Schema>>, optional: readonly string[] = []): Answer =>
  (schemas) =>
    objectSchema(make(schemas), optional);

/** Schemas that shapes are made of. */
export const part = {
  text: TEXT,
  count: COUNT,
  counters: COUNTERS,
  boolean: { type: 'boolean' },
  id: { type: 'string' },
  /** An object whose keys are not known beforehand. */
  keyed: (value: Schema): Schema => ({ type: 'object', additionalProperties: value }),
} as const;
