import { Command } from 'commander';
import type { Kysely } from 'kysely';
import type { Cli } from '../cli.js';
import type { Access } from '../connect/locate.js';
import { openReadModel, openSession, type Session } from '../connect/session.js';
import { checkDataFolder } from './data-folder.check.js';
import { checkDatabase } from './database.check.js';
import { describeFinding, fault, reasonOf, type Finding } from './finding.js';
import { checkNats, checkQueues, checkStreams } from './nats.check.js';
import { checkProjections } from './projections.check.js';
import { checkFfmpeg, checkGateway } from './services.check.js';

const databaseFindings = async (access: Access): Promise<Finding[]> => {
  const db = openReadModel(access);
  try {
    return await checkDatabase(db as unknown as Kysely<never>);
  } finally {
    await db.destroy();
  }
};

const messagingFindings = async (session: Session): Promise<Finding[]> => [
  checkNats(session),
  ...(await checkStreams(session)),
  ...(await checkQueues(session)),
  ...(await checkProjections(session)),
  await checkFfmpeg(session),
];

const natsFindings = async (access: Access): Promise<Finding[]> => {
  let session: Session;
  try {
    session = await openSession(access);
  } catch (error) {
    return [fault('NATS', reasonOf(error), 'is the server running, and NATS_URL right?')];
  }
  try {
    return await messagingFindings(session);
  } finally {
    await session.close();
  }
};

/** Everything that can be checked from outside, in the order in which things depend on one another. */
export const examine = async (access: Access): Promise<Finding[]> => {
  const folder = await checkDataFolder(access.dataFolder);
  const gateway = await checkGateway(access);
  return [...(folder ? [folder] : []), ...(await databaseFindings(access)), ...(await natsFindings(access)), ...(gateway ? [gateway] : [])];
};

const doctor = async (cli: Cli): Promise<void> => {
  const findings = await examine(await cli.locate());
  for (const line of findings.flatMap(describeFinding)) cli.terminal.print(line);
  const faults = findings.filter(({ status }) => status === 'fault').length;
  const warnings = findings.filter(({ status }) => status === 'warning').length;
  cli.terminal.print(`${findings.length} checks, ${faults} failed, ${warnings} with a warning.`);
  if (faults > 0) cli.fail();
};

/** `continuo doctor`: looks at everything a server needs and names the remedy for what is wrong. */
export const doctorCommand = (cli: Cli): Command =>
  new Command('doctor')
    .description('check everything that the server needs; exit code 1 when something is wrong')
    .action(() => doctor(cli));
