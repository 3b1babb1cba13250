import { DEAD_LETTER_STREAM, jobStreams, type JobContext } from '@continuo/contracts';
import { DiscardPolicy, RetentionPolicy, StorageType, type JetStreamManager } from '@nats-io/jetstream';
import { ensureStream } from '../event-store/ensure-stream.js';

const DUPLICATE_WINDOW_NS = 120 * 1e9;

/** Subjects of dead letters: the subject of the message behind this prefix. */
export const DEAD_PREFIX = 'dead.';

/** Work queue of events that an operator sends to a reactor once more. */
export const REACTION_STREAM = 'REACTIONS';
const REACTION_PREFIX = 'react.';

/** The subject of one reactor in that queue; the name is that of its consumer. */
export const reactionSubject = (durable: string): string => `${REACTION_PREFIX}${durable}`;

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
  if (contexts.length > 0) await ensureDeadLetters(manager, replicas);
};

/** Creates the queue of replayed events and the stream of dead letters where they are missing; safe when several services do it at once. */
export const ensureReactionStreams = async (manager: JetStreamManager, replicas: number): Promise<void> => {
  await ensureStream(manager, {
    name: REACTION_STREAM,
    subjects: [`${REACTION_PREFIX}>`],
    retention: RetentionPolicy.Workqueue,
    ...shared(replicas),
  });
  await ensureDeadLetters(manager, replicas);
};

const ensureDeadLetters = (manager: JetStreamManager, replicas: number): Promise<void> =>
  ensureStream(manager, {
    name: DEAD_LETTER_STREAM,
    subjects: [`${DEAD_PREFIX}>`],
    retention: RetentionPolicy.Limits,
    ...shared(replicas),
  });
