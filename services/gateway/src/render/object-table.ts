import { fieldNode, objectNode, type FieldNode, type Node, type ObjectNode, type Placement, type Scalar } from './node.js';
import type { XmlStyle } from './xml-style.js';

/** Profile that selects rows of a table and formats their values. One per API version; the compat surface has one for each of its two modes. */
export interface Profile {
  /** API version that the rows' `since` and `until` are compared with. */
  readonly version: number;
  /** False hides the rows marked `open`, which only the extended form of the compat surface has. */
  readonly open: boolean;
  /** Booleans in JSON: true and false, or 1 and 0. */
  readonly booleans: 'word' | 'digit';
  /** Type of ids in JSON. */
  readonly ids: 'text' | 'number';
  /** Other names of kinds, by their usual name. */
  readonly kinds?: Readonly<Record<string, string>>;
}

/** Any object table; a shape does not depend on what its objects are made from. */
// oxlint-disable-next-line typescript/no-explicit-any -- tables differ in their sources, which are contravariant
export type AnyTable = ObjectTable<any, any>;

/** Type of a field's value in JSON. */
export type FieldKind =
  | { readonly kind: 'id' | 'text' | 'integer' | 'number' | 'boolean' | 'any' | 'map' }
  | { readonly kind: 'object'; readonly table: AnyTable }
  | { readonly kind: 'list'; readonly tables: readonly AnyTable[] }
  | { readonly kind: 'scalars'; readonly items: 'string' | 'integer' };

/** Type of a field's value in JSON, and whether it may be null or absent. Documents of the API are made from it. */
export type FieldShape = FieldKind & { readonly nullable: boolean; readonly optional: boolean };

/** A compiled getter of ready text; undefined where the field is absent. */
export type TextOf<T, C> = (source: T, context: C) => string | undefined;

/**
 * One field of an object: name, placement, range, and how its value is built as a node and compiled to text.
 * `T` is what the object is made from, `C` what belongs to the request (links, the caller).
 */
export interface FieldRow<T, C> {
  readonly name: string;
  readonly place: Placement;
  /** First and last API version that has the field, both inclusive. */
  readonly since: number;
  readonly until: number;
  /** Only in the extended form of the compat surface. */
  readonly open: boolean;
  /** Type of the value in JSON. */
  shape(profile: Profile): FieldShape;
  /** The value as a node; undefined leaves the field out. */
  build(source: T, context: C, profile: Profile): Node | undefined;
  /** The value as JSON text. */
  json(profile: Profile): TextOf<T, C>;
  /** The value of a field that is one scalar; absent for fields with parts. Saves a text of its own for each value. */
  scalar?: ((profile: Profile) => (source: T, context: C) => Scalar | undefined) | undefined;
  /** The whole field in its XML place: an attribute with its leading blank, or the child elements. */
  xml(profile: Profile, style: XmlStyle): TextOf<T, C>;
}

/** An object of the API: its kind, which is its element name in XML, and its fields in the order of the output. */
export interface ObjectTable<T, C> {
  readonly kind: string;
  readonly rows: readonly FieldRow<T, C>[];
  /** Name of its schema in the API's document, where it is not that of its kind. */
  readonly schema?: string | undefined;
}

/** Defines an object table; `schema` names it in the API's document, where several tables are of one kind. */
export const objectTable = <T, C>(kind: string, rows: readonly FieldRow<T, C>[], schema?: string): ObjectTable<T, C> => ({
  kind,
  rows,
  schema,
});

/** The rows of a table that a profile shows. */
export const rowsFor = <T, C>(table: ObjectTable<T, C>, profile: Profile): FieldRow<T, C>[] =>
  table.rows.filter((row) => row.since <= profile.version && profile.version <= row.until && (profile.open || !row.open));

/** Builds one object as a neutral tree: the plain path, and the oracle of the compiled one. */
export const buildObject = <T, C>(table: ObjectTable<T, C>, source: T, context: C, profile: Profile): ObjectNode => {
  const fields: FieldNode[] = [];
  for (const row of rowsFor(table, profile)) {
    const value = row.build(source, context, profile);
    if (value !== undefined) fields.push(fieldNode(row.name, value, row.place));
  }
  return objectNode(fields);
};
