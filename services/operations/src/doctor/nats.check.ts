import { DEAD_LETTER_STREAM, eventStreams, jobStreams, type EventStreamName, type JobContext } from '@continuo/contracts';
import { damageOf, LogChecks, inspectStream, isBefore } from '@continuo/chassis';
import { DiscardPolicy, RetentionPolicy, StorageType, type ConsumerInfo, type StreamConfig } from '@nats-io/jetstream';
import type { Kysely } from 'kysely';
import type { Session } from '../connect/session.js';
import { fault, ok, reasonOf, warning, type Finding } from './finding.js';

/** Version from which nats-server writes durably at full speed. */
const RECOMMENDED = '2.15';

/** NATS answers; versions that are too old refuse the connection already. */
export const checkNats = ({ nats }: Pick<Session, 'nats'>): Finding => {
  const version = nats.info?.version ?? '0';
  return isBefore(version, RECOMMENDED, 2)
    ? warning('NATS', `version ${version} answers; durable writes are slower than they could be`, 'upgrade nats-server to 2.15 or newer')
    : ok('NATS', `version ${version} answers`);
};

/** Faults in the settings of an event stream, as text. */
export const streamFaults = (config: StreamConfig): string[] => [
  ...(config.retention === RetentionPolicy.Limits ? [] : ['retention is not "limits"']),
  ...(config.storage === StorageType.File ? [] : ['is not kept on disk']),
  ...(config.discard === DiscardPolicy.New ? [] : ['may drop old events']),
  ...(config.max_age || config.max_msgs > 0 || config.max_bytes > 0 ? ['is limited in age or size'] : []),
  ...(config.allow_direct ? [] : ['direct reads are off']),
  ...(config.allow_atomic ? [] : ['atomic batches are off']),
  ...(config.metadata?.['continuo-epoch'] ? [] : ['carries no epoch']),
];

/** Whether events are missing, by what the server says, by tables, and by the last read of the whole stream. */
const damageIn = async ({ manager, db }: Pick<Session, 'manager' | 'db'>, name: EventStreamName): Promise<string | undefined> => {
  const tables = db as unknown as Kysely<unknown>;
  const { state } = await inspectStream({ manager, db: tables }, name);
  const check = await new LogChecks(tables).of(name, state.epoch);
  return damageOf(await inspectStream({ manager, db: tables }, name, check?.missing));
};

const checkStream = async (session: Pick<Session, 'manager' | 'db'>, name: EventStreamName): Promise<Finding> => {
  const { manager } = session;
  try {
    const { config, state, cluster } = await manager.streams.info(name);
    const faults = streamFaults(config);
    const late = (cluster?.replicas ?? []).filter(({ current, offline }) => offline || !current).map((replica) => replica.name);
    if (faults.length === 0 && late.length > 0)
      return warning(
        name,
        `its copies on ${late.join(', ')} are not up to date`,
        'look at these NATS servers: their log, their disk, the network',
      );
    const damage = faults.length === 0 ? await damageIn(session, name) : undefined;
    if (damage !== undefined)
      return fault(
        name,
        `is damaged: ${damage}; its commands are refused`,
        `restore it from a backup or a replica; "continuo log accept-loss ${name}" goes on with what is left (docs/operate/recover.md)`,
      );
    return faults.length === 0
      ? ok(name, `${state.messages} events, ${config.num_replicas} ${config.num_replicas === 1 ? 'copy' : 'copies'}`)
      : fault(name, faults.join(', '), 'restore the stream from a backup, or correct its settings with the nats tool');
  } catch (error) {
    return fault(name, `cannot be read: ${reasonOf(error)}`, 'start the service that owns it; it creates the stream');
  }
};

/** Every event stream is there with the settings that keep the log safe. */
export const checkStreams = (session: Pick<Session, 'manager' | 'db'>): Promise<Finding[]> =>
  Promise.all(Object.values(eventStreams).map((name) => checkStream(session, name)));

/** Faults in the settings of a work queue, as text. */
export const queueFaults = (config: StreamConfig): string[] => [
  ...(config.retention === RetentionPolicy.Workqueue ? [] : ['is no work queue']),
  ...(config.storage === StorageType.File ? [] : ['is not kept on disk']),
  ...(config.discard === DiscardPolicy.New ? [] : ['may drop old jobs']),
];

/** Of those that wait somebody has asked for none: neither at work nor waiting for work. */
const isDeserted = ({ num_pending, num_ack_pending, num_waiting }: ConsumerInfo): boolean =>
  num_pending > 0 && num_ack_pending === 0 && num_waiting === 0;

const checkQueue = async ({ manager }: Pick<Session, 'manager'>, context: JobContext): Promise<Finding> => {
  const name = jobStreams[context];
  try {
    const { config, state } = await manager.streams.info(name);
    const faults = queueFaults(config);
    if (faults.length > 0) return fault(name, faults.join(', '), 'delete it when it is empty; its service creates it anew');
    const deserted: string[] = [];
    for await (const info of manager.consumers.list(name)) if (isDeserted(info)) deserted.push(`${info.name} (${info.num_pending})`);
    return deserted.length === 0
      ? ok(name, `${state.messages} ${context === 'ingest' ? 'scans' : 'jobs'} queued or running`)
      : warning(
          name,
          `nobody takes the jobs of ${deserted.join(', ')}`,
          'is the service running, and does its configuration leave it a place?',
        );
  } catch (error) {
    return fault(name, `cannot be read: ${reasonOf(error)}`, 'start the service that owns it; it creates the queue');
  }
};

const checkDeadLetters = async ({ manager }: Pick<Session, 'manager'>): Promise<Finding> => {
  const dead = await manager.streams.info(DEAD_LETTER_STREAM).then(
    ({ state }) => state.messages,
    () => 0,
  );
  return dead === 0
    ? ok('Dead letters', 'none')
    : warning(
        'Dead letters',
        `${dead} messages could not be handled`,
        '"continuo dead-letters list" shows them, "continuo dead-letters replay" sends them again',
      );
};

/** Work queues with their jobs, and dead letters. */
export const checkQueues = async (session: Pick<Session, 'manager'>): Promise<Finding[]> => [
  ...(await Promise.all((Object.keys(jobStreams) as JobContext[]).map((context) => checkQueue(session, context)))),
  await checkDeadLetters(session),
];
