import { readFileSync } from 'node:fs';

/** JSON Schema, as far as the document of the management API uses it. */
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

interface Parameter {
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

/** An operation of the management API, as its document says. */
export interface ManageOperation {
  readonly name: string;
  readonly method: string;
  /** Below the prefix, parameters in braces. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** Absent from operations without a body. */
  readonly body?: Schema;
  /** Statuses of answers. */
  readonly statuses: ReadonlySet<number>;
  /** True where the answer is bytes in place of JSON. */
  readonly isBytes: boolean;
}

const document = JSON.parse(readFileSync(new URL('../../../../contracts/openapi/manage.json', import.meta.url), 'utf8')) as Document;

/** All operations of the management API. */
export const manageOperations: readonly ManageOperation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId, parameters = [], requestBody, responses }]) => ({
    name: operationId,
    method: method.toUpperCase(),
    path,
    parameters,
    ...(requestBody ? { body: requestBody.content['application/json'].schema } : {}),
    statuses: new Set(Object.keys(responses).map(Number)),
    isBytes: Object.values(responses).some(({ content = {} }) => 'application/octet-stream' in content),
  })),
);

/** The schema that another one refers to, or itself. */
export const resolved = (schema: Schema): Schema => {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (document.components.schemas[name] ?? {});
};
