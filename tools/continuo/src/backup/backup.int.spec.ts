import { mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@continuo/chassis';
import { flipBit, ownTestPostgres, type TestPostgres } from '@continuo/local-servers';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { LEFT_OUT, STREAMS_IN_ORDER } from '@continuo/operations';
import { SpecServer } from '../../test/backup/spec-world.js';

// Whole systems start and stop here, also on machines that have other things to do.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let postgres: TestPostgres;
let home: string;
const servers: SpecServer[] = [];

const server = async (): Promise<SpecServer> => {
  const made = await SpecServer.make(postgres);
  servers.push(made);
  return made;
};

beforeAll(async () => {
  postgres = await ownTestPostgres();
  home = await realpath(await mkdtemp(join(tmpdir(), 'continuo-backups-')));
});
// All connections of a Postgres are not enough for two servers at once.
afterEach(async () => {
  for (const made of servers) await made.stop();
});
afterAll(async () => {
  await Promise.all(servers.map((made) => made.end()));
  await postgres.stop();
  await rm(home, { recursive: true, force: true });
});

/** Rows of every table as one digest each, whatever their order on the disk; marks of the logs' incarnations are told apart by whoever looks. */
const digests = async (url: string): Promise<Record<string, string>> => {
  const db = openDatabase({ url, poolSize: 1, applicationName: 'spec' });
  const tables = await sql<{ schema: string; name: string }>`
    select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'public') order by 1, 2`.execute(db);
  const found: Record<string, string> = {};
  for (const { schema, name } of tables.rows) {
    const rows = await sql<{ digest: string }>`select count(*) || ':' || coalesce(md5(string_agg(h, '' order by h)), '') as digest
      from (select md5((to_jsonb(t) - 'epoch')::text) as h from ${sql.table(`${schema}.${name}`)} as t) as hashed`.execute(db);
    found[`${schema}.${name}`] = rows.rows[0]?.digest ?? '';
  }
  await db.destroy();
  return found;
};

/** The shape of a database as the catalogues tell it, by other queries than the product's. */
const shape = async (url: string): Promise<unknown> => {
  const db = openDatabase({ url, poolSize: 1, applicationName: 'spec' });
  const ours = sql`n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'public')`;
  const parts = await Promise.all([
    sql`select n.nspname, c.relname, c.relkind, c.relpersistence, c.reloptions::text, c.relacl::text from pg_class c
        join pg_namespace n on n.oid = c.relnamespace where ${ours} and c.relkind <> 't' order by 1, 2`.execute(db),
    sql`select table_schema, table_name, column_name, ordinal_position, column_default, is_nullable, data_type, collation_name, is_identity, identity_generation,
        identity_start, is_generated, generation_expression from information_schema.columns
        where table_schema !~ '^pg_' and table_schema not in ('information_schema', 'public') order by 1, 2, 4`.execute(db),
    sql`select schemaname, tablename, indexname, indexdef from pg_indexes where schemaname !~ '^pg_' order by 1, 2, 3`.execute(db),
    sql`select n.nspname, conname, contype, pg_get_constraintdef(k.oid) from pg_constraint k join pg_namespace n on n.oid = k.connamespace
        where ${ours} and contype <> 'n' order by 1, 2, 4`.execute(db),
    sql`select schemaname, viewname, definition from pg_views where schemaname !~ '^pg_' and schemaname not in ('information_schema', 'public') order by 1, 2`.execute(
      db,
    ),
    sql`select schemaname, sequencename, data_type::text, start_value, increment_by, last_value from pg_sequences order by 1, 2`.execute(
      db,
    ),
    sql`select n.nspname, p.proname, pg_get_functiondef(p.oid) from pg_proc p join pg_namespace n on n.oid = p.pronamespace where ${ours} order by 1, 2`.execute(
      db,
    ),
    sql`select n.nspname, t.tgname, pg_get_triggerdef(t.oid) from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
        where ${ours} and not t.tgisinternal order by 1, 2`.execute(db),
    sql`select n.nspname, n.nspacl::text from pg_namespace n where ${ours} order by 1`.execute(db),
    sql`select extname from pg_extension order by 1`.execute(db),
  ]);
  await db.destroy();
  return parts.map(({ rows }) => rows);
};

/** Every message of every stream of a backup, bit for bit. */
const messages = async (url: string): Promise<Record<string, unknown[]>> => {
  const nats = await connect({ servers: url });
  const manager = await jetstreamManager(nats);
  const found: Record<string, unknown[]> = {};
  for (const name of STREAMS_IN_ORDER) {
    const { state } = await manager.streams.info(name).catch(() => ({ state: { first_seq: 1, last_seq: 0 } }));
    const all: unknown[] = [];
    for (let seq = Math.max(1, state.first_seq); seq <= state.last_seq; seq += 1) {
      const message = await manager.streams.getMessage(name, { seq });
      all.push(
        message && [
          seq,
          message.subject,
          message.time.toISOString(),
          [...(message.header ?? [])],
          Buffer.from(message.data).toString('base64'),
        ],
      );
    }
    found[name] = all;
  }
  await nats.close();
  return found;
};

const withoutAfterRestore = (found: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(found).filter(([name]) => name !== 'chassis.after_restore'));

describe('continuo backup and restore', () => {
  it('bring back tables, streams, positions, times and gaps', async () => {
    const from = await server();
    await from.start();
    for (const name of ['ada', 'bob', 'eve']) expect((await from.run('user', 'add', name)).err).toBe('');
    expect((await from.run('catalog', 'add', from.music, '--name', 'Music')).err).toBe('');
    expect((await from.run('user', 'key', 'ada', '--name', 'phone')).err).toBe('');
    expect((await from.run('user', 'delete', 'eve', '--yes')).err).toBe('');
    await from.stop();
    const folder = join(home, 'round-trip');
    expect(await from.run('backup', folder)).toMatchObject({ err: '', exitCode: 0 });
    expect(await from.run('backup', 'verify', folder)).toMatchObject({ exitCode: 0, out: expect.stringContaining('is whole') });
    const to = await server();
    const restored = await to.run('restore', folder);
    expect(restored).toMatchObject({ err: '', exitCode: 0 });
    const [tables, restoredTables] = [await digests(from.database.url), await digests(to.database.url)];
    expect(withoutAfterRestore(restoredTables)).toEqual(tables);
    expect(Object.keys(tables).length).toBeGreaterThan(80);
    const log = await messages(from.nats.url);
    expect(await messages(to.nats.url)).toEqual(log);
    expect(log['EV_IDENTITY']?.length).toBeGreaterThan(5);
    // The key of the deleted account was erased within the stream.
    expect(log['KV_pii_keys']).toContain(null);
    await to.start();
    expect((await to.run('user', 'list')).out).toMatch(/ada[\s\S]*bob/);
    expect((await to.run('projections', 'status')).exitCode).toBe(0);
    expect((await to.run('user', 'add', 'zoe')).err).toBe('');
  });

  it('keep older backups when the log is damaged, and bring back what it has lost', async () => {
    const from = await server();
    await from.start();
    expect((await from.run('catalog', 'add', from.music, '--name', 'Before the damage')).err).toBe('');
    await from.stop();
    const all = join(home, 'damaged-log');
    expect(await from.run('backup', '--into', all, '--keep', '1')).toMatchObject({ err: '', exitCode: 0 });
    const [kept] = await readdir(all);
    await from.nats.restartAfter('stop', (storeDir) => flipBit(storeDir, 'EV_LIBRARY', 'Before the damage'));
    expect(await from.run('backup', '--into', all, '--keep', '1')).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching(/no backup was written: the event log EV_LIBRARY is damaged, positions? .*missing/),
    });
    expect(await readdir(all)).toEqual([kept]);
    expect(await from.run('restore', join(all, kept ?? ''), '--replace')).toMatchObject({ err: '', exitCode: 0 });
    await from.start();
    expect(await from.run('log', 'verify')).toMatchObject({ err: '', exitCode: 0, out: expect.stringMatching(/EV_LIBRARY +\d+ .*whole/) });
    expect((await from.run('catalog', 'list')).out).toContain('Before the damage');
    expect((await from.run('user', 'add', 'zoe')).err).toBe('');
  });

  it('are written and verified by the server in its own folder, when none is named', async () => {
    const from = await server();
    await from.start();
    const taken = await from.run('backup', '--keep', '2');
    expect(taken).toMatchObject({ err: '', exitCode: 0, out: expect.stringMatching(/lies on the server: \d+ tables, \d+ messages/) });
    const [name = ''] = await readdir(join(from.data, 'backups'));
    expect(taken.out).toContain(name);
    expect(await from.run('backup', 'verify', name)).toMatchObject({ exitCode: 0, out: `The backup ${name} is whole.` });
    expect(await from.run('backup', '--earlier', from.data)).toMatchObject({ exitCode: 1, err: expect.stringContaining('--earlier') });
    expect(await from.run('backup', 'list')).toMatchObject({ err: '', exitCode: 0, out: expect.stringMatching(`${name} +done +20`) });
    expect(JSON.parse((await from.run('backup', 'list', '--json')).out)).toMatchObject([{ id: name, state: 'done' }]);
    const files = await readdir(join(from.data, 'backups', name), { recursive: true });
    await writeFile(join(from.data, 'backups', name, files.find((file) => /EV_LIBRARY.*\./.test(file)) ?? ''), 'x');
    const damaged = await from.run('backup', 'verify', name);
    expect(damaged).toMatchObject({ err: '', exitCode: 1, out: expect.stringContaining('EV_LIBRARY') });
    expect(damaged.out).toContain('is damaged: do not rely on it');
    const [{ lastVerification }] = JSON.parse((await from.run('backup', 'list', '--json')).out) as [{ lastVerification: unknown }];
    expect(lastVerification).toEqual({ at: expect.any(String), faults: [expect.stringContaining('EV_LIBRARY')], tablesRestoredAt: null });
    expect(await from.run('backup', 'delete', name)).toMatchObject({ err: '', exitCode: 0, out: `The backup ${name} is gone.` });
    expect((await from.run('backup', 'list', '--json')).out).toBe('[]');
    expect(await from.run('backup', 'delete', name)).toMatchObject({ exitCode: 1, err: expect.stringContaining(name) });
  });

  it('bring back the shape of the database', async () => {
    const from = await server();
    await from.start();
    await from.stop();
    const folder = join(home, 'shape');
    expect(await from.run('backup', folder, '--json')).toMatchObject({ err: '', exitCode: 0 });
    const to = await server();
    expect(await to.run('restore', folder, '--json')).toMatchObject({ err: '', exitCode: 0 });
    const db = openDatabase({ url: to.database.url, poolSize: 1, applicationName: 'spec' });
    await sql`drop table chassis.after_restore`.execute(db);
    await db.destroy();
    expect(await shape(to.database.url)).toEqual(await shape(from.database.url));
  });

  it('know every stream that services make', async () => {
    const from = await server();
    await from.start();
    const nats = await connect({ servers: from.nats.url });
    const names = await (await jetstreamManager(nats)).streams.names().next();
    await nats.close();
    await from.stop();
    expect(names.filter((name) => !STREAMS_IN_ORDER.includes(name) && !LEFT_OUT.has(name))).toEqual([]);
  });
});
