import { randomUUID } from 'node:crypto';
import {
  checkpointReader,
  connectNats,
  createLogger,
  NatsCommandClient,
  NatsProjectionWatch,
  openDatabase,
  type CommandClient,
  type NatsSettings,
} from '@continuo/chassis';
import { operatorActor, type MessageContext, type ReadModel } from '@continuo/contracts';
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Kysely } from 'kysely';
import { OperatorError } from './operator-error.js';
import type { Access } from './locate.js';

/** An open connection to a server. */
export interface Session {
  readonly access: Access;
  readonly db: Kysely<ReadModel>;
  readonly nats: NatsConnection;
  readonly manager: JetStreamManager;
  readonly commands: CommandClient;
  /** Context of one command of the person at the terminal. */
  readonly context: () => MessageContext;
  readonly watch: NatsProjectionWatch;
  close(): Promise<void>;
}

const APP = operatorActor;
const NATS_PATIENCE_MS = 3000;
const POOL_SIZE = 2;

/** Opens the database alone. */
export const openReadModel = (access: Access): Kysely<ReadModel> =>
  openDatabase<ReadModel>({ url: access.databaseUrl, poolSize: POOL_SIZE, applicationName: APP });

/** NATS settings as the services have them. */
export const natsSettingsOf = (access: Access): NatsSettings => ({
  ...access.natsFiles,
  NATS_URL: access.natsUrl,
  NATS_USER: access.natsUser,
  NATS_PASSWORD: access.natsPassword,
});

/** Opens NATS alone. @throws OperatorError when it does not answer. */
export const openNats = async (access: Access): Promise<NatsConnection> => {
  return connectNats(APP, natsSettingsOf(access), createLogger(APP, 'silent'), NATS_PATIENCE_MS).catch((cause: unknown) => {
    throw new OperatorError(cause instanceof Error ? cause.message : String(cause), 'is the server running? "continuo doctor" tells more', {
      cause,
    });
  });
};

/**
 * Connects to everything that commands need.
 * @throws OperatorError when NATS does not answer; the database is only met by the first query.
 */
export const openSession = async (access: Access): Promise<Session> => {
  const nats = await openNats(access);
  const db = openReadModel(access);
  const watch = new NatsProjectionWatch(nats, checkpointReader(db as unknown as Kysely<unknown>), createLogger(APP, 'silent'));
  const close = async (): Promise<void> => {
    await watch.stop();
    await nats.close();
    await db.destroy();
  };
  return {
    access,
    db,
    nats,
    manager: await jetstreamManager(nats),
    commands: new NatsCommandClient(nats),
    context: newContext,
    watch,
    close,
  };
};

const newContext = (): MessageContext => {
  const correlationId = randomUUID();
  return { actor: operatorActor, correlationId, causationId: correlationId };
};
