import { acceptLoss, damageOf, formatGaps, joined, parseGaps, without, type Gap } from '@continuo/chassis';
import type { ManageTypes } from '@continuo/client';
import { eventStreams, type EventStreamName } from '@continuo/contracts';
import { sql } from 'kysely';
import { Command, InvalidArgumentError } from 'commander';
import { OperatorError, counted, formatDuration, verifyStream, type Session } from '@continuo/operations';
import type { Cli } from '../cli.js';
import type { Api } from '../connect/api.js';
import { followWork, workDurationMs } from '../output/follow-work.js';
import { formatTable } from '../output/table.js';

const STREAMS = Object.values(eventStreams);

const streamNamed = (text: string): EventStreamName => {
  const stream = STREAMS.find((name) => name === text.toUpperCase());
  if (!stream) throw new InvalidArgumentError(`there are ${STREAMS.join(', ')}`);
  return stream;
};

const gapsNamed = (text: string): Gap[] => {
  const gaps = joined(parseGaps(text.replaceAll(/(^|,)\s*(\d+)(?=,|$)/g, '$1$2-$2').replaceAll(' ', '')));
  if (gaps.length === 0) throw new InvalidArgumentError('expected positions such as 94-197,301');
  return gaps;
};

type Verification = ManageTypes['schemas']['LogVerification'];

/** Has the server read a whole stream, and follows that. @throws OperatorError when it fails */
const verifyOne = async (cli: Cli, api: Api, stream: EventStreamName) => {
  const begun = await api.ask((client) => client.POST('/log-verifications', { body: { stream } }));
  const path = { id: begun.id };
  const read = (): Promise<Verification> => api.ask((client) => client.GET('/log-verifications/{id}', { params: { path } }));
  const { result, problem, ...work } = await followWork(cli.terminal, { label: stream, begun, read });
  if (!result) throw new OperatorError(problem ?? `${stream} was not read to its end`, '"continuo doctor" tells more');
  return { ...result, took: formatDuration(workDurationMs(work, Date.now())) };
};

const verify = async (cli: Cli, streams: readonly EventStreamName[]): Promise<void> => {
  const api = await cli.api();
  const rows: (string | number)[][] = [];
  for (const stream of streams) {
    const { lastPosition, damage, acceptedPositions: accepted, took } = await verifyOne(cli, api, stream);
    const whole = accepted > 0 ? `whole but for ${counted(accepted, 'position')} whose loss was accepted` : 'whole';
    rows.push([stream, lastPosition, took, damage ?? whole]);
    if (damage !== null) cli.fail();
  }
  cli.terminal.print(formatTable(['Log', 'Positions', 'Read in', 'Found'], rows));
};

interface Accepted {
  readonly positions?: readonly Gap[];
  readonly end?: boolean;
}

/** Incarnations of a stream, other than its present one, from which tables were filled. */
const formerIncarnations = async (session: Session, stream: EventStreamName, epoch: string): Promise<string[]> => {
  const { rows } = await sql<{ epoch: string }>`
    select distinct epoch from chassis.projection_checkpoint
    where stream = ${stream} and epoch <> ${epoch} and state <> 'retired'`.execute(session.db);
  return rows.map((row) => row.epoch);
};

const accept = (cli: Cli, stream: EventStreamName, { positions = [], end = false }: Accepted): Promise<void> =>
  cli.withSession(async (session) => {
    const integrity = await verifyStream(session, stream, () => undefined);
    const { missing, lostAfter, state } = integrity;
    const former = await formerIncarnations(session, stream, state.epoch);
    const isEndLost = lostAfter !== undefined || former.length > 0;
    const damage = damageOf(integrity) ?? (former.length > 0 ? 'tables were filled from another incarnation of it' : undefined);
    if (damage === undefined) return cli.terminal.print(`${stream} is whole; there is no loss to accept.`);
    if (without(missing, positions).length > 0 || without(positions, missing).length > 0 || end !== isEndLost) {
      const words = [...(missing.length > 0 ? [`--positions ${formatGaps(missing)}`] : []), ...(isEndLost ? ['--end'] : [])];
      throw new OperatorError(
        `${stream}: ${damage}; what these events said is lost for good when this is accepted`,
        `restore a backup if there is one (docs/operate/recover.md); else say it in so many words: continuo log accept-loss ${stream} ${words.join(' ')}`,
      );
    }
    await acceptLoss(session.manager, stream, { gaps: missing, formerIncarnations: isEndLost ? [...former, state.epoch] : [] });
    cli.terminal.print(`${stream}: the loss is accepted. Commands go on with what is left.`);
    if (isEndLost)
      cli.terminal.print('Now restart the services, then fill the tables anew: continuo projections rebuild all --accept-loss');
  });

/** `continuo log …`: whether the event log is whole, and going on when it is not. */
export const logCommand = (cli: Cli): Command => {
  const command = new Command('log').description('the event log: whether it is whole, and going on when it is not');
  command
    .command('verify')
    .description('read every message of the event streams; exit code 1 when one is missing')
    .argument('[streams...]', 'such as EV_LIBRARY; default: all', (text: string, before: EventStreamName[] | undefined) => [
      ...(before ?? []),
      streamNamed(text),
    ])
    .action((streams: EventStreamName[] | undefined) => verify(cli, streams && streams.length > 0 ? streams : STREAMS));
  command
    .command('accept-loss')
    .description('go on with what is left of a damaged log; without options it tells what would be lost')
    .argument('<stream>', 'such as EV_LIBRARY', streamNamed)
    .option('--positions <list>', 'the positions that are missing, all of them, such as 94-197,301', gapsNamed)
    .option('--end', 'the end of the log is missing')
    .action((stream: EventStreamName, options: Accepted) => accept(cli, stream, options));
  return command;
};
