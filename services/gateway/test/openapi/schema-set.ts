import { rowsFor, type AnyTable, type FieldKind, type FieldShape, type Profile } from '../../src/render/index.js';

/** A JSON schema of OpenAPI 3.1. */
export type Schema = { readonly [key: string]: unknown };

/** An object with exactly these properties; `optional` names those that may be absent. */
export const objectSchema = (properties: Readonly<Record<string, Schema>>, optional: readonly string[] = []): Schema => {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}), additionalProperties: false };
};

/** An array of one type. */
export const arrayOf = (items: Schema): Schema => ({ type: 'array', items });

/** One of several schemas, each named once. */
export const anyOf = (schemas: readonly Schema[]): Schema => {
  const distinct = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  const [only] = distinct;
  return distinct.length === 1 && only ? only : { anyOf: distinct };
};

/** The same schema, or null. */
export const orNull = (schema: Schema): Schema =>
  typeof schema['type'] === 'string' ? { ...schema, type: [schema['type'], 'null'] } : { anyOf: [schema, { type: 'null' }] };

const pascalCase = (name: string): string =>
  name.replaceAll(/(?:^|[_-])(?<letter>[a-z])/gi, (_, letter: string) => letter.toUpperCase()).replaceAll(/\W/g, '');

/** Whole numbers fit a JSON number; larger than 32 bits where they count bytes or seconds. */
const scalarSchemas = {
  text: { type: 'string' },
  integer: { type: 'integer', format: 'int64' },
  number: { type: 'number', format: 'double' },
  boolean: { type: 'boolean' },
  map: { type: 'object', additionalProperties: { type: 'string' } },
  any: {},
} as const satisfies Readonly<Record<string, Schema>>;

/** Several rows of one name are spellings of one field. */
interface Field {
  readonly schemas: Schema[];
  isOptional: boolean;
}

/** Makes schemas of object tables in one profile; each table becomes a named schema that others refer to. */
export class SchemaSet {
  readonly #names = new Map<AnyTable, string>();
  readonly #schemas = new Map<string, Schema>();

  constructor(readonly profile: Profile) {}

  /** Schemas by name, for `components`. */
  get components(): Readonly<Record<string, Schema>> {
    return Object.fromEntries([...this.#schemas].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Adds a named schema and refers to it. @throws Error when another schema has the name */
  named(name: string, schema: Schema): Schema {
    const known = this.#schemas.get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) throw new Error(`two schemas are named ${name}`);
    this.#schemas.set(name, schema);
    return { $ref: `#/components/schemas/${name}` };
  }

  /** Refers to a schema with a title by that; generators of clients make no usable type of alternatives without a name. */
  titled(schema: Schema): Schema {
    return typeof schema['title'] === 'string' ? this.named(schema['title'], schema) : schema;
  }

  /** Refers to the objects of a table. */
  of(table: AnyTable): Schema {
    const known = this.#names.get(table);
    if (known !== undefined) return { $ref: `#/components/schemas/${known}` };
    const name = pascalCase(table.schema ?? table.kind);
    // Known before its fields are made, so that a table may contain itself.
    this.#names.set(table, name);
    return this.named(name, this.inline(table));
  }

  /** The objects of a table, with further properties. */
  inline(table: AnyTable, more: Readonly<Record<string, Schema>> = {}): Schema {
    const fields = new Map<string, Field>();
    let others: Schema | false = false;
    for (const row of rowsFor(table, this.profile)) {
      if (row.place.json === 'none') continue;
      const shape = row.shape(this.profile);
      if (row.place.json === 'spread') {
        others = { type: 'string' };
        continue;
      }
      const field = fields.get(row.name) ?? { schemas: [], isOptional: true };
      field.schemas.push(this.#valueOf(shape));
      field.isOptional &&= shape.optional;
      fields.set(row.name, field);
    }
    const properties = Object.fromEntries([...fields].map(([name, { schemas }]) => [name, anyOf(schemas)]));
    const optional = [...fields].flatMap(([name, { isOptional }]) => (isOptional ? [name] : []));
    return { ...objectSchema({ ...properties, ...more }, optional), additionalProperties: others };
  }

  #valueOf(shape: FieldShape): Schema {
    const schema = this.#kindOf(shape);
    return shape.nullable ? orNull(schema) : schema;
  }

  #kindOf(shape: FieldKind): Schema {
    switch (shape.kind) {
      case 'id':
        return { type: this.profile.ids === 'number' ? 'integer' : 'string' };
      case 'object':
        return this.of(shape.table);
      case 'list':
        return arrayOf(anyOf(shape.tables.map((table) => this.of(table))));
      case 'scalars':
        return arrayOf({ type: shape.items });
      default:
        return scalarSchemas[shape.kind];
    }
  }
}
