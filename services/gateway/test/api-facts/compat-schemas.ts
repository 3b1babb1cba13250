import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';
import { schemasOf, xmlSchemaOf, type ShapeTypes } from './answer-shapes.js';
import { compatAnswers, compatEndpoints, legacyXmlTypes, nativeAnswers } from './api-facts.js';

const typesOf = (rows: typeof compatAnswers): ShapeTypes => Object.fromEntries(rows.map(({ name, shape }) => [name, shape]));

/** Keys of the original API that clients show and the OpenSubsonic document lacks (docs/decisions/0070). */
const forgotten: Readonly<Record<string, object>> = { User: { 'email?': 'string' }, Child: { 'name?': 'string', 'songCount?': 'integer' } };

/** Types of the extended form. */
export const extendedTypes: ShapeTypes = Object.fromEntries(
  compatAnswers.map(({ name, shape }) => [name, name in forgotten ? { ...(shape as object), ...forgotten[name] } : shape]),
);
/** Types of the legacy form. */
export const legacyTypes: ShapeTypes = typesOf(legacyXmlTypes);

const newAjv = (): Ajv => {
  const ajv = new Ajv({ strict: false, allErrors: true });
  (addFormats as unknown as (target: Ajv) => void)(ajv);
  return ajv;
};

/** Validators of the types of native answers in a version. */
export const nativeValidators = (version: number): ((type: string) => ValidateFunction | undefined) => {
  const types = typesOf(nativeAnswers.filter((row) => row.version === version));
  const ajv = newAjv().addSchema({ $id: 'answers', $defs: schemasOf(types) });
  return (type) => ajv.getSchema(`answers#/$defs/${type}`);
};

/** Whole answers, by operation. */
const answers: ShapeTypes = Object.fromEntries(
  compatEndpoints.map(({ name, answer }) => [
    name,
    { 'subsonic-response': { '|': [{ '<': 'SubsonicSuccessResponse', ...answer }, 'SubsonicFailureResponse'] } },
  ]),
);

/** Answers against contracts/api: JSON with every key that is not named there refused, XML of the legacy form against its schema. */
export class CompatSchemas {
  readonly #ajv = newAjv().addSchema({ $id: 'answers', $defs: schemasOf({ ...extendedTypes, ...answers }) });
  readonly #xsd = XmlDocument.fromString(xmlSchemaOf(legacyTypes, 'http://subsonic.org/restapi'));
  readonly #legacy = XsdValidator.fromDoc(this.#xsd);

  /** Returns the schema violations of an extended answer in JSON; empty for a valid one. */
  jsonFaults(operation: string, text: string): string[] {
    const validate = this.#ajv.getSchema(`answers#/$defs/${operation}`);
    if (!validate) throw new Error(`no answer of ${operation}`);
    if (validate(JSON.parse(text))) return [];
    return (validate.errors ?? []).map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`);
  }

  /** Returns the schema violations of a legacy answer in XML; empty for a valid one. */
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
