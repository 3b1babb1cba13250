import { isEventStoreUnavailable, retry } from '@continuo/chassis';
import { DeliverPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';

/** An event as it lies in the log, read without the product's own reader. */
export interface LoggedEvent {
  readonly position: number;
  readonly subject: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** The atomic batch that brought it; absent for a single publication. */
  readonly batch?: { readonly id: string; readonly sequence: number; readonly commits: boolean };
}

/** Servers that have just come back may still be electing their leader. */
const onceElected = <T>(ask: () => Promise<T>): Promise<T> =>
  retry(ask, { pauseMs: () => 250, withinMs: 15_000, isTransient: isEventStoreUnavailable });

/** Position of the last event of a stream. */
export const lastPosition = (nats: NatsConnection, stream: string): Promise<number> =>
  onceElected(async () => (await (await jetstreamManager(nats)).streams.info(stream)).state.last_seq);

/** Every event of a stream, in order. @throws Error when the log has a gap */
export async function* readLog(nats: NatsConnection, stream: string): AsyncGenerator<LoggedEvent> {
  const last = await lastPosition(nats, stream);
  if (last === 0) return;
  const consumer = await onceElected(() => jetstream(nats).consumers.get(stream, { deliver_policy: DeliverPolicy.All }));
  const messages = await consumer.consume({ max_bytes: 16 * 1024 * 1024 });
  let expected = 1;
  for await (const message of messages) {
    if (message.seq !== expected) throw new Error(`${stream} goes from position ${expected - 1} to ${message.seq}`);
    expected += 1;
    const header = (name: string): string => message.headers?.get(name) ?? '';
    const id = header('Nats-Batch-Id');
    yield {
      position: message.seq,
      subject: message.subject,
      type: header('Continuo-Type'),
      data: message.json(),
      ...(id === '' ? {} : { batch: { id, sequence: Number(header('Nats-Batch-Sequence')), commits: header('Nats-Batch-Commit') !== '' } }),
    };
    if (message.seq >= last) break;
  }
  await messages.close();
}
