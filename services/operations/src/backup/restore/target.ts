import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { streamExists } from '@continuo/chassis';
import type { Client } from 'pg';
import { OperatorError } from '../../connect/operator-error.js';
import type { Access } from '../../connect/locate.js';
import { openNats } from '../../connect/session.js';
import { counted, formatCount } from '../../output/numbers.js';
import { dropSchemas, openTarget, schemasIn, unfinishedRestore } from '../postgres/load-database.js';
import { LEFT_OUT, STREAMS_IN_ORDER } from '../streams/known-streams.js';

const SCRATCH_PREFIX = 'RESTORE_';
const OLDEST_POSTGRES = 16;

/** The servers that a backup is restored into, both connected. */
export interface Target {
  readonly client: Client;
  readonly nats: NatsConnection;
  readonly manager: JetStreamManager;
  close(): Promise<void>;
}

/** Connects to both. @throws OperatorError when NATS does not answer */
export const connectTarget = async (access: Access): Promise<Target> => {
  const nats = await openNats(access);
  try {
    const client = await openTarget(access.databaseUrl);
    const close = async (): Promise<void> => {
      await client.end();
      await nats.close();
    };
    return { client, nats, manager: await jetstreamManager(nats), close };
  } catch (error) {
    await nats.close();
    throw error;
  }
};

const ours = (): string[] => [...STREAMS_IN_ORDER, ...LEFT_OUT];

/** Existing Continuo data in the target, as text; empty streams do not count. */
const contentOf = async ({ client, manager }: Target): Promise<string[]> => {
  const schemas = await schemasIn(client);
  let messages = 0;
  for (const name of ours()) if (await streamExists(manager, name)) messages += (await manager.streams.info(name)).state.last_seq;
  return [
    ...(messages > 0 ? [`streams with ${formatCount(messages)} messages`] : []),
    ...(schemas.length > 0 ? [`tables in ${counted(schemas.length, 'schema')}`] : []),
  ];
};

const connectedServices = async ({ client }: Target): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(
    `select distinct application_name as name from pg_stat_activity
     where datname = current_database() and application_name like 'continuo-%' and application_name not like 'continuo-cli%' order by 1`,
  );
  return rows.map(({ name }) => name);
};

const checkPostgres = async ({ client }: Target): Promise<void> => {
  const { rows } = await client.query<{ server_version_num: string }>('show server_version_num');
  const major = Math.floor(Number(rows[0]?.server_version_num ?? 0) / 10_000);
  if (major < OLDEST_POSTGRES) throw new OperatorError(`Postgres ${major} is too old`, `upgrade to Postgres ${OLDEST_POSTGRES} or newer`);
};

/**
 * Sees that a backup may be restored here: nothing is connected that writes, and nothing is lost that nobody wanted to lose. Answers true when an earlier restore was not
 * finished here.
 * @throws OperatorError otherwise
 */
export const checkTarget = async (target: Target, replace: boolean): Promise<boolean> => {
  await checkPostgres(target);
  const services = await connectedServices(target);
  if (services.length > 0)
    throw new OperatorError(`services are running over this database: ${services.join(', ')}`, 'stop all services first');
  if ((await unfinishedRestore(target.client)) !== undefined) return true;
  const content = await contentOf(target);
  if (content.length > 0 && !replace)
    throw new OperatorError(
      `the target is not empty: it holds ${content.join(' and ')}`,
      'back it up if it matters; "--replace" deletes all of it and puts the backup in its place',
    );
  return false;
};

/** Deletes all streams and tables of ours. */
export const clearTarget = async (target: Target): Promise<void> => {
  const names = ours();
  for (const name of [...names.map((each) => SCRATCH_PREFIX + each), ...names])
    if (await streamExists(target.manager, name)) await target.manager.streams.delete(name);
  await dropSchemas(target.client);
};
