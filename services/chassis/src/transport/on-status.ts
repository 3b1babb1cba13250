import type { NatsConnection } from '@nats-io/transport-node';

const CHANGES = ['disconnect', 'reconnect', 'close'] as const;

type ConnectionChange = (typeof CHANGES)[number];
type Listeners = ReadonlyMap<string, Set<() => void>>;

/** The client tells each of its readers of every ping; one reader for a connection is enough. */
const followed = new WeakMap<NatsConnection, Listeners>();

/**
 * Calls `notify` each time the connection is lost (`disconnect`), has come back with its subscriptions (`reconnect`) or is given up (`close`), until the
 * answered function is called. What was on its way when a connection broke is answered by nobody.
 */
export const onStatus = (nats: NatsConnection, type: ConnectionChange, notify: () => void): (() => void) => {
  const listeners = (followed.get(nats) ?? follow(nats)).get(type);
  // One entry for each call, also of the same function.
  const own = (): void => notify();
  listeners?.add(own);
  return () => void listeners?.delete(own);
};

const follow = (nats: NatsConnection): Listeners => {
  const listeners: Listeners = new Map(CHANGES.map((change) => [change, new Set()]));
  followed.set(nats, listeners);
  const watch = async (): Promise<void> => {
    for await (const { type } of nats.status()) for (const notify of listeners.get(type) ?? []) notify();
  };
  void watch();
  return listeners;
};
