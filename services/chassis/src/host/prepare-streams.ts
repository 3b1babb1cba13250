import * as contracts from '@continuo/contracts';
import { eventStreams, jobStreams, type Context, type JobContext, type JobDefinition } from '@continuo/contracts';
import { AckPolicy, jetstreamManager, JetStreamApiError, type JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { ensureEventStreams } from '../event-store/streams.js';
import { jobConsumerOf } from '../jobs/job-worker.js';
import { ensureJobStreams, ensureReactionStreams } from '../jobs/job-streams.js';

/** JetStream's code for a consumer that is there already, with other settings. */
const CONSUMER_EXISTS = 10148;

const isJob = (value: unknown): value is JobDefinition =>
  typeof value === 'object' && value !== null && 'subject' in value && String(value.subject).startsWith('jobs.');

/** Streams found or created. */
export interface PreparedStreams {
  readonly streams: readonly string[];
  /** `<stream> <consumer>` of each kind of job. */
  readonly consumers: readonly string[];
}

/**
 * Creates every stream of the log, every work queue and the consumer of each kind of job, where they are missing. The services do the same when they start; what scales by the
 * length of a queue needs it there before. Safe at any time, and while services start.
 * @param replicas copies of each stream
 * @throws Error when the cluster cannot keep so many copies
 */
export const prepareStreams = async (nats: NatsConnection, replicas: number): Promise<PreparedStreams> => {
  const manager = await jetstreamManager(nats);
  await ensureEventStreams(manager, Object.keys(eventStreams) as Context[], replicas);
  await ensureJobStreams(manager, Object.keys(jobStreams) as JobContext[], replicas);
  await ensureReactionStreams(manager, replicas);
  const jobs = Object.values<unknown>(contracts).filter(isJob);
  const consumers: string[] = [];
  for (const job of jobs) consumers.push(await ensureConsumer(manager, job));
  const streams = await manager.streams.names().next();
  return { streams: streams.toSorted(), consumers: consumers.toSorted() };
};

const ensureConsumer = async (manager: JetStreamManager, definition: JobDefinition): Promise<string> => {
  const { stream, durable, start, settings } = jobConsumerOf(definition);
  try {
    await manager.consumers.add(stream, { durable_name: durable, ack_policy: AckPolicy.Explicit, ...start, ...settings, max_deliver: -1 });
  } catch (error) {
    // Workers keep it with settings of their own.
    if (!(error instanceof JetStreamApiError && error.code === CONSUMER_EXISTS)) throw error;
  }
  return `${stream} ${durable}`;
};
