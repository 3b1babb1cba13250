import { manageClient, requestFailure, type ManageClient, type Problem } from '@continuo/client';
import { OperatorError } from '@continuo/operations';
import type { ServerAddress } from './find-server.js';

/** Outcome of a request as the client returns it. */
interface Outcome<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** A page of a list. */
interface Page<T> {
  readonly items: T[];
  readonly nextCursor: string | null;
}

/** Requests to the management API of one server. */
export interface Api {
  /** True for a server that was named: its files and folders need not be those of this machine. */
  readonly isElsewhere: boolean;
  /** Sends a request and returns its answer. @throws ServerRefusal; OperatorError when the server cannot be reached */
  ask<T>(send: (client: ManageClient) => Promise<Outcome<T>>): Promise<T>;
  /** As `ask`, with the `ETag` of the answer: sent back as `If-Match` it keeps changes of others. */
  tagged<T>(send: (client: ManageClient) => Promise<Outcome<T>>): Promise<{ readonly answer: T; readonly etag: string }>;
  /** Reads all pages of a list; at most `most` items when given. @throws as `ask` */
  all<T>(send: (client: ManageClient, cursor: { readonly cursor?: string }) => Promise<Outcome<Page<T>>>, most?: number): Promise<T[]>;
}

/** The server has refused a request, or failed. */
export class ServerRefusal extends Error {
  /** Stable code, such as `webhook.not-found`; the status where the server gave none. */
  readonly code: string;

  constructor(error: unknown, response: Response) {
    super(requestFailure(error, response));
    this.code = (error as Partial<Problem> | undefined)?.type?.split('#').at(-1) ?? String(response.status);
  }
}

/** The answer of a request; undefined when the server refuses it with this code. */
export const orNotFound = async <T>(code: string, answer: Promise<T>): Promise<T | undefined> => {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ServerRefusal && error.code === code) return undefined;
    throw error;
  }
};

const unreachable = (url: string, cause: unknown): OperatorError =>
  new OperatorError(
    `${url} does not answer`,
    'is the server running, and is this its address? "continuo doctor" beside its data folder tells more',
    {
      cause,
    },
  );

/** Opens the management API of a server. */
export const openApi = (server: ServerAddress): Api => {
  const client = manageClient(server);
  const tagged: Api['tagged'] = async (send) => {
    const { data, error, response } = await send(client).catch((cause: unknown) => {
      throw unreachable(server.url, cause);
    });
    if (!response.ok) throw new ServerRefusal(error, response);
    return { answer: data as NonNullable<typeof data>, etag: response.headers.get('etag') ?? '*' };
  };
  const ask: Api['ask'] = async (send) => (await tagged(send)).answer;
  const all: Api['all'] = async (send, most = Infinity) => {
    const items: Awaited<ReturnType<typeof send>>['data'] extends Page<infer T> | undefined ? T[] : never = [];
    for (let cursor: { cursor?: string } | undefined = {}; cursor && items.length < most;) {
      const page = await ask((one) => send(one, cursor ?? {}));
      items.push(...page.items);
      cursor = page.nextCursor === null ? undefined : { cursor: page.nextCursor };
    }
    return items.slice(0, most);
  };
  return { isElsewhere: server.isElsewhere, ask, tagged, all };
};
