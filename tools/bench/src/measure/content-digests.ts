import { createHash } from 'node:crypto';
import { openDatabase } from '@continuo/chassis';
import { DeliverPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { sql } from 'kysely';

/**
 * Rows of every table as one digest each, whatever their order on the disk. Marks of the logs' incarnations are left out: a restored log begins another one, and what belongs to it is
 * renamed with it.
 */
export const tableContents = async (databaseUrl: string): Promise<Map<string, string>> => {
  const db = openDatabase({ url: databaseUrl, poolSize: 1, applicationName: 'bench' });
  try {
    const tables = await sql<{ schema: string; name: string }>`
      select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'public') order by 1, 2`.execute(db);
    const found = new Map<string, string>();
    for (const { schema, name } of tables.rows) {
      const { rows } = await sql<{ digest: string }>`
        select count(*) || ':' || coalesce(sum(('x' || substr(h, 1, 15))::bit(60)::bigint::numeric), 0) || ':' || coalesce(sum(('x' || substr(h, 16, 15))::bit(60)::bigint::numeric), 0) as digest
        from (select md5((to_jsonb(t) - 'epoch')::text) as h from ${sql.table(`${schema}.${name}`)} as t) as hashed`.execute(db);
      found.set(`${schema}.${name}`, rows[0]?.digest ?? '');
    }
    return found;
  } finally {
    await db.destroy();
  }
};

const digestOfStream = async (nats: NatsConnection, stream: string, last: number): Promise<string> => {
  const hash = createHash('sha256');
  const consumer = await jetstream(nats).consumers.get(stream, { deliver_policy: DeliverPolicy.All });
  const messages = await consumer.consume({ max_bytes: 8 * 1024 * 1024 });
  let count = 0;
  for await (const { seq, subject, data, headers, info } of messages) {
    hash.update(JSON.stringify([seq, subject, info.timestampNanos, [...(headers ?? [])]])).update(data);
    count += 1;
    if (seq >= last) break;
  }
  await messages.close();
  return `${count}:${hash.digest('hex')}`;
};

/** Every message of the streams whose names match, bit for bit with position and time, as one digest each. */
export const streamContents = async (nats: NatsConnection, names: RegExp): Promise<Map<string, string>> => {
  const manager = await jetstreamManager(nats);
  const found = new Map<string, string>();
  for await (const { config, state } of manager.streams.list())
    if (names.test(config.name))
      found.set(config.name, state.messages === 0 ? 'empty' : await digestOfStream(nats, config.name, state.last_seq));
  return found;
};

/** Names under which two contents differ, or that only one of them has. */
export const differing = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): string[] =>
  [...new Set([...one.keys(), ...other.keys()])].filter((name) => one.get(name) !== other.get(name));
