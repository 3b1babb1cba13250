import { openDatabase } from '@continuo/chassis';
import { testNats, testPostgres, type TestNats, type TestPostgres } from '@continuo/local-servers';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { continuoProgram } from '../program.js';

let nats: TestNats;
let postgres: TestPostgres;
let connection: NatsConnection;
const run = async (...args: string[]): Promise<string[]> => {
  const lines: string[] = [];
  const terminal = { print: (line: string) => void lines.push(line) };
  const env = { DATABASE_URL: postgres.url, NATS_URL: nats.url };
  const program = continuoProgram({ terminal: terminal as never, env, fail: () => expect.unreachable() });
  await program.exitOverride().parseAsync(['prepare', ...args], { from: 'user' });
  return lines;
};

beforeAll(async () => {
  [nats, postgres] = await Promise.all([testNats(), testPostgres()]);
  connection = await connect({ servers: nats.url });
});
afterAll(async () => {
  await connection.close();
  await Promise.all([nats.stop(), postgres.stop()]);
});

describe('continuo prepare', () => {
  it('makes the log, the queues and their consumers once, however often it is called', async () => {
    const first = await run('--replicas', '1');
    expect(first.join('\n')).toMatch(/^NATS 2\.\d+\.\d+: \d+ streams, \d+ consumers of jobs\.\n.*Postgres.*18/);
    const manager = await jetstreamManager(connection);
    const { config } = await manager.streams.info('EV_LIBRARY');
    const consumer = await manager.consumers.info('JOBS_TRANSCODE', 'transcode-transcode-one');
    expect(consumer.config).toMatchObject({ ack_policy: 'explicit', filter_subject: 'jobs.transcode.transcode-one', max_deliver: -1 });
    expect(await run()).toEqual(first);
    expect((await manager.streams.info('EV_LIBRARY')).config.metadata).toEqual(config.metadata);
  });

  it('refuses a database that keeps text in the order of a language', async () => {
    const admin = openDatabase({ url: postgres.url, poolSize: 1, applicationName: 'spec' });
    const name = `by_language_${process.pid}`;
    await sql`create database ${sql.id(name)} template template0 locale_provider icu icu_locale 'en'`.execute(admin);
    const url = new URL(postgres.url);
    url.pathname = `/${name}`;
    const program = continuoProgram({
      terminal: { print: () => undefined } as never,
      env: { DATABASE_URL: url.href, NATS_URL: nats.url },
      fail: () => expect.unreachable(),
    });
    await expect(program.parseAsync(['prepare'], { from: 'user' })).rejects.toThrow(/that of a language/);
    await sql`drop database ${sql.id(name)}`.execute(admin);
    await admin.destroy();
  });

  it('says when the cluster cannot keep so many copies', async () => {
    const empty = await testNats();
    const lines: string[] = [];
    const program = continuoProgram({
      terminal: { print: (line: string) => void lines.push(line) } as never,
      env: { DATABASE_URL: postgres.url, NATS_URL: empty.url },
      fail: () => expect.unreachable(),
    });
    await expect(program.parseAsync(['prepare', '--replicas', '3'], { from: 'user' })).rejects.toThrow(/replicas/);
    await empty.stop();
  });
});
