import { Agent, request, type IncomingMessage, type RequestOptions } from 'node:http';
import { text } from 'node:stream/consumers';
import { isErrorCode, Rejection, TRANSCODE_ACCOUNT_HEADER } from '@continuo/contracts';
import type { ByteRange } from '../server/byte-range.js';

/** A worker that can be reached takes a connection by then. Node's own limit begins only once there is one. */
const CONNECT_MS = 1500;
/** A worker has to make something of the file by then. */
const FIRST_BYTE_MS = 30_000;
const MAX_IDLE_CONNECTIONS = 32;
const GONE = 410;

/** The offered transcode was cancelled or evicted meanwhile; a retry helps. */
export class TranscodeGone extends Error {
  override readonly name: string = 'TranscodeGone';
}

/** The worker takes no connection, or says nothing. */
export class WorkerUnreachable extends TranscodeGone {
  override readonly name = 'WorkerUnreachable';
}

/** Fetches bytes from workers. */
export interface WorkerBytes {
  /**
   * The bytes behind a ticket's address, from the first one that is there on. The stream fails when they end before their time.
   * @param accountId account that listens, where it is known
   * @throws Rejection as the worker answers; TranscodeGone
   */
  fetch(url: string, range?: ByteRange, accountId?: number): Promise<IncomingMessage>;
  close(): void;
}

/** The worker had closed an idle connection in the very moment in which it was used again. */
class StaleConnection extends Error {
  override readonly name = 'StaleConnection';
}

const exchangeOnce = (url: string, options: RequestOptions): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const outgoing = request(url, options, resolve);
    outgoing.once('error', (error) => {
      const isStale = outgoing.reusedSocket && 'code' in error && error.code === 'ECONNRESET';
      reject(isStale ? new StaleConnection(error.message, { cause: error }) : error);
    });
    const connecting = setTimeout(() => outgoing.destroy(new Error(`no connection within ${CONNECT_MS} ms`)), CONNECT_MS);
    const connected = (): void => clearTimeout(connecting);
    outgoing.once('socket', (socket) => (socket.connecting ? socket.once('connect', connected) : connected()));
    outgoing.once('close', connected);
    outgoing.setTimeout(FIRST_BYTE_MS, () => outgoing.destroy(new Error(`nothing came within ${FIRST_BYTE_MS} ms`)));
    outgoing.once('response', () => outgoing.setTimeout(0));
    outgoing.end();
  });

const exchange = async (url: string, options: RequestOptions): Promise<IncomingMessage> => {
  try {
    return await exchangeOnce(url, options);
  } catch (error) {
    if (error instanceof StaleConnection) return exchangeOnce(url, { ...options, agent: false });
    throw error;
  }
};

const refusalIn = (body: string): Rejection | undefined => {
  try {
    const { code, message } = JSON.parse(body) as { code?: unknown; message?: unknown };
    return typeof code === 'string' && isErrorCode(code)
      ? new Rejection(code, typeof message === 'string' ? message : undefined)
      : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

/** The client of the workers' HTTP, with connections that are kept. */
export const workerBytes = (): WorkerBytes => {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: MAX_IDLE_CONNECTIONS });
  return {
    async fetch(url, range, accountId) {
      const headers = {
        ...(range && { range: `bytes=${range.start}-${range.end}` }),
        ...(accountId !== undefined && { [TRANSCODE_ACCOUNT_HEADER]: accountId }),
      };
      const response = await exchange(url, { agent, headers }).catch((cause: unknown) => {
        throw new WorkerUnreachable('the worker does not answer', { cause });
      });
      if (response.statusCode === (range ? 206 : 200)) return response;
      const body = await text(response);
      if (response.statusCode === GONE) throw new TranscodeGone('the worker has it no longer');
      throw refusalIn(body) ?? new Rejection('unavailable', `the transcoding worker answers ${response.statusCode}`);
    },
    close: () => agent.destroy(),
  };
};
