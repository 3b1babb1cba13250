import type { NatsConnection } from '@nats-io/transport-node';

/**
 * Calls `notify` each time the connection is lost (`disconnect`) or has come back with its subscriptions (`reconnect`), until the answered
 * function is called or the connection is closed. What was on its way when a connection broke is answered by nobody.
 */
export const onStatus = (nats: NatsConnection, type: 'disconnect' | 'reconnect', notify: () => void): (() => void) => {
  const statuses = nats.status();
  const watch = async (): Promise<void> => {
    for await (const status of statuses) if (status.type === type) notify();
  };
  void watch();
  return () => {
    // The client leaves `stop` out of the type of the iterator.
    (statuses as Partial<{ stop(): void }>).stop?.();
  };
};
