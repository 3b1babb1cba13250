import { JetStreamApiCodes, JetStreamApiError, type JetStreamManager, type StreamConfig } from '@nats-io/jetstream';
import { errors } from '@nats-io/transport-node';
import { retry } from '../retry.js';

const PATIENCE_MS = 60_000;
const PAUSE_MS = 250;

/**
 * Answers of a cluster that is still coming together, or in which somebody else is making the same stream at this moment (it has the name already and does not show yet):
 * no suitable peers, temporarily unavailable, name in use. https://github.com/nats-io/nats-server/blob/main/server/errors.json
 */
const PASSING: ReadonlySet<number> = new Set([10_005, 10_008, 10_058]);

const mayPass = (error: unknown): boolean =>
  (error instanceof JetStreamApiError && PASSING.has(error.code)) || error instanceof errors.TimeoutError;

/**
 * Creates a stream where it is missing; safe when several services do it at once, and while the servers of a cluster still look for each other.
 * @throws Error when the server refuses it, or has no leader within a minute
 */
export const ensureStream = async (manager: JetStreamManager, config: Partial<StreamConfig> & { name: string }): Promise<void> => {
  const create = async (): Promise<void> => {
    // Whoever was faster has made it; its settings count.
    if (!(await streamExists(manager, config.name))) await manager.streams.add(config);
  };
  await retry(create, { pauseMs: () => PAUSE_MS, withinMs: PATIENCE_MS, isTransient: mayPass });
};

/** True when a stream of this name exists. @throws Error when the server does not answer. */
export const streamExists = async (manager: JetStreamManager, name: string): Promise<boolean> => {
  try {
    await manager.streams.info(name);
    return true;
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound) return false;
    throw error;
  }
};
