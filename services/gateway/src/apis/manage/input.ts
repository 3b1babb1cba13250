import { z } from 'zod';
import type { RequestParams } from '../../auth/index.js';
import { ManageProblem, type InputError } from './problems.js';

/** A request's input before it is checked. */
export interface RawInput {
  readonly params: Readonly<Record<string, string>>;
  /** Texts, and lists of texts for names that come again. */
  readonly query: RequestParams;
  readonly body: unknown;
}

interface InputSchemas {
  readonly params: z.ZodObject;
  readonly query: z.ZodObject;
  readonly body: z.ZodType | undefined;
}

/** Turns the text of a parameter into what its schema wants; a text that is none of it stays, for the schema to refuse. */
type Decode = (text: string) => unknown;

const NUMBER = /^-?(?:0|[1-9]\d{0,15})(?:\.\d{1,15})?$/;
const decodersByType: Readonly<Record<string, Decode>> = {
  integer: (text) => (NUMBER.test(text) ? Number(text) : text),
  number: (text) => (NUMBER.test(text) ? Number(text) : text),
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : text),
};

const decoderOf = (schema: z.ZodType): Decode => {
  const { type } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return (typeof type === 'string' ? decodersByType[type] : undefined) ?? ((text) => text);
};

const decoding = (schema: z.ZodObject): ((raw: RequestParams) => Record<string, unknown>) => {
  const decoders = new Map(Object.entries(schema.shape).map(([name, field]) => [name, decoderOf(field as z.ZodType)]));
  return (raw) =>
    Object.fromEntries(
      Object.entries(raw).map(([name, value]) => [name, typeof value === 'string' ? (decoders.get(name)?.(value) ?? value) : value]),
    );
};

const escaped = (part: PropertyKey): string => String(part).replaceAll('~', '~0').replaceAll('/', '~1');
const pointerOf = (path: readonly PropertyKey[]): string => path.map((part) => `/${escaped(part)}`).join('');

const LISTED = 20;

const errorsOf = (where: InputError['in'], error: z.ZodError): InputError[] =>
  error.issues
    .flatMap((issue) => {
      if (issue.code !== 'unrecognized_keys') return [{ in: where, pointer: pointerOf(issue.path), detail: issue.message }];
      return issue.keys.map((key) => ({ in: where, pointer: pointerOf([...issue.path, key]), detail: 'unknown field' }));
    })
    .slice(0, LISTED);

const isEmpty = (body: unknown): boolean =>
  body === undefined || (typeof body === 'object' && body !== null && Object.keys(body).length === 0);

const parsed = (where: InputError['in'], schema: z.ZodType, value: unknown): { data?: unknown; errors: InputError[] } => {
  const result = schema.safeParse(value);
  return result.success ? { data: result.data, errors: [] } : { errors: errorsOf(where, result.error) };
};

/** Parameters of a path that are none of its schema name nothing. */
const readPath = (schema: z.ZodObject, raw: Record<string, unknown>): unknown => {
  const result = schema.safeParse(raw);
  if (result.success) return result.data;
  throw new ManageProblem('path.not-found', 'There is nothing at this address', errorsOf('path', result.error));
};

/**
 * Returns the function that checks the input of an operation.
 * @throws ManageProblem `input.invalid` with every field at fault; `path.not-found`
 */
export const inputReader = ({ params, query, body }: InputSchemas): ((raw: RawInput) => Record<'params' | 'query' | 'body', unknown>) => {
  const [decodeParams, decodeQuery] = [decoding(params), decoding(query)];
  const bodySchema =
    body ??
    z
      .unknown()
      .refine(isEmpty, 'this operation takes no body')
      .transform(() => undefined);
  return (raw) => {
    const path = readPath(params, decodeParams(raw.params));
    const asked = parsed('query', query, decodeQuery(raw.query));
    const sent = parsed('body', bodySchema, body && raw.body === undefined ? {} : raw.body);
    const errors = [...asked.errors, ...sent.errors];
    if (errors.length > 0)
      throw new ManageProblem('input.invalid', errors.map(({ pointer, detail }) => `${pointer} ${detail}`.trim()).join('; '), errors);
    return { params: path, query: asked.data, body: sent.data };
  };
};
