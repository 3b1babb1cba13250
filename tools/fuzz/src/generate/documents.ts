import { readFileSync } from 'node:fs';

/** JSON Schema, as far as the documents of the APIs use it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly schema: Schema;
}

interface Described {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const documentOf = (name: string): Document =>
  JSON.parse(readFileSync(new URL(`../../../../contracts/openapi/${name}.json`, import.meta.url), 'utf8')) as Document;

const manage = documentOf('manage');
/** Paths of the management API, with their methods. */
export const managePaths = manage.paths;

/** The schema of the management API that another one refers to, or itself. */
export const resolved = (schema: Schema): Schema => {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (manage.components.schemas[name] ?? {});
};

const native = documentOf('native-8').paths;
/** Paths of the REST form in parts, variables in braces, each with a method. */
export const restPaths = Object.entries(native).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => ({ method: method.toUpperCase(), parts: path.split('/').slice(1) })),
);

const described = [native, documentOf('compat').paths].flatMap((paths) =>
  Object.values(paths).flatMap((methods) => Object.values(methods)),
);
const bodyOf = ({ requestBody }: Described): Schema => requestBody?.content['application/json']?.schema ?? {};
/** Fields of bodies. */
export const bodyFields: readonly string[] = [...new Set(described.flatMap((one) => Object.keys(bodyOf(one).properties ?? {})))];

const WHOLE = ['0', '1', '2', '5', '10', '50', '100', '1000'];
/** Spellings of yes and no. */
export const yesNo = ['0', '1', 'true', 'false'];

const valuesOf = ({ type, enum: values = [] }: Schema): readonly string[] => {
  if (type === 'boolean' || values.join() === '0,1') return yesNo;
  return values.length === 0 && type === 'integer' ? WHOLE : values.map(String);
};

const fields = described.flatMap((one) => [
  // Some are references to what all operations share.
  ...(one.parameters ?? []).filter((parameter) => 'schema' in parameter),
  ...Object.entries(bodyOf(one).properties ?? {}).map(([name, schema]) => ({ name, schema })),
]);

/** Values of the parameters of both APIs that take some only, by name. */
export const documentedValues: ReadonlyMap<string, readonly string[]> = new Map(
  [...Map.groupBy(fields, ({ name }) => name)].map(([name, all]) => [name, [...new Set(all.flatMap(({ schema }) => valuesOf(schema)))]]),
);
