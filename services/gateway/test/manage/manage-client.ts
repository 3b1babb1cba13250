import type { FastifyInstance } from 'fastify';
import { MANAGE_PREFIX } from '../../src/apis/manage/handle.js';
import { testAccounts } from '../servers/test-gateway.js';

/** Method of a call. */
export type Verb = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Body, headers and login of a call. */
export interface Sent {
  readonly body?: object | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** The administrator's when absent, none when empty. */
  readonly token?: string;
}

/** An answer of the management API. */
export interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number | string[] | undefined>>;
  readonly body: unknown;
}

/** Content of an answer: JSON as its value, other bytes as they are. */
const contentOf = ({ rawPayload, headers, json }: Awaited<ReturnType<FastifyInstance['inject']>>): unknown => {
  if (rawPayload.length === 0) return undefined;
  return /json/.test(String(headers['content-type'])) ? json<unknown>() : rawPayload;
};

/** Returns the function that calls operations of a gateway, as the administrator when nobody else is named. */
export const manageClient =
  (app: FastifyInstance) =>
  async (method: Verb, path: string, { body, headers = {}, token = testAccounts.admin.token }: Sent = {}): Promise<Received> => {
    const answer = await app.inject({
      method,
      url: `${MANAGE_PREFIX}${path}`,
      headers: { ...(token === '' ? {} : { authorization: `Bearer ${token}` }), ...headers },
      ...(body ? { payload: body } : {}),
    });
    return { status: answer.statusCode, headers: answer.headers, body: contentOf(answer) };
  };
