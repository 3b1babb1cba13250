import { jobStreams, Rejection, type JobDefinition } from '@continuo/contracts';
import { DeliverPolicy, type JsMsg } from '@nats-io/jetstream';
import type { JobOptions } from '../transport/handlers.js';
import { contextOf, decodeMessage } from '../transport/message.js';
import type { WorkHandler } from './delivery-run.js';
import { DeliveryWorker, type WorkerDependencies } from './delivery-worker.js';
import type { Reading, WorkSource } from './work-source.js';

const defaults = { concurrency: 1, ackWaitMs: 30_000, maxAttempts: 5 } as const satisfies Required<JobOptions>;

/** The consumer that the workers of one kind of job share. */
export const jobConsumerOf = (definition: JobDefinition): Pick<WorkSource, 'stream' | 'durable' | 'start' | 'settings'> => ({
  stream: jobStreams[definition.context],
  durable: `${definition.context}-${definition.kind}`,
  start: { deliver_policy: DeliverPolicy.All },
  settings: { filter_subject: definition.subject },
});

const jobSource = (definition: JobDefinition): WorkSource => ({
  noun: 'job',
  label: definition.subject,
  ...jobConsumerOf(definition),
  read: (message) => readJob(message, definition),
});

const readJob = (message: JsMsg, definition: JobDefinition): Reading => {
  try {
    const command = decodeMessage(message.data, message.headers, definition.schema);
    const key = `${message.info.stream}.${message.info.streamSequence}`;
    return { work: { id: command.id, key, payload: command.data, context: contextOf(command) } };
  } catch (error) {
    if (error instanceof Rejection) return { undecodable: error.message };
    throw error;
  }
};

/** Works on one kind of job, see {@link DeliveryWorker}. */
export class JobWorker extends DeliveryWorker {
  constructor(tools: WorkerDependencies, definition: JobDefinition, handler: WorkHandler, options: JobOptions = {}) {
    super(tools, jobSource(definition), handler, { ...defaults, ...options });
  }
}
