import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { specificationFile } from '../../api-facts/specification.js';

interface Operation {
  readonly operationId?: string;
  readonly responses?: Readonly<Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: object }>> }>>;
}
interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly 'x-rpc-mappings': Readonly<Record<string, string>>;
}

/** A verb and path of the OpenAPI document. */
interface Place {
  readonly path: string;
  readonly verb: string;
}

const VERBS = ['get', 'post', 'put', 'patch', 'delete'];
const escaped = (path: string): string => encodeURIComponent(path.replaceAll('~', '~0').replaceAll('/', '~1'));
const JSON_SCHEMA = 'responses/200/content/application~1json/schema';

/** Verbs and paths by action; `GET /songs` and `/songs` mean the same. */
const placesOf = (document: OpenApi): Map<string, Place[]> => {
  const places = new Map<string, Place[]>();
  for (const [key, call] of Object.entries(document['x-rpc-mappings'])) {
    const [verb, path] = key.includes(' ') ? key.split(' ') : [undefined, key];
    const action = new URLSearchParams(call).get('action') ?? '';
    const verbs = verb === undefined ? VERBS.slice(0, 1) : [verb.toLowerCase()];
    const found = verbs.filter((one) => document.paths[path ?? '']?.[one]).map((one) => ({ path: path ?? '', verb: one }));
    places.set(action, [...(places.get(action) ?? []), ...found]);
  }
  return places;
};

const idPlace = (document: OpenApi, operation: string): Place[] =>
  Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).flatMap(([verb, { operationId }]) => (operationId === operation ? [{ path, verb }] : [])),
  );

/** Published schemas of one version's JSON answers. */
export class AnswerSchemas {
  readonly #document: OpenApi;
  readonly #places: Map<string, Place[]>;
  readonly #ajv = new Ajv({ strict: false, allErrors: true });

  constructor(version: 6 | 8) {
    this.#document = JSON.parse(specificationFile(`native/openapi-${version}.json`)) as OpenApi;
    this.#places = placesOf(this.#document);
    (addFormats as unknown as (target: Ajv) => void)(this.#ajv);
    this.#ajv.addSchema(this.#document, 'published');
  }

  /** Schemas of a successful answer: by operation, else the one shared by the action's paths. */
  ofAction(action: string, operations: readonly string[]): ValidateFunction[] {
    const places = operations.flatMap((operation) => idPlace(this.#document, operation));
    const all = places.length > 0 ? places : (this.#places.get(action) ?? []);
    return all.flatMap(({ path, verb }) => {
      if (!this.#document.paths[path]?.[verb]?.responses?.['200']?.content?.['application/json']?.schema) return [];
      const found = this.#ajv.getSchema(`published#/paths/${escaped(path)}/${verb}/${JSON_SCHEMA}`);
      return found ? [found as ValidateFunction] : [];
    });
  }

  /** Schema of an error. */
  get error(): ValidateFunction {
    return this.#ajv.getSchema('published#/components/schemas/ErrorResponse') as ValidateFunction;
  }
}

/** Faults of an answer that fits no schema: those of the best fit. */
export const schemaFaults = (schemas: readonly ValidateFunction[], answer: unknown): string[] => {
  const faults = schemas.map((validate) =>
    validate(answer) ? [] : (validate.errors ?? []).map(({ instancePath, message = '' }) => `${instancePath} ${message}`),
  );
  return faults.toSorted((a, b) => a.length - b.length)[0] ?? [];
};
