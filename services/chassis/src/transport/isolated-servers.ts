import type { NatsConnection } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import { every } from '../every.js';

const EVERY_MS = 2500;
const PATIENCE_MS = 3000;
/** An election takes seconds; a server that has been without the others for so many looks is no use. */
const LOOKS = 3;
/** Pause between changes of the server: when none has the others, changing helps nobody. */
const REST_MS = 20_000;
/** Answered by the leader of all servers alone; one that is cut off from it says nothing, or that there is none. */
const ASKED = '$JS.API.INFO';

/**
 * Looks for another server when the present one is cut off from the rest of its cluster: it still takes connections then, but neither appends nor other services get through.
 * Does nothing where there is only one server. Ends with the connection.
 */
export const leaveIsolatedServers = (nats: NatsConnection, log: Logger): void => {
  let missed = 0;
  let leftAtMs = Number.NEGATIVE_INFINITY;
  const look = async (): Promise<void> => {
    if (nats.info?.cluster === undefined || (await reachesOthers(nats))) {
      missed = 0;
      return;
    }
    missed += 1;
    if (missed < LOOKS || nats.isClosed() || performance.now() - leftAtMs < REST_MS) return;
    log.warn({ server: nats.getServer() }, 'this NATS server is cut off from the others, looking for another one');
    missed = 0;
    leftAtMs = performance.now();
    await nats.reconnect();
  };
  let isLooking = false;
  const end = every(EVERY_MS, () => {
    if (isLooking) return;
    isLooking = true;
    look()
      .catch((error: unknown) => log.warn({ err: error }, 'failed to look for another NATS server'))
      .finally(() => (isLooking = false));
  });
  void nats.closed().then(end);
};

/** Without a connection the client looks for a server by itself: nothing to do then. */
const reachesOthers = async (nats: NatsConnection): Promise<boolean> => {
  try {
    const answer = await nats.request(ASKED, '', { timeout: PATIENCE_MS });
    return answer.json<{ error?: unknown }>().error === undefined;
  } catch {
    // Whatever the reason: nobody who leads has answered.
    return false;
  }
};
