import { openDatabase, type CommandClient } from '@continuo/chassis';
import { recordOperation, Rejection, type ReadModel } from '@continuo/contracts';
import { testNats, testPostgres } from '@continuo/local-servers';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { Kysely } from 'kysely';
import { pino } from 'pino';
import { jetStreamLongWork } from '../../src/features/operations/long-work.adapter.js';
import { connectedOperations } from '../../src/features/operations/operations.adapter.js';
import { fillWithReadModel } from '../servers/read-model-database.js';
import { startTestGateway, type TestGateway } from '../servers/test-gateway.js';
import { manageClient } from './manage-client.js';
import { exampleCommands } from './manage-world.fixture.js';

/** A gateway over Postgres and NATS of its own, whose operators' work is real. */
export interface OperatedGateway {
  readonly gateway: TestGateway;
  readonly call: ReturnType<typeof manageClient>;
  readonly nats: NatsConnection;
  readonly db: Kysely<ReadModel>;
  /** Commands that were sent, the earliest first. */
  readonly sent: readonly SentCommand[];
  /** Whether what operators do can be put on record. */
  readonly log: { isAway: boolean };
  stop(): Promise<void>;
}

/** A command that the gateway has sent. */
export interface SentCommand {
  readonly verb: string;
  readonly data: unknown;
  readonly actor: string;
}

/** Answers what operators have put on record, and leaves everything else to other commands. */
const listeningCommands = (sent: SentCommand[], log: OperatedGateway['log'], others: CommandClient): CommandClient => ({
  send: async (command, data, context, options) => {
    const isRecord = command.verb === recordOperation.verb;
    if (isRecord && log.isAway) throw new Rejection('unavailable');
    sent.push({ verb: command.verb, data, actor: context.actor });
    if (isRecord) return { result: command.result.parse({}) as never, positions: [] };
    return others.send(command, data, context, options);
  },
});

/** Starts it, with other parts where a spec wants them. */
export const startOperatedGateway = async (
  parts: (around: { readonly nats: NatsConnection; readonly db: Kysely<ReadModel> }) => Parameters<typeof startTestGateway>[1] = () => ({}),
): Promise<OperatedGateway> => {
  const [server, postgres] = await Promise.all([testNats(), testPostgres({ fill: fillWithReadModel })]);
  const nats = await connect({ servers: server.url });
  const db = openDatabase<ReadModel>({ url: postgres.url, poolSize: 4, applicationName: 'continuo-test' });
  const operations = connectedOperations({ nats, db: db as unknown as Kysely<unknown> });
  const { settings: wanted, commands: others = exampleCommands, ...given } = parts({ nats, db }) ?? {};
  const sent: SentCommand[] = [];
  const log = { isAway: false };
  const commands = listeningCommands(sent, log, others);
  const longWork = jetStreamLongWork({ nats, commands, log: pino({ level: 'silent' }), now: Date.now, replicas: 1 });
  const settings = { DATABASE_URL: postgres.url, NATS_URL: server.url, PORT: 0, ...wanted };
  const gateway = await startTestGateway(db, { operations, longWork, commands, now: Date.now, ...given, settings });
  return {
    gateway,
    call: manageClient(gateway.app),
    nats,
    db,
    sent,
    log,
    stop: async () => {
      await gateway.stop();
      await db.destroy();
      await nats.close();
      await Promise.all([server.stop(), postgres.stop()]);
    },
  };
};
