import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
/** Checks answers against the schemas of one document, each of which is compiled once. */
export class SchemaCheck {
  readonly #known = new Map<string, ValidateFunction>();

  /** @param name that of the document, different from all others */
  constructor(
    private readonly name: string,
    components: object,
  ) {
    ajv.addSchema({ $id: name, components: this.#within(components) });
  }

  /** Violations of a schema by an answer, in words; `key` is the same for the same schema. */
  violations(key: string, schema: () => object, answer: unknown): string[] {
    const validate = this.#known.get(key) ?? ajv.compile(this.#within(schema()));
    this.#known.set(key, validate);
    if (validate(answer)) return [];
    return (validate.errors ?? []).map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`);
  }

  #within(schema: object): object {
    return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', `"${this.name}#/components/`)) as object;
  }
}

/** Faults of an OpenAPI document: violations of the schema of OpenAPI, and references that lead nowhere. */
export const documentFaults = async (document: object): Promise<unknown[]> => {
  const validator = new Validator();
  const result = await validator.validate(structuredClone(document) as Record<string, unknown>);
  if (!result.valid) return [result.errors].flat();
  const schemas = (document as { components: { schemas: object } }).components.schemas;
  const named = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(?<name>[^"]+)"/g)].map(
    ({ groups }) => groups?.['name'] ?? '',
  );
  return [...new Set(named)].filter((name) => !Object.hasOwn(schemas, name));
};
