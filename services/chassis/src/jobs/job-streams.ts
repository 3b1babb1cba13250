import { DEAD_LETTER_STREAM, jobStreams, type JobContext } from '@continuo/contracts';
import {
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  RetentionPolicy,
  StorageType,
  type JetStreamManager,
  type StreamConfig,
} from '@nats-io/jetstream';

const DUPLICATE_WINDOW_NS = 120 * 1e9;

/** Subjects of dead letters: the subject of the message behind this prefix. */
export const DEAD_PREFIX = 'dead.';

const shared = (replicas: number) => ({
  storage: StorageType.File,
  discard: DiscardPolicy.New,
  num_replicas: replicas,
  duplicate_window: DUPLICATE_WINDOW_NS,
  allow_direct: true,
});

/** Creates the work queues of the contexts and the stream of dead letters where they are missing; safe when several services do it at once. */
export const ensureJobStreams = async (manager: JetStreamManager, contexts: readonly JobContext[], replicas: number): Promise<void> => {
  for (const context of contexts) {
    await ensureStream(manager, {
      name: jobStreams[context],
      subjects: [`jobs.${context}.>`],
      retention: RetentionPolicy.Workqueue,
      ...shared(replicas),
    });
  }
  if (contexts.length > 0) {
    await ensureStream(manager, {
      name: DEAD_LETTER_STREAM,
      subjects: [`${DEAD_PREFIX}>`],
      retention: RetentionPolicy.Limits,
      ...shared(replicas),
    });
  }
};

const ensureStream = async (manager: JetStreamManager, config: Partial<StreamConfig> & { name: string }): Promise<void> => {
  if (await streamExists(manager, config.name)) return;
  try {
    await manager.streams.add(config);
  } catch (error) {
    // Another replica was faster.
    if (!(await streamExists(manager, config.name))) throw error;
  }
};

/** Whether a stream of this name is there. */
export const streamExists = async (manager: JetStreamManager, name: string): Promise<boolean> => {
  try {
    await manager.streams.info(name);
    return true;
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound) return false;
    throw error;
  }
};
