import { Rejection, type AccessLevel } from '@continuo/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { CallerContext } from '../../../server/requests/request-context.js';
import type { PreferenceSnapshot } from '../../../preferences/index.js';
import type { Viewer } from '../../../reads/visibility/viewer.js';
import type { AnyTable } from '../../../render/object-table.js';
import type { Part } from '../../../render/parts.js';
import { documentWriter, okDocument, okTable, type Body, type CompatFormat } from '../documents.js';
import { CompatError } from '../errors.js';
import { readParameters, type ParameterBag } from '../parameters.js';
import type { CompatPolicy } from '../policy.js';
import { rolesOf, type Role } from '../roles.js';
import type { HasConfig } from '../../../server/needs.js';

/** A call before its parameters are read. */
export interface CallBase<S> {
  readonly bag: ParameterBag;
  readonly services: S;
  readonly policy: CompatPolicy;
  readonly format: CompatFormat;
}

/** A call of an authenticated caller. */
export interface UserCallBase<S> extends CallBase<S> {
  readonly context: CallerContext;
  readonly viewer: Viewer;
  readonly preferences: PreferenceSnapshot;
}

/** A call with its parameters. */
export interface Call<P, S> extends UserCallBase<S> {
  readonly params: P;
}

/** Required access of an operation. */
export interface Access {
  /** Lowest access level; 5 includes guests. */
  readonly level: AccessLevel;
  /** Role that the caller must also have. */
  readonly role?: Role;
}

type Shape = z.ZodRawShape;

interface Row {
  readonly access: Access | 'public';
  /** Schemas of its parameters. */
  readonly fields: Shape;
}

/** An operation that answers with a document. */
export interface DocumentEndpoint<S> extends Row {
  readonly kind: 'document';
  /** Table of its whole answer. */
  readonly table: AnyTable;
  readonly access: Access;
  /** True for an operation that the legacy form does not have. */
  readonly open?: boolean;
  /** True for a list that is kept until the library, its plays or its annotations change. @throws CompatError for invalid parameters */
  readonly isKept?: (bag: ParameterBag) => boolean;
  run(call: UserCallBase<S>): Promise<DocumentText>;
}

/** A document: text, or parts when lists are read while it is written. */
export type DocumentText = string | readonly Part[];

/** An operation without authentication. */
export interface PublicEndpoint<S> extends Row {
  readonly kind: 'public';
  /** Table of its whole answer. */
  readonly table: AnyTable;
  readonly access: 'public';
  run(call: CallBase<S>): Promise<string>;
}

/** An operation that answers with bytes. */
export interface BinaryEndpoint<S> extends Row {
  readonly kind: 'binary';
  readonly access: Access;
  /** True for an operation that the legacy form does not have. */
  readonly open?: boolean;
  /** True when failures also have an HTTP status. */
  readonly tellsStatus?: boolean;
  send(call: UserCallBase<S>, http: { request: FastifyRequest; reply: FastifyReply }): Promise<FastifyReply>;
}

export type EndpointRow<S> = DocumentEndpoint<S> | PublicEndpoint<S> | BinaryEndpoint<S>;

/** Every account, including guests. */
export const anybody: Access = { level: 5 };
/** Catalog managers and administrators. */
export const catalogManagers: Access = { level: 75 };
export const administrators: Access = { level: 100 };

/** Parameters of an operation, from their schemas. */
export type Parsed<F extends Shape> = z.output<z.ZodObject<F>>;

/** Creates a reader for an operation's parameters. */
const reader = <F extends Shape>(fields: F): ((bag: ParameterBag) => Parsed<F>) => {
  const schema = z.object(fields);
  return (bag) => readParameters(schema as unknown as z.ZodType<Parsed<F>>, bag);
};

/** Answers the functions that define operations whose handlers are given the services `S`. */
// oxlint-disable-next-line max-lines-per-function -- four definitions that share a type parameter
export const endpointsUsing = <S>() => ({
  /** Defines an operation that answers with a document. */
  document: <F extends Shape, B>(row: {
    access: Access;
    open?: boolean;
    params: F;
    body: Body<B>;
    answer: (call: Call<Parsed<F>, S>) => Promise<B> | B;
    /** True when long lists are read while they are written. */
    flows?: boolean;
    /** See {@link DocumentEndpoint}. Such an answer must depend on nothing but parameters, viewer, wanted year of albums and read tables. */
    kept?: (params: Parsed<F>) => boolean;
  }): DocumentEndpoint<S> => {
    const read = reader(row.params);
    const writer = documentWriter(row.body);
    const text = (payload: B, { format, policy }: CallBase<S>): DocumentText =>
      row.flows ? writer.parts({ payload }, format, policy) : writer.write({ payload }, format, policy);
    return {
      kind: 'document',
      access: row.access,
      open: row.open ?? false,
      table: writer.table,
      isKept: (bag) => row.kept?.(read(bag)) ?? false,
      fields: row.params,
      run: async (call) => text(await row.answer({ ...call, params: read(call.bag) }), call),
    };
  },

  /** Defines an operation that answers with an empty envelope. */
  action: <F extends Shape>(row: {
    access: Access;
    open?: boolean;
    params: F;
    act: (call: Call<Parsed<F>, S>) => Promise<void> | void;
  }): DocumentEndpoint<S> => {
    const read = reader(row.params);
    return {
      kind: 'document',
      access: row.access,
      open: row.open ?? false,
      table: okTable,
      fields: row.params,
      run: async (call) => {
        await row.act({ ...call, params: read(call.bag) });
        return okDocument(call.format, call.policy);
      },
    };
  },

  /** Defines an operation without authentication. */
  publicDocument: <B>(row: { body: Body<B>; answer: (call: CallBase<S>) => Promise<B> | B }): PublicEndpoint<S> => {
    const writer = documentWriter(row.body);
    return {
      kind: 'public',
      access: 'public',
      fields: {},
      table: writer.table,
      run: async (call) => writer.write({ payload: await row.answer(call) }, call.format, call.policy),
    };
  },

  /** Defines an operation that answers with bytes. */
  binary: <F extends Shape>(row: {
    access: Access;
    open?: boolean;
    tellsStatus?: boolean;
    params: F;
    send: (call: Call<Parsed<F>, S>, http: { request: FastifyRequest; reply: FastifyReply }) => Promise<FastifyReply>;
  }): BinaryEndpoint<S> => {
    const read = reader(row.params);
    return {
      kind: 'binary',
      access: row.access,
      open: row.open ?? false,
      tellsStatus: row.tellsStatus ?? false,
      fields: row.params,
      send: async (call, http) => row.send({ ...call, params: read(call.bag) }, http),
    };
  },
});

/**
 * Requires the access of an operation.
 * @throws Rejection `access.level`
 * @throws CompatError 50 without the role
 */
export const checkAccess = (access: Access, call: UserCallBase<HasConfig>): void => {
  const { account } = call.context.caller;
  if (account.access < access.level) throw new Rejection('access.level', 'This account may not do that');
  if (access.role && !rolesOf(call, account)[access.role]) throw new CompatError(50, `This account lacks the role ${access.role}`);
};

/** Services that the handlers of rows are given, taken together. */
export type ServicesOf<R> = Intersection<
  R extends { run(call: infer C): unknown } | { send(call: infer C, ...rest: never): unknown }
    ? C extends { services: infer S }
      ? S
      : never
    : never
>;
type Intersection<U> = (U extends unknown ? (member: U) => void : never) extends (all: infer I) => void ? I : never;
