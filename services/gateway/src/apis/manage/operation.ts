import type { AccessLevel, Context, KeyScope, ManageFamily } from '@continuo/contracts';
import { z } from 'zod';
import type { CallerContext } from '../../server/requests/request-context.js';
import type { Download } from '../../features/media/send-bytes.js';
import type { Viewer } from '../../reads/visibility/viewer.js';
import { inputReader, type RawInput } from './input.js';
import type { ProblemCode } from './problems.js';

/** Methods of the management API. HEAD is answered wherever GET is. */
export type ManageMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A call of an authenticated caller whose input has been checked. */
export interface OperationCall<P, Q, B, S> {
  /** Parameters of the path. */
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly request: CallerContext;
  readonly viewer: Viewer;
  readonly services: S;
}

/** Names an aggregate of the log: its context, kind and id. */
export type AggregateName = readonly [context: Context, kind: string, id: string | number];

/** Call of a handler without its checked input: request, viewer and services. */
type CallContext<S> = Omit<OperationCall<never, never, never, S>, 'params' | 'query' | 'body'>;

/** One operation: its address, who may call it, its schemas, and what it does. The document, the client and the specs are derived from it. */
export interface OperationRow<S> {
  readonly method: ManageMethod;
  /** Path below `/manage/v1`, parameters in braces. */
  readonly path: string;
  readonly family: ManageFamily;
  readonly access: 'read' | 'write';
  /** Scope that a key with a list of scopes needs. */
  readonly scope: KeyScope;
  /** Lowest access level. */
  readonly level: AccessLevel;
  readonly summary: string;
  readonly description?: string;
  readonly params: z.ZodObject;
  readonly query: z.ZodObject;
  /** Absent from operations without a body. */
  readonly body?: z.ZodType;
  /** Largest body, bytes; that of a form when absent. */
  readonly bodyBytes?: number;
  /** Absent from operations that answer 204 or bytes. */
  readonly answer?: z.ZodType;
  /** Media type of operations that answer a {@link Download} instead of JSON. */
  readonly bytes?: string;
  readonly status: 200 | 201 | 202 | 204;
  /** True for answers with an `ETag`: everything but lists and downloads. */
  readonly tagged: boolean;
  /** Fields that change by themselves, such as times of use: the tag does not depend on them. */
  readonly volatile: readonly string[];
  /** Codes of refusals beside those that every operation has. */
  readonly errors: readonly ProblemCode[];
  /** Address of what was created or started, below `/manage/v1`. */
  readonly locate?: (answer: never) => string;
  /** Checks the input and returns what does the work. @throws ManageProblem for input that is not usable */
  prepare(raw: RawInput): (call: CallContext<S>) => Promise<unknown>;
  /** Finds the aggregates that the resource shows; absent where it shows none. */
  readonly aggregates?: (raw: RawInput) => (call: CallContext<S>) => Promise<readonly AggregateName[]>;
}

interface Definition<P extends z.ZodObject, Q extends z.ZodObject, B, A, S> {
  readonly method: ManageMethod;
  readonly path: `/${string}`;
  readonly family: ManageFamily;
  readonly access: 'read' | 'write';
  /** Lowest access level; administrators when absent. */
  readonly level?: AccessLevel;
  /** One line: what it does, and for lists their order. */
  readonly summary: string;
  /** More about it, for the document. */
  readonly description?: string;
  readonly params?: P;
  readonly query?: Q;
  /** An object that refuses unknown fields (`z.strictObject`). */
  readonly body?: z.ZodType<B>;
  /** Largest body, bytes, where it holds a file as base64; that of a form when absent. */
  readonly bodyBytes?: number;
  readonly answer?: z.ZodType<A>;
  readonly bytes?: string;
  readonly status?: 200 | 201 | 202;
  /** False for a single thing whose answers differ each time. */
  readonly tagged?: boolean;
  readonly errors?: readonly ProblemCode[];
  readonly volatile?: readonly string[];
  readonly locate?: (answer: A) => string;
  /** Aggregates that the resource shows: a write under `If-Match` is refused when one of them has changed. */
  readonly aggregates?: (call: OperationCall<z.output<P>, z.output<Q>, B, S>) => Promise<readonly AggregateName[]>;
  readonly run: (call: OperationCall<z.output<P>, z.output<Q>, B, S>) => Promise<A>;
}

const none = z.strictObject({});
type None = typeof none;

const isList = (answer: z.ZodType | undefined): boolean => answer instanceof z.ZodObject && 'nextCursor' in answer.shape;

/** A GET that answers a file. */
type DownloadDefinition<P extends z.ZodObject, S> = Omit<
  Definition<P, None, undefined, Download, S>,
  'method' | 'answer' | 'bytes' | 'status' | 'tagged' | 'query' | 'body'
> & { readonly bytes: string };

/** Answers the functions that define operations whose handlers are given the services `S`. */
export const operationsUsing = <S>() => {
  const operation = <P extends z.ZodObject = None, Q extends z.ZodObject = None, B = undefined, A = void>(
    definition: Definition<P, Q, B, A, S>,
  ): OperationRow<S> => {
    const {
      level = 100,
      params = none,
      query = none,
      answer,
      tagged = !isList(answer),
      errors = [],
      volatile = [],
      aggregates,
      run,
      status,
      ...facts
    } = definition;
    const read = inputReader({ params, query, body: definition.body });
    const withInput =
      <R>(work: (call: OperationCall<z.output<P>, z.output<Q>, B, S>) => R) =>
      (raw: RawInput) => {
        const input = read(raw) as { params: z.output<P>; query: z.output<Q>; body: B };
        return (call: CallContext<S>): R => work({ ...call, ...input });
      };
    return {
      ...facts,
      scope: `manage:${facts.access}:${facts.family}`,
      level,
      params,
      query,
      errors,
      volatile,
      tagged: tagged && answer !== undefined,
      ...(answer === undefined ? { status: facts.bytes === undefined ? 204 : 200 } : { answer, status: status ?? 200 }),
      ...(aggregates ? { aggregates: withInput(aggregates) } : {}),
      prepare: withInput(run),
    };
  };
  return {
    /** Defines an operation. */
    operation,
    /** Defines an operation that answers a file of the media type `bytes`. */
    download: <P extends z.ZodObject = None>(definition: DownloadDefinition<P, S>): OperationRow<S> =>
      operation<P, None, undefined, Download>({ ...definition, method: 'GET' }),
  };
};

/** Services that the handlers of rows are given, taken together. */
export type ServicesOfOperations<R> = Intersection<R extends OperationRow<infer S> ? S : never>;
type Intersection<U> = (U extends unknown ? (member: U) => void : never) extends (all: infer I) => void ? I : never;
