import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NatsCommandClient, openDatabase } from '@continuo/chassis';
import { createPlaylist, registerUser } from '@continuo/contracts';
import { ownTestPostgres, type TestPostgres } from '@continuo/local-servers';
import { isLongForm } from '@continuo/local-servers/test-form';
import { connect } from '@nats-io/transport-node';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { SpecServer } from '../../test/backup/spec-world.js';

const WRITERS = 2;

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
afterAll(async () => {
  await Promise.all(servers.map((made) => made.end()));
  await postgres.stop();
  await rm(home, { recursive: true, force: true });
});

/** Writes to two logs, one after the other, and notes what was acknowledged, until it is told to stop. */
const write = async (
  url: string,
  writer: number,
  ledger: { acknowledged: string[]; tried: Set<string> },
  isOver: () => boolean,
): Promise<void> => {
  const nats = await connect({ servers: url });
  const commands = new NatsCommandClient(nats);
  const context = { actor: 'spec', correlationId: 'spec', causationId: 'spec' };
  for (let n = 0; !isOver(); n += 1) {
    const name = `w${writer}n${n}`;
    ledger.tried.add(name);
    const { result } = await commands.send(registerUser, { username: name, access: 25 }, context, { timeoutMs: 30_000 });
    await commands.send(createPlaylist, { name, ownerId: result.userId, isPublic: false }, context, { timeoutMs: 30_000 });
    ledger.acknowledged.push(name);
  }
  await nats.close();
};

const namesIn = async (url: string): Promise<{ lists: string[]; orphans: number }> => {
  const db = openDatabase({ url, poolSize: 1, applicationName: 'spec' });
  const lists = await sql<{ name: string }>`select name from library.playlist order by name`.execute(db);
  const orphans = await sql<{ count: number }>`
    select count(*) as count from library.playlist p left join social."user" u on u.id = p.owner_id where u.id is null or u.username <> p.name`.execute(
    db,
  );
  await db.destroy();
  return { lists: lists.rows.map(({ name }) => name), orphans: orphans.rows[0]?.count ?? -1 };
};

it.runIf(isLongForm)(
  'holds everything that was acknowledged before it began, nothing twice, and nothing that speaks of what it lacks',
  async () => {
    const from = await server();
    await from.start();
    const ledger = { acknowledged: [] as string[], tried: new Set<string>() };
    let isOver = false;
    const writing = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(from.nats.url, writer, ledger, () => isOver)));
    await expect.poll(() => ledger.acknowledged.length, { timeout: 120_000 }).toBeGreaterThan(10);
    const before = [...ledger.acknowledged];
    const folder = join(home, 'while-writing');
    expect(await from.run('backup', folder)).toMatchObject({ err: '', exitCode: 0 });
    const during = ledger.acknowledged.length - before.length;
    isOver = true;
    await writing;
    await from.stop();
    expect(during).toBeGreaterThan(0);
    expect(await from.run('backup', 'verify', folder)).toMatchObject({ exitCode: 0 });

    const to = await server();
    expect(await to.run('restore', folder)).toMatchObject({ err: '', exitCode: 0 });
    await to.start();
    expect((await to.run('projections', 'rebuild', 'all', '--verify')).exitCode).toBe(0);
    const { lists, orphans } = await namesIn(to.database.url);
    expect(before.filter((name) => !lists.includes(name))).toEqual([]);
    expect(new Set(lists).size).toBe(lists.length);
    expect(lists.filter((name) => !ledger.tried.has(name))).toEqual([]);
    expect(orphans).toBe(0);
    // Numbers that were given after the tables were read are not given again.
    expect(await to.run('user', 'add', 'somebody-new')).toMatchObject({ err: '', exitCode: 0 });
    expect(await to.run('user', 'add', before[0] ?? '')).toMatchObject({ err: expect.stringContaining('name-taken') });
  },
);
