import { errorTable, Rejection, type ErrorCode } from '@continuo/contracts';
import { z } from 'zod';
import { ServerBusy } from '../../server/concurrency-limiter.js';
import { problemStatuses } from './problem-statuses.js';

/** Problems of the management API itself, beside the codes of {@link errorTable}: meaning and status. */
export const manageProblems = {
  'path.not-found': { status: 404, meaning: 'there is nothing at this address' },
  'access.last-rule': { status: 409, meaning: 'no other row of the access list admits the caller' },
  'method.not-allowed': { status: 405, meaning: 'the address does not take this method' },
  'body.unsupported': { status: 415, meaning: 'the body has to be JSON' },
  'idempotency.reused': { status: 422, meaning: 'the idempotency key belongs to another request' },
  'idempotency.running': { status: 409, meaning: 'the request with this idempotency key is still running' },
} as const satisfies Record<string, { status: number; meaning: string }>;

/** Codes of problems. */
export type ProblemCode = ErrorCode | keyof typeof manageProblems;

/** Where in a request something is wrong. */
const inputError = z
  .object({
    in: z.enum(['body', 'query', 'path', 'header']).meta({ description: 'Part of the request' }),
    pointer: z.string().meta({ description: 'JSON Pointer into that part' }),
    detail: z.string(),
  })
  .meta({ id: 'InputError' });
export type InputError = z.infer<typeof inputError>;

/** Schema of every refusal and failure (RFC 9457), `application/problem+json`. */
export const problemSchema = z
  .object({
    type: z.string().meta({ description: 'Stable reference of the kind of problem, with its code as fragment' }),
    title: z.string(),
    status: z.int().min(400).max(599),
    detail: z.string(),
    correlationId: z.string().meta({ description: 'The same in the answer’s x-correlation-id header and in the log' }),
    errors: z.array(inputError).optional(),
  })
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof problemSchema>;

/** A problem that the management API itself finds. */
export class ManageProblem extends Error {
  override readonly name = 'ManageProblem';
  constructor(
    readonly code: ProblemCode,
    message: string,
    readonly errors: readonly InputError[] = [],
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
  }
}

/** The problem of a field of a body that names or holds something unusable. */
export const badField = (pointer: string, detail: string): ManageProblem =>
  new ManageProblem('input.invalid', `${pointer} ${detail}`, [{ in: 'body', pointer, detail }]);

/** Seconds to wait after a refusal that says nothing about it. */
const RETRY_AFTER_SECONDS = 5;

const RETRIED: ReadonlySet<number> = new Set([429, 503]);
const DELAY = /in (?<seconds>\d+) seconds/;

/** Seconds for `Retry-After`; undefined where trying again does not help. */
export const retryAfterOf = (error: ManageProblem | Rejection, status: number): number | undefined => {
  if (error instanceof ManageProblem) return error.retryAfterSeconds;
  if (error instanceof ServerBusy) return error.retryAfterSeconds;
  const told = DELAY.exec(error.message)?.groups?.['seconds'];
  return RETRIED.has(status) ? Number(told ?? RETRY_AFTER_SECONDS) : undefined;
};

const isOwn = (code: string): code is keyof typeof manageProblems => Object.hasOwn(manageProblems, code);

/** HTTP status of a problem. */
export const statusOfProblem = (code: ProblemCode): number => (isOwn(code) ? manageProblems[code].status : problemStatuses[code]);

/** Title of a problem: what its code means. */
export const titleOfProblem = (code: ProblemCode): string => (isOwn(code) ? manageProblems[code].meaning : errorTable[code].meaning);

/** Reference of a kind of problem, below the server's own address. */
export const typeOfProblem = (code: ProblemCode): string => `/docs/problems#${code}`;

const FIELD = /^[a-z]\w{0,40}$/i;

const errorsOf = (error: ManageProblem | Rejection): readonly InputError[] => {
  if (error instanceof ManageProblem) return error.errors;
  // Some subjects are the value at fault, not its field.
  const isInput = problemStatuses[error.code] === 400 && FIELD.test(error.subject ?? '');
  return isInput ? [{ in: 'body', pointer: `/${error.subject}`, detail: error.message }] : [];
};

/** The document of a problem. */
export const problemOf = (error: ManageProblem | Rejection, correlationId: string): Problem => {
  const { code, message } = error;
  const errors = errorsOf(error);
  return {
    type: typeOfProblem(code),
    title: titleOfProblem(code),
    status: statusOfProblem(code),
    detail: message,
    correlationId,
    ...(errors.length > 0 ? { errors: [...errors] } : {}),
  };
};
