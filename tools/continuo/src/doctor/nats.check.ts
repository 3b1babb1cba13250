import { DEAD_LETTER_STREAM, eventStreams, jobStreams, type EventStreamName } from '@continuo/contracts';
import { DiscardPolicy, RetentionPolicy, StorageType, type StreamConfig } from '@nats-io/jetstream';
import type { Session } from '../connect/session.js';
import { fault, ok, reasonOf, warning, type Finding } from './finding.js';

/** Version from which nats-server writes durably at full speed. */
const RECOMMENDED = [2, 15];

/** NATS answers; versions that are too old refuse the connection already. */
export const checkNats = ({ nats }: Pick<Session, 'nats'>): Finding => {
  const version = nats.info?.version ?? '0';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const slow = major < (RECOMMENDED[0] ?? 0) || (major === RECOMMENDED[0] && minor < (RECOMMENDED[1] ?? 0));
  return slow
    ? warning('NATS', `version ${version} answers; durable writes are slower than they could be`, 'upgrade nats-server to 2.15 or newer')
    : ok('NATS', `version ${version} answers`);
};

/** What is wrong with the settings of an event stream, as words. */
export const streamFaults = (config: StreamConfig): string[] => [
  ...(config.retention === RetentionPolicy.Limits ? [] : ['retention is not "limits"']),
  ...(config.storage === StorageType.File ? [] : ['is not kept on disk']),
  ...(config.discard === DiscardPolicy.New ? [] : ['may drop old events']),
  ...(config.max_age || config.max_msgs > 0 || config.max_bytes > 0 ? ['is limited in age or size'] : []),
  ...(config.allow_direct ? [] : ['direct reads are off']),
  ...(config.allow_atomic ? [] : ['atomic batches are off']),
  ...(config.metadata?.['continuo-epoch'] ? [] : ['carries no epoch']),
];

const checkStream = async ({ manager }: Pick<Session, 'manager'>, name: EventStreamName): Promise<Finding> => {
  try {
    const { config, state } = await manager.streams.info(name);
    const faults = streamFaults(config);
    return faults.length === 0
      ? ok(name, `${state.messages} events, ${config.num_replicas} ${config.num_replicas === 1 ? 'copy' : 'copies'}`)
      : fault(name, faults.join(', '), 'restore the stream from a backup, or correct its settings with the nats tool');
  } catch (error) {
    return fault(name, `cannot be read: ${reasonOf(error)}`, 'start the service that owns it; it creates the stream');
  }
};

/** Every event stream is there with the settings that keep the log safe. */
export const checkStreams = (session: Pick<Session, 'manager'>): Promise<Finding[]> =>
  Promise.all(Object.values(eventStreams).map((name) => checkStream(session, name)));

const messagesOf = async ({ manager }: Pick<Session, 'manager'>, stream: string): Promise<number | undefined> =>
  manager.streams.info(stream).then(
    ({ state }) => state.messages,
    () => undefined,
  );

/** Waiting jobs and dead letters. */
export const checkQueues = async (session: Pick<Session, 'manager'>): Promise<Finding[]> => {
  const waiting = await messagesOf(session, jobStreams.ingest);
  const dead = (await messagesOf(session, DEAD_LETTER_STREAM)) ?? 0;
  return [
    waiting === undefined
      ? fault(jobStreams.ingest, 'is missing', 'start the ingestion service; it creates the queue')
      : ok(jobStreams.ingest, `${waiting} scans queued or running`),
    dead === 0
      ? ok('Dead letters', 'none')
      : warning(
          'Dead letters',
          `${dead} messages could not be handled`,
          '"continuo dead-letters list" shows them, "continuo dead-letters replay" sends them again',
        ),
  ];
};
