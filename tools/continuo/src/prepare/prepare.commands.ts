import { connectNats, createLogger, openDatabasePatiently, prepareStreams } from '@continuo/chassis';
import { Command } from 'commander';
import type { Kysely } from 'kysely';
import { type Access, checkDatabase, OperatorError, describeFinding, natsSettingsOf } from '@continuo/operations';
import type { Cli } from '../cli.js';
import { wholeNumber } from '../whole-number.js';

const APP = 'continuo-cli';
const MOST_COPIES = 5;

interface Options {
  readonly replicas: number;
  readonly wait: number;
}

/** Waits for Postgres, and sees that it is of the right kind. @throws OperatorError with the remedy when it is not. */
const examineDatabase = async (cli: Cli, access: Access, patienceMs: number): Promise<void> => {
  const log = createLogger(APP, 'silent');
  const db = await openDatabasePatiently({ url: access.databaseUrl, poolSize: 1, applicationName: APP, log }, patienceMs);
  try {
    const findings = await checkDatabase(db as unknown as Kysely<never>);
    const fault = findings.find(({ status }) => status === 'fault');
    if (fault) throw new OperatorError(`${fault.subject}: ${fault.detail}`, fault.remedy ?? '"continuo doctor" tells more');
    for (const line of findings.flatMap(describeFinding)) cli.terminal.print(line);
  } finally {
    await db.destroy();
  }
};

const prepare = async (cli: Cli, { replicas, wait }: Options): Promise<void> => {
  const access = await cli.locate();
  const patienceMs = wait * 1000;
  const nats = await connectNats(APP, natsSettingsOf(access), createLogger(APP, 'silent'), patienceMs);
  try {
    const { streams, consumers } = await prepareStreams(nats, replicas);
    cli.terminal.print(`NATS ${nats.info?.version ?? ''}: ${streams.length} streams, ${consumers.length} consumers of jobs.`);
  } finally {
    await nats.close();
  }
  await examineDatabase(cli, access, patienceMs);
};

/** `continuo prepare`: streams, work queues and their consumers, before the services or what scales them are there. */
export const prepareCommand = (cli: Cli): Command =>
  new Command('prepare')
    .description('create what is missing in NATS, and see that Postgres answers; the services do the same when they start')
    .option('--replicas <n>', 'copies of each stream: 1 on one machine, 3 in a cluster', wholeNumber(1, MOST_COPIES), 1)
    .option('--wait <seconds>', 'how long NATS and Postgres may take to come up', wholeNumber(0, 86_400), 5)
    .action((options: Options) => prepare(cli, options));
