import { compileJson, compileXml } from '../../render/compile.js';
import type { Listed } from '../../render/flow.js';
import { jsonParts } from '../../render/json.js';
import { fieldNode, objectNode } from '../../render/node.js';
import { buildObject, objectTable } from '../../render/object-table.js';
import type { Part } from '../../render/parts.js';
import { XML_DECLARATION, xmlParts } from '../../render/xml.js';
import type { CompatError } from './errors.js';
import { fieldsOf, OPEN, type CompatField, type CompatTable, OPTIONAL, OPEN_OPTIONAL } from './objects/fields.js';
import { compatXml, type CompatPolicy } from './policy.js';
import { PRODUCT } from './product.js';

const NAMESPACE = 'http://subsonic.org/restapi';
const ROOT = 'subsonic-response';
/** Protocol version of this server. */
export const PROTOCOL_VERSION = '1.16.1';

/** Source of an answer: a payload or an error. */
export interface EnvelopeSource<S> {
  readonly payload?: S;
  readonly error?: ErrorSource;
}

interface ErrorSource {
  readonly code: number;
  readonly message: string;
  readonly helpUrl?: string | undefined;
}

/** Payload of an envelope. */
export type Body<S> = CompatField<EnvelopeSource<S>>;

const payloadOf = <S>({ payload }: EnvelopeSource<S>): S | undefined => payload;

/** A payload that every successful answer has. */
const always = <S>(body: Body<S>): Body<S> => ({ ...body, shape: (profile) => ({ ...body.shape(profile), optional: false }) });

/** One object under a name. */
export const objectBody = <S>(name: string, table: CompatTable<S>): Body<S> =>
  always(fieldsOf<EnvelopeSource<S>>().one(name, table, payloadOf, OPTIONAL));

/** Objects directly in the envelope: a repeated element, an array. */
export const listBody = <U>(name: string, table: CompatTable<U>): Body<Listed<U>> =>
  always(fieldsOf<EnvelopeSource<Listed<U>>>().many(name, table, payloadOf, OPTIONAL));

/** An object under a name that holds one list and nothing else. */
export const containerBody = <U>(name: string, item: string, table: CompatTable<U>): Body<Listed<U>> =>
  objectBody(name, objectTable(name, [fieldsOf<Listed<U>>().many(item, table, (all) => all)]));

const errorFields = fieldsOf<ErrorSource>();
const errorTable = objectTable('error', [
  errorFields.int('code', (e) => e.code),
  errorFields.text('message', (e) => e.message),
  errorFields.text('helpUrl', (e) => e.helpUrl, OPEN_OPTIONAL),
]);

const envelope = <S>(body: Body<S> | undefined): CompatTable<EnvelopeSource<S>> => {
  const fields = fieldsOf<EnvelopeSource<S>>();
  return objectTable(ROOT, [
    fields.xmlOnly('xmlns', () => NAMESPACE),
    fields.text('status', ({ error }) => (error ? 'failed' : 'ok')),
    fields.text('version', () => PROTOCOL_VERSION),
    fields.text('type', () => PRODUCT.type, OPEN),
    fields.text('serverVersion', () => PRODUCT.version, OPEN),
    fields.bool('openSubsonic', () => true, OPEN),
    fields.one('error', errorTable, ({ error }) => error, OPTIONAL),
    ...(body ? [body] : []),
  ]);
};

/** The formats of an answer. */
export type CompatFormat = 'xml' | 'json';

/** Writes answers of one shape. */
export interface DocumentWriter<S> {
  /** The table of the whole answer. */
  readonly table: CompatTable<EnvelopeSource<S>>;
  write(source: EnvelopeSource<S>, format: CompatFormat, policy: CompatPolicy): string;
  /** The same as parts, for a source with lists that are read while they are written. */
  parts(source: EnvelopeSource<S>, format: CompatFormat, policy: CompatPolicy): readonly Part[];
}

type Write<S> = (source: EnvelopeSource<S>) => string;

const compile = <S>(table: CompatTable<EnvelopeSource<S>>, format: CompatFormat, policy: CompatPolicy): Write<S> => {
  if (format === 'json') {
    const write = compileJson(table, policy.profile);
    return (source) => `{"${ROOT}":${write(source, undefined)}}`;
  }
  const write = compileXml(table, policy.profile, compatXml);
  return (source) => XML_DECLARATION + write(source, undefined);
};

/**
 * Creates the writer for one shape of answer; without a body it writes the envelope alone. Forms and formats are compiled at first use.
 */
export const documentWriter = <S>(body?: Body<S>): DocumentWriter<S> => {
  const table = envelope(body);
  const compiled = new Map<string, Write<S>>();
  return {
    table,
    write: (source, format, policy) => {
      const key = `${policy.name}/${format}`;
      const write = compiled.get(key) ?? compile(table, format, policy);
      compiled.set(key, write);
      return write(source);
    },
    parts: (source, format, { profile }) => {
      const tree = buildObject(table, source, undefined, profile);
      return format === 'json' ? jsonParts(objectNode([fieldNode(ROOT, tree)])) : xmlParts(ROOT, tree, compatXml);
    },
  };
};

const plain = documentWriter<never>();

/** Table of an answer without a payload. */
export const okTable = plain.table;

/** An empty successful answer. */
export const okDocument = (format: CompatFormat, policy: CompatPolicy): string => plain.write({}, format, policy);

/** An error answer. */
export const errorDocument = (error: CompatError, format: CompatFormat, policy: CompatPolicy): string =>
  plain.write({ error: { code: policy.errorCode(error.code), message: error.message, helpUrl: error.helpUrl } }, format, policy);
