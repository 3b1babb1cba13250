import { Ajv2019, type ValidateFunction } from 'ajv/dist/2019.js';
import addFormats from 'ajv-formats';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';
import { specificationFile } from './specification.js';

type Json = Record<string, unknown>;

const at = (root: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((node, key) => (node as Json | undefined)?.[key], root);

const keysOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));

/** Applies a JSON patch of plain additions, replacements and removals. */
const patch = (root: Json, operations: readonly { op: string; path: string; value?: unknown }[]): void => {
  for (const { op, path, value } of operations) {
    const keys = keysOf(path);
    const holder = at(root, keys.slice(0, -1)) as Json;
    const last = keys.at(-1) ?? '';
    if (op === 'remove') delete holder[last];
    else holder[last] = value;
  }
};

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Refuses what a schema does not name, in the place where it is used: behind references and all parts of an `allOf`. */
const close = (schema: unknown): void => {
  if (!isObject(schema)) return;
  if (schema['$ref'] !== undefined || schema['properties'] !== undefined || schema['allOf'] !== undefined)
    schema['unevaluatedProperties'] = false;
  inside(schema);
};

/** Closes everything below a schema, but not itself: parts of an `allOf` know only a part of the names. */
const inside = (schema: unknown): void => {
  if (!isObject(schema)) return;
  for (const part of (schema['allOf'] ?? []) as unknown[]) inside(part);
  for (const choice of [...((schema['oneOf'] ?? []) as unknown[]), ...((schema['anyOf'] ?? []) as unknown[])]) close(choice);
  for (const property of Object.values((schema['properties'] ?? {}) as Json)) close(property);
  close(schema['items']);
};

/** The published OpenAPI document with its corrections. */
export const publishedOpenApi = (): Json => {
  const document = JSON.parse(specificationFile('compat/openapi.json')) as Json;
  patch(document, document['x-corrections'] as []);
  return document;
};

/** An operation of the published table. */
export interface PublishedEndpoint {
  readonly name: string;
  readonly params: readonly { readonly name: string }[];
  readonly binary?: boolean;
  /** A role, or null for every account. */
  readonly requires: string | null;
}

/** The published table of operations. */
export const publishedEndpoints = (): PublishedEndpoint[] =>
  (JSON.parse(specificationFile('compat/endpoints.json')) as { endpoints: PublishedEndpoint[] }).endpoints;

/** Answers against the published descriptions: JSON with every property that they do not name refused, XML of the legacy form against its schema. */
export class CompatSchemas {
  readonly #document = publishedOpenApi();
  readonly #binary = new Set(
    publishedEndpoints()
      .filter(({ binary }) => binary)
      .map(({ name }) => name.toLowerCase()),
  );
  readonly #ajv = new Ajv2019({ strict: false, allErrors: true });
  readonly #xsd = XmlDocument.fromString(specificationFile('compat/subsonic-1.16.1.xsd'));
  readonly #legacy = XsdValidator.fromDoc(this.#xsd);

  constructor() {
    (addFormats as unknown as (target: Ajv2019) => void)(this.#ajv);
    for (const schema of Object.values(at(this.#document, ['components', 'schemas']) as Json)) inside(schema);
    this.#ajv.addSchema(this.#document, 'published');
  }

  #validatorOf(answered: string): ValidateFunction {
    // What answers bytes has only refusals to be read, which are everywhere the same.
    const operation = this.#binary.has(answered.toLowerCase()) ? 'ping' : answered;
    const path = at(this.#document, ['paths', `/rest/${operation}`]) as Json;
    const response = at(path['get'] ?? path['post'], ['responses', '200']) as { $ref?: string };
    const inPlace = response.$ref ? at(this.#document, response.$ref.split('/').slice(1)) : response;
    // A corrected schema stands in its place instead of pointing to one.
    const schema = at(inPlace, ['content', 'application/json', 'schema']) as { $ref?: string };
    const { $ref = `${response.$ref}/content/application~1json/schema` } = schema;
    const validate = this.#ajv.getSchema(`published${$ref}`);
    if (!validate) throw new Error(`no schema of ${operation}`);
    return validate;
  }

  /** What is wrong with an extended answer in JSON; empty for a valid one. */
  jsonFaults(operation: string, text: string): string[] {
    const validate = this.#validatorOf(operation);
    if (validate(JSON.parse(text))) return [];
    return (validate.errors ?? []).map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`);
  }

  /** What is wrong with a legacy answer in XML; empty for a valid one. */
  legacyXmlFaults(text: string): string[] {
    try {
      using answer = XmlDocument.fromString(text);
      this.#legacy.validate(answer);
      return [];
    } catch (error) {
      return [String(error)];
    }
  }

  /** Whether a text is well-formed XML; empty when it is. */
  xmlFaults(text: string): string[] {
    try {
      XmlDocument.fromString(text).dispose();
      return [];
    } catch (error) {
      return [String(error)];
    }
  }
}
