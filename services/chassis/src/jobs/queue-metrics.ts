import { DEAD_LETTER_STREAM } from '@continuo/contracts';
import type { ConsumerInfo, JetStreamManager } from '@nats-io/jetstream';
import type { Gauge, Registry } from 'prom-client';
import { registerGauge } from '../register-gauge.js';
import { withTimeout } from '../with-timeout.js';

/** Sources of the gauges. */
export interface QueueSources {
  readonly manager: JetStreamManager;
  /** Logs and work queues that the service owns: each is reported by one service. */
  readonly streams: readonly string[];
}

/** State of one stream. */
interface StreamReading {
  readonly stream: string;
  readonly messages: number;
  readonly bytes: number;
  readonly consumers: readonly ConsumerInfo[];
}

/** A reading serves everybody who scrapes within this time. */
const FRESH_MS = 2000;
/** Time limit of the server, so that it does not hold up other metrics. */
const PATIENCE_MS = 2000;

const read = async ({ manager, streams }: QueueSources): Promise<readonly StreamReading[]> => {
  const known = await Promise.allSettled(
    streams.map(async (stream): Promise<StreamReading> => {
      const { state } = await manager.streams.info(stream);
      const consumers: ConsumerInfo[] = [];
      // Those that projections follow a log with come and go under names of chance.
      for await (const consumer of manager.consumers.list(stream)) if (consumer.config.durable_name) consumers.push(consumer);
      return { stream, messages: state.messages, bytes: state.bytes, consumers };
    }),
  );
  return known.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
};

/**
 * Gauges of the work queues and logs of a service, and of whoever takes work from them: read from NATS when somebody asks. What cannot be read is left out. Several copies of a
 * service tell the same: dashboards take the largest.
 */
export const queueGauges = (registry: Registry, sources: QueueSources): void => {
  const streams = [...sources.streams, ...(sources.streams.some((name) => name.startsWith('JOBS_')) ? [DEAD_LETTER_STREAM] : [])];
  let reading: { readonly atMs: number; readonly streams: Promise<readonly StreamReading[]> } | undefined;
  const look = (): Promise<readonly StreamReading[]> => {
    if (!reading || performance.now() - reading.atMs > FRESH_MS)
      reading = { atMs: performance.now(), streams: withTimeout(PATIENCE_MS, read({ ...sources, streams })).catch(() => []) };
    return reading.streams;
  };
  const registers = [registry];
  const ofConsumers = (name: string, help: string, value: (info: ConsumerInfo) => number): Gauge =>
    registerGauge({
      name,
      help,
      labelNames: ['stream', 'consumer'],
      registers,
      async collect() {
        const found = await look();
        this.reset();
        for (const { stream, consumers } of found) for (const info of consumers) this.set({ stream, consumer: info.name }, value(info));
      },
    });
  const ofStreams = (name: string, help: string, value: (info: StreamReading) => number): Gauge =>
    registerGauge({
      name,
      help,
      labelNames: ['stream'],
      registers,
      async collect() {
        const found = await look();
        this.reset();
        for (const info of found) this.set({ stream: info.stream }, value(info));
      },
    });
  ofConsumers('continuo_queue_waiting', 'Jobs or events that nobody has taken yet', ({ num_pending }) => num_pending);
  ofConsumers(
    'continuo_queue_in_flight',
    'Jobs or events at work or waiting for their next attempt',
    ({ num_ack_pending }) => num_ack_pending,
  );
  ofConsumers(
    'continuo_queue_redelivered',
    'Of those in flight, the ones that were given out more than once',
    ({ num_redelivered }) => num_redelivered,
  );
  ofStreams('continuo_stream_messages', 'Messages that a stream holds', ({ messages }) => messages);
  ofStreams('continuo_stream_bytes', 'Size of a stream on disk, bytes', ({ bytes }) => bytes);
  if (streams.includes(DEAD_LETTER_STREAM))
    registerGauge({
      name: 'continuo_dead_letters',
      help: 'Jobs and events that nobody could handle and that wait for an operator',
      registers,
      async collect() {
        const found = await look();
        // Without labels, a reset would tell of none.
        this.remove();
        for (const { stream, messages } of found) if (stream === DEAD_LETTER_STREAM) this.set(messages);
      },
    });
};
