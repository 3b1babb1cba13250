import type { JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';

/** Dependencies of the log watch. */
export interface LogWatchContext {
  readonly nats: NatsConnection;
  readonly manager: JetStreamManager;
  readonly db: Kysely<unknown>;
  readonly log: Logger;
  readonly registry: Registry;
}
