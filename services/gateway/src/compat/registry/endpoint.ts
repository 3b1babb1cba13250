import { Rejection, type AccessLevel } from '@continuo/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { CallerContext } from '../../http/request-context.js';
import type { PreferenceSnapshot } from '../../preferences/index.js';
import type { PageMarks } from '../../reads/page-marks.js';
import type { Viewer } from '../../reads/viewer.js';
import type { GatewayServices } from '../../services.js';
import { documentWriter, okDocument, type Body, type CompatFormat } from '../documents.js';
import { CompatError } from '../errors.js';
import { readParameters, type ParameterBag } from '../parameters.js';
import type { CompatPolicy } from '../policy.js';
import { featuresOf, rolesOf, type Role } from '../roles.js';

/** What the operations of this surface work with. */
export interface CompatServices extends GatewayServices {
  readonly marks: PageMarks;
}

/** What is known about a call before its parameters are read. */
export interface CallBase {
  readonly bag: ParameterBag;
  readonly services: CompatServices;
  readonly policy: CompatPolicy;
  readonly format: CompatFormat;
}

/** A call whose caller is proven. */
export interface UserCallBase extends CallBase {
  readonly context: CallerContext;
  readonly viewer: Viewer;
  readonly preferences: PreferenceSnapshot;
}

/** A call as an operation answers it. */
export interface Call<P> extends UserCallBase {
  readonly params: P;
}

/** Who may call an operation. */
export interface Access {
  /** Least access level; 5 admits guests. */
  readonly level: AccessLevel;
  /** The protocol's role that the caller must have beside. */
  readonly role?: Role;
}

interface Row {
  readonly access: Access | 'public';
  /** Names of the parameters that it reads. */
  readonly parameters: readonly string[];
}

/** An operation that answers a document. */
export interface DocumentEndpoint extends Row {
  readonly kind: 'document';
  readonly access: Access;
  /** True for one that the legacy form does not know at all. */
  readonly open?: boolean;
  run(call: UserCallBase): Promise<string>;
}

/** An operation that answers anybody. */
export interface PublicEndpoint extends Row {
  readonly kind: 'public';
  readonly access: 'public';
  run(call: CallBase): Promise<string>;
}

/** An operation that answers bytes. */
export interface BinaryEndpoint extends Row {
  readonly kind: 'binary';
  readonly access: Access;
  /** True for one that the legacy form does not know at all. */
  readonly open?: boolean;
  /** True for one whose failures have an HTTP status of their own beside the envelope. */
  readonly tellsStatus?: boolean;
  send(call: UserCallBase, http: { request: FastifyRequest; reply: FastifyReply }): Promise<FastifyReply>;
}

export type EndpointRow = DocumentEndpoint | PublicEndpoint | BinaryEndpoint;

/** Every account, guests included. */
export const anybody: Access = { level: 5 };
/** Those who look after catalogs, and administrators. */
export const catalogManagers: Access = { level: 75 };
export const administrators: Access = { level: 100 };

type Shape = z.ZodRawShape;
type Parsed<F extends Shape> = z.output<z.ZodObject<F>>;

/** Reads the parameters of a call by the fields that an operation names. */
const reader = <F extends Shape>(fields: F): ((bag: ParameterBag) => Parsed<F>) => {
  const schema = z.object(fields);
  return (bag) => readParameters(schema as unknown as z.ZodType<Parsed<F>>, bag);
};

/** Defines an operation that answers one shape of document. */
export const document = <F extends Shape, S>(row: {
  access: Access;
  open?: boolean;
  params: F;
  body: Body<S>;
  answer: (call: Call<Parsed<F>>) => Promise<S> | S;
}): DocumentEndpoint => {
  const read = reader(row.params);
  const writer = documentWriter(row.body);
  return {
    kind: 'document',
    access: row.access,
    open: row.open ?? false,
    parameters: Object.keys(row.params),
    run: async (call) => writer.write({ payload: await row.answer({ ...call, params: read(call.bag) }) }, call.format, call.policy),
  };
};

/** Defines an operation that does something and answers an empty envelope. */
export const action = <F extends Shape>(row: {
  access: Access;
  open?: boolean;
  params: F;
  act: (call: Call<Parsed<F>>) => Promise<void> | void;
}): DocumentEndpoint => {
  const read = reader(row.params);
  return {
    kind: 'document',
    access: row.access,
    open: row.open ?? false,
    parameters: Object.keys(row.params),
    run: async (call) => {
      await row.act({ ...call, params: read(call.bag) });
      return okDocument(call.format, call.policy);
    },
  };
};

/** Defines an operation that answers anybody the same. */
export const publicDocument = <S>(row: { body: Body<S>; answer: (call: CallBase) => Promise<S> | S }): PublicEndpoint => {
  const writer = documentWriter(row.body);
  return {
    kind: 'public',
    access: 'public',
    parameters: [],
    run: async (call) => writer.write({ payload: await row.answer(call) }, call.format, call.policy),
  };
};

/** Defines an operation that answers bytes. */
export const binary = <F extends Shape>(row: {
  access: Access;
  open?: boolean;
  tellsStatus?: boolean;
  params: F;
  send: (call: Call<Parsed<F>>, http: { request: FastifyRequest; reply: FastifyReply }) => Promise<FastifyReply>;
}): BinaryEndpoint => {
  const read = reader(row.params);
  return {
    kind: 'binary',
    access: row.access,
    open: row.open ?? false,
    tellsStatus: row.tellsStatus ?? false,
    parameters: Object.keys(row.params),
    send: async (call, http) => row.send({ ...call, params: read(call.bag) }, http),
  };
};

/**
 * Lets only those pass who may call an operation.
 * @throws Rejection `access.level`
 * @throws CompatError 50 when the role is missing
 */
export const checkAccess = (access: Access, call: UserCallBase): void => {
  const { account } = call.context.caller;
  if (account.access < access.level) throw new Rejection('access.level', 'This account may not do that');
  if (access.role && !rolesOf(account, featuresOf(call, account))[access.role])
    throw new CompatError(50, `This account lacks the role ${access.role}`);
};
