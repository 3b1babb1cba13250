import type { Socket } from 'node:net';
import pg from 'pg';
import type { Logger } from 'pino';
import { every } from '../every.js';

/** Statements that take longer make us ask whether the server says anything at all. */
const SUSPICIOUS_MS = 5000;
const EVERY_MS = 2500;
const PATIENCE_MS = 5000;
/** So many questions in a row without any answer. */
const LOOKS = 2;

interface Watched {
  readonly url: string;
  readonly log?: Logger | undefined;
}

/**
 * Breaks the connections of a pool whose server does not answer even the simplest question on a new connection: its host hangs, or is gone without a word. Whoever waits gets an error
 * within about twenty seconds, instead of when the system gives the connection up, and the pool has room again. A statement that only takes long is left alone.
 */
export const cutSilentConnections = (pool: pg.Pool, { url, log }: Watched): void => {
  const heldSince = new Map<pg.PoolClient, number>();
  pool.on('acquire', (client) => void heldSince.set(client, performance.now()));
  pool.on('release', (_error, client) => void heldSince.delete(client));
  pool.on('remove', (client) => void heldSince.delete(client));
  let missed = 0;
  const look = async (): Promise<void> => {
    const since = Math.min(...[...heldSince].filter(([client]) => isWaiting(client)).map(([, heldAt]) => heldAt));
    if (performance.now() - since < SUSPICIOUS_MS || (await isAnswering(url))) {
      missed = 0;
      return;
    }
    missed += 1;
    if (missed < LOOKS) return;
    missed = 0;
    log?.warn({ connections: heldSince.size }, 'the database says nothing any more, giving its connections up');
    for (const client of heldSince.keys()) socketOf(client)?.destroy(new Error('Connection terminated: the database says nothing'));
  };
  let isLooking = false;
  const end = every(EVERY_MS, () => {
    if (pool.ended) end();
    if (isLooking || pool.ended) return;
    isLooking = true;
    void look().finally(() => (isLooking = false));
  });
};

/** True when the server answers on a new connection; a refusal is an answer, too. */
const isAnswering = async (url: string): Promise<boolean> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: PATIENCE_MS, query_timeout: PATIENCE_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch (error) {
    return error instanceof pg.DatabaseError || (error as { code?: string }).code === 'ECONNREFUSED';
  } finally {
    socketOf(client)?.destroy();
  }
};

/** True while a statement waits for its answer: a connection that is held and idle (it carries leases) says nothing about the server. */
const isWaiting = (client: pg.ClientBase): boolean => (client as unknown as { readonly readyForQuery?: boolean }).readyForQuery !== true;

/** The driver's types leave the socket out. */
const socketOf = (client: pg.ClientBase): Socket | undefined =>
  (client as unknown as { readonly connection?: { readonly stream?: Socket } }).connection?.stream;
