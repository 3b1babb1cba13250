import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import type { RequestParams } from '../auth/index.js';
import { fieldText, formParts } from './requests/multipart.js';
import { paramsOfPairs, peekParam } from './requests/parameters.js';

/** A file that comes with a request: as a part of a form, or as the whole body. It is read once, while it arrives. */
export interface SentFile {
  /** Form field of the file; undefined for a whole body. */
  readonly name: string | undefined;
  /** As the client announces it; undefined where it does not. */
  readonly sizeBytes: number | undefined;
  readonly bytes: Readable;
  /** Parameters that come behind the file; to be asked for when the bytes have been read. */
  paramsBehind(): Promise<RequestParams>;
}

const ADDRESS = /^\/rest\/[^/]+\/(?:json|xml)\/upload\/?$/;
const VERBS = new Set(['POST', 'PUT', 'PATCH']);

/** True when a request says by its address alone that it brings a file: only such a body is left unread. */
export const bringsFile = ({ method, url = '' }: Pick<IncomingMessage, 'method' | 'url'>): boolean => {
  if (method === undefined || !VERBS.has(method)) return false;
  const [path = '', query = ''] = url.split('?', 2);
  return ADDRESS.test(path) || peekParam(query, 'action') === 'upload';
};

/** Routes of this constraint take requests that bring a file; others of the same address take the rest. */
export const fileConstraint = {
  name: 'bringsFile',
  storage: () => {
    const handlers = new Map<unknown, never>();
    return {
      get: (value: unknown) => handlers.get(value) ?? null,
      set: (value: unknown, handler: never) => void handlers.set(value, handler),
    };
  },
  // Without a value the routes of all other requests are meant, which the type does not know.
  deriveConstraint: (request: Pick<IncomingMessage, 'method' | 'url'>) => (bringsFile(request) ? 'yes' : undefined) as string,
  validate: () => undefined,
  mustMatchWhenDerived: false,
};

/** An empty body in the place of the one that is left unread; it claims the announced length, which is looked at. */
const nothing = (request: FastifyRequest): Readable =>
  Object.assign(Readable.from([]), { receivedEncodedLength: Number(request.headers['content-length'] ?? 0) });

const announced = (request: FastifyRequest): number | undefined => {
  const length = request.headers['content-length'];
  return length !== undefined && /^\d{1,15}$/.test(length) ? Number(length) : undefined;
};

const files = new WeakMap<FastifyRequest, SentFile>();

/** The file that a request brings, if there is one. */
export const sentFile = (request: FastifyRequest): SentFile | undefined => files.get(request);

const MAX_FIELDS = 50;
const MAX_FIELD_BYTES = 8192;

type Part = Awaited<ReturnType<ReturnType<FastifyRequest['parts']>['next']>>;

/** Reads a form up to its first file; fields before it are the body. Files after the first are passed over. */
const readForm = async (request: FastifyRequest): Promise<void> => {
  const limits = { files: 2, fields: MAX_FIELDS, parts: MAX_FIELDS, fieldSize: MAX_FIELD_BYTES, fileSize: Number.MAX_SAFE_INTEGER };
  const parts = formParts(request, { limits });
  const fields: [string, string][] = [];
  for (let next: Part = await parts.next(); next.done !== true; next = await parts.next()) {
    const part = next.value;
    if (part.type === 'field') {
      fields.push([part.fieldname, fieldText(part)]);
      continue;
    }
    const paramsBehind = async (): Promise<RequestParams> => {
      const behind: [string, string][] = [];
      for await (const later of parts) {
        if (later.type === 'file') later.file.resume();
        else behind.push([later.fieldname, fieldText(later)]);
      }
      return paramsOfPairs(behind);
    };
    files.set(request, { name: part.filename, sizeBytes: announced(request), bytes: part.file, paramsBehind });
    break;
  }
  request.body = paramsOfPairs(fields);
};

const takeBody = (request: FastifyRequest): void => {
  const paramsBehind = (): Promise<RequestParams> => Promise.resolve(paramsOfPairs([]));
  const hasBody = request.headers['transfer-encoding'] !== undefined || (announced(request) ?? 0) > 0;
  if (hasBody) files.set(request, { name: undefined, sizeBytes: announced(request), bytes: request.raw, paramsBehind });
  request.body = undefined;
};

/** Adds a route for requests that bring a file beside the one that takes all others: their bodies are left to {@link sentFile}. */
export const routeFiles = (scope: FastifyInstance, route: Pick<RouteOptions, 'url' | 'handler'>): void => {
  scope.route({
    ...route,
    method: [...VERBS] as RouteOptions['method'],
    constraints: { [fileConstraint.name]: 'yes' },
    bodyLimit: Number.MAX_SAFE_INTEGER,
    config: { takesFiles: true },
    preParsing: async (request) => nothing(request),
    preValidation: async (request) => {
      if (request.isMultipart()) await readForm(request);
      else takeBody(request);
    },
  });
};
