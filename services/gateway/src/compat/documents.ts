import { compileJson, compileXml } from '../render/compile.js';
import { objectTable } from '../render/object-table.js';
import { XML_DECLARATION } from '../render/xml.js';
import type { CompatError } from './errors.js';
import { fieldsOf, OPEN, type CompatField, type CompatTable } from './objects/fields.js';
import { compatXml, type CompatPolicy } from './policy.js';
import { PRODUCT } from './product.js';

const NAMESPACE = 'http://subsonic.org/restapi';
const ROOT = 'subsonic-response';
/** The level of the protocol that this server speaks. */
export const PROTOCOL_VERSION = '1.16.1';

/** What one answer is made from: a payload, or an error. */
export interface EnvelopeSource<S> {
  readonly payload?: S;
  readonly error?: ErrorSource;
}

interface ErrorSource {
  readonly code: number;
  readonly message: string;
  readonly helpUrl?: string | undefined;
}

/** What stands in an envelope beside its own fields. */
export type Body<S> = CompatField<EnvelopeSource<S>>;

/** One object under a name. */
export const objectBody = <S>(name: string, table: CompatTable<S>): Body<S> =>
  fieldsOf<EnvelopeSource<S>>().one(name, table, ({ payload }) => payload);

/** Objects directly in the envelope: a repeated element, an array. */
export const listBody = <U>(name: string, table: CompatTable<U>): Body<readonly U[]> =>
  fieldsOf<EnvelopeSource<readonly U[]>>().many(name, table, ({ payload }) => payload);

/** An object under a name that holds one list and nothing else. */
export const containerBody = <U>(name: string, item: string, table: CompatTable<U>): Body<readonly U[]> =>
  objectBody(name, objectTable(name, [fieldsOf<readonly U[]>().many(item, table, (all) => all)]));

const errorFields = fieldsOf<ErrorSource>();
const errorTable = objectTable('error', [
  errorFields.num('code', (e) => e.code),
  errorFields.text('message', (e) => e.message),
  errorFields.text('helpUrl', (e) => e.helpUrl, OPEN),
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
    fields.one('error', errorTable, ({ error }) => error),
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

/** Makes the writer of one shape of answer; without a body the envelope alone. Each form and format is compiled when it is first asked for. */
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
  };
};

const plain = documentWriter<never>();

/** An answer that says no more than ok. */
export const okDocument = (format: CompatFormat, policy: CompatPolicy): string => plain.write({}, format, policy);

/** An answer that says what went wrong. */
export const errorDocument = (error: CompatError, format: CompatFormat, policy: CompatPolicy): string =>
  plain.write({ error: { code: policy.errorCode(error.code), message: error.message, helpUrl: error.helpUrl } }, format, policy);
