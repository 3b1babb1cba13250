import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { LocalServerError } from './error.js';

/** Below the ports that systems give to outgoing connections, which may take one before whoever asked listens on it. */
const [FIRST, BEHIND_LAST] = [10_000, 32_000];
const TRIES = 100;
/** Processes that begin one after another look at different ports: two that find the same one free would both take it. */
const LANES = 16;

const given = new Set<number>();

const isFree = async (port: number, host: string): Promise<boolean> => {
  const probe = createServer().listen(port, host);
  try {
    await once(probe, 'listening');
  } catch {
    return false;
  }
  probe.close();
  await once(probe, 'close');
  return true;
};

/**
 * A TCP port on which nobody listens, and which this process is given once.
 * @throws LocalServerError when none of a hundred ports at random is free
 */
export const freePort = async (host = '127.0.0.1'): Promise<number> => {
  for (let left = TRIES; left > 0; left -= 1) {
    const port = randomInt(FIRST / LANES, BEHIND_LAST / LANES) * LANES + (process.pid % LANES);
    if (given.has(port)) continue;
    given.add(port);
    if (await isFree(port, host)) return port;
  }
  throw new LocalServerError(`no port of ${host} between ${FIRST} and ${BEHIND_LAST} is free`);
};
