import createClient, { type Client, type Middleware } from 'openapi-fetch';
import type { paths as ManagePaths } from './manage.types.js';
import type { paths as NativePaths } from './native-8.types.js';
import { retrying } from './retrying.js';

/** A server and what opens it. */
export interface ServerOptions {
  /** Base URL, for example `https://music.example.org`. */
  readonly url: string;
  /** Value of the `Authorization` header, asked for before each request: `Bearer` and an API key or a session token. */
  readonly authorization: () => string | Promise<string>;
  /** Sends requests; the platform's own when absent. */
  readonly fetch?: typeof globalThis.fetch;
}

/** Client of the management API. A POST gets an idempotency key, so that it may be repeated. */
export type ManageClient = Client<ManagePaths>;
/** Client of the native API, version 8, in JSON. */
export type NativeClient = Client<NativePaths>;

const authorized = ({ authorization }: ServerOptions): Middleware => ({
  onRequest: async ({ request }) => {
    request.headers.set('authorization', await authorization());
    return request;
  },
});

const once: Middleware = {
  onRequest: ({ request }) => {
    if (request.method === 'POST' && !request.headers.has('idempotency-key')) request.headers.set('idempotency-key', crypto.randomUUID());
    return request;
  },
};

const clientAt = <P extends object>(server: ServerOptions, path: string, ...more: Middleware[]): Client<P> => {
  const client = createClient<P>({ baseUrl: server.url.replace(/\/+$/, '') + path, fetch: retrying(server.fetch ?? globalThis.fetch) });
  client.use(authorized(server), ...more);
  return client;
};

/** Makes a client of the management API (`contracts/openapi/manage.json`). */
export const manageClient = (server: ServerOptions): ManageClient => clientAt<ManagePaths>(server, '/manage/v1', once);

/** Makes a client of the native API, version 8 (`contracts/openapi/native-8.json`). Its errors are answers with status 200 and an `error`. */
export const nativeClient = (server: ServerOptions): NativeClient => clientAt<NativePaths>(server, '/rest/8/json');
