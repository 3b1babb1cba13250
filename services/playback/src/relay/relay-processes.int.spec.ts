import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { NatsCommandClient, openDatabase } from '@continuo/chassis';
import { beginLastfmLink, linkLastfm, linkListenBrainz, recordPlays, songId, userId, type CommandDefinition } from '@continuo/contracts';
import { testNats, testPostgres, type TestNats, type TestPostgres } from '@continuo/local-servers';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { sql, type Kysely } from 'kysely';
import type { z } from 'zod';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { FakeLastfm } from '../../test/relay/fake-lastfm.js';
import { FakeListenBrainz } from '../../test/relay/fake-listenbrainz.js';
import { otherServicesTables, relayEnvironment, songRow } from '../../test/relay/running-relay.js';

/** The built program: child processes do not read TypeScript. */
const PROGRAM = join(import.meta.dirname, '../../../../tools/standalone/bundle/playback.js');
/** Processes start and die here by the dozen: on a busy machine each takes its time. */
vi.setConfig({ testTimeout: 600_000, hookTimeout: 300_000 });
const WAIT = { timeout: 240_000, interval: 50 };
const SONGS = 300;
const context = { actor: 'user:1', correlationId: 'spec', causationId: 'spec' };

let nats: TestNats;
let postgres: TestPostgres;
let listenBrainz: FakeListenBrainz;
let lastfm: FakeLastfm;
let connection: NatsConnection;
let commands: NatsCommandClient;
let db: Kysely<unknown>;
let replicas: ChildProcess[] = [];

const run = (): void => {
  const env = {
    PATH: '/usr/bin:/bin',
    DATABASE_URL: postgres.url,
    NATS_URL: nats.url,
    ...relayEnvironment(listenBrainz, lastfm),
    // Nothing is given up here, however late the stand-ins answer on a busy machine and however often they refuse by chance.
    RELAY_ATTEMPTS: '50',
    HEALTH_PORT: '0',
    LOG_LEVEL: 'fatal',
    DRAIN_TIMEOUT_MS: '1000',
  };
  replicas.push(spawn(process.execPath, [PROGRAM], { env, stdio: ['ignore', 'inherit', 'inherit'] }));
};
const end = async (some: readonly ChildProcess[], signal: NodeJS.Signals): Promise<void> => {
  const over = some.map((replica) => once(replica, 'exit'));
  for (const replica of some) replica.kill(signal);
  await Promise.all(over);
  replicas = replicas.filter((replica) => !some.includes(replica));
};
const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Sends a command until some replica takes it; the same id makes every further try harmless. */
const send = async <S extends z.ZodType, R extends z.ZodType>(command: CommandDefinition<S, R>, data: z.input<S>): Promise<z.output<R>> => {
  const commandId = randomUUID();
  return vi.waitFor(async () => (await commands.send(command, data, context, { commandId, timeoutMs: 3000 })).result, WAIT);
};
const account = async (id: number): Promise<{ user: ReturnType<typeof userId.parse>; name: string }> => {
  const user = userId.parse(id);
  const name = `ada-${id}`;
  await sql`insert into social."user" (id) values (${id})`.execute(db);
  listenBrainz.tokens.set(`token-${id}`, name);
  await send(linkListenBrainz, { userId: user, token: `token-${id}` });
  return { user, name };
};
const play = (user: ReturnType<typeof userId.parse>, song: number): Promise<unknown> =>
  send(recordPlays, { userId: user, client: 'spec', plays: [{ songId: songId.parse(song), playedAtMs: Date.now() }] });
const titles = (from: number, to: number): string[] => Array.from({ length: to - from + 1 }, (_, n) => `Song ${from + n}`);
const sentTimes = (name: string): number[] => {
  const counts = new Map<string, number>();
  for (const one of listenBrainz.sent) {
    if (one.user !== name) continue;
    const key = `${one.track_metadata.track_name}@${one.listened_at}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts.values()];
};

beforeAll(async () => {
  [nats, postgres, listenBrainz, lastfm] = await Promise.all([
    testNats(),
    testPostgres(),
    new FakeListenBrainz().start(),
    new FakeLastfm().start(),
  ]);
  db = openDatabase({ url: postgres.url, poolSize: 1, applicationName: 'spec' });
  await otherServicesTables(db);
  for (let n = 1; n <= SONGS; n += 1) {
    const { id, doc } = songRow(n, `Song ${n}`);
    await sql`insert into library.song (id, doc) values (${id}, ${doc})`.execute(db);
  }
  connection = await connect({ servers: nats.url });
  commands = new NatsCommandClient(connection);
  run();
  run();
  await account(1);
});
afterAll(async () => {
  await end(replicas, 'SIGKILL');
  await connection.close();
  await db.destroy();
  listenBrainz.stop();
  lastfm.stop();
  await Promise.all([nats.stop(), postgres.stop()]);
});

it('goes on with another replica when the one that tells is killed in the middle: nothing is lost, and one request comes twice', async () => {
  const { user, name } = await account(2);
  let requests = 0;
  listenBrainz.trouble = ({ body }) => (body.includes('"single"') && (requests += 1) === 2 ? 'never' : undefined);
  for (const song of [1, 2, 3]) {
    await play(user, song);
    await vi.waitFor(() => expect(requests).toBeGreaterThanOrEqual(Math.min(song, 2)), WAIT);
  }
  // Which replica waits for its answer cannot be seen from here: one after the other is killed, and another takes its place.
  for (const replica of replicas.slice()) {
    run();
    await end([replica], 'SIGKILL');
  }
  await vi.waitFor(() => expect(listenBrainz.titles(name)).toEqual(titles(1, 3)), WAIT);
  listenBrainz.trouble = undefined;
  await later(3000);
  expect(sentTimes(name)).toEqual([1, 1, 1]);
});

it('repeats no more than the request that was on its way when it was killed after that was taken', async () => {
  const { user, name } = await account(3);
  let requests = 0;
  listenBrainz.trouble = () => {
    requests += 1;
    if (requests !== 1) return undefined;
    // Taken, but nobody is there any more to hear of it.
    for (const replica of replicas) replica.kill('SIGKILL');
    return 'take-and-break';
  };
  await play(user, 10);
  await vi.waitFor(() => expect(requests).toBe(1), WAIT);
  replicas = [];
  run();
  run();
  await play(user, 11);
  await vi.waitFor(() => expect(listenBrainz.titles(name)).toEqual(titles(10, 11)), WAIT);
  await later(3000);
  expect(sentTimes(name)).toEqual([2, 1]);
  listenBrainz.trouble = undefined;
});

it('loses nothing and shows nothing twice when replicas are killed at random while people listen', async () => {
  const accounts = [await account(4), await account(5), await account(6)];
  const [first] = accounts;
  if (!first) throw new Error('nobody listens');
  const { token } = await send(beginLastfmLink, { userId: first.user });
  lastfm.tokens.set(token, 'bob');
  await send(linkLastfm, { userId: first.user, token });
  listenBrainz.trouble = () => (Math.random() < 0.1 ? { status: 503 } : undefined);
  let [kills, taken, takenAtKill] = [0, 0, 0];
  const over = new AbortController();
  const killing = (async () => {
    while (!over.signal.aborted) {
      await later(300 + Math.random() * 900);
      // On a busy machine replicas would be killed before one of them has started.
      if (taken === takenAtKill) continue;
      takenAtKill = taken;
      const [victim] = replicas.toSorted(() => Math.random() - 0.5);
      run();
      if (victim) await end([victim], 'SIGKILL');
      kills += 1;
    }
  })();
  for (let song = 1; song <= 40; song += 1) {
    for (const { user } of accounts) {
      await play(user, song);
      taken += 1;
    }
    // On a quick machine all would be played before enough are killed.
    const due = Math.floor(song / 10) - 1;
    await vi.waitFor(() => expect(kills).toBeGreaterThanOrEqual(due), WAIT);
  }
  over.abort();
  await killing;
  listenBrainz.trouble = undefined;
  for (const { name } of accounts) {
    await vi.waitFor(() => expect(listenBrainz.titles(name)).toEqual(titles(1, 40)), WAIT);
    // A request is repeated by the kill that meets it; that the next one meets its repetition is not likely, but possible.
    expect(Math.max(...sentTimes(name))).toBeLessThanOrEqual(3);
  }
  await vi.waitFor(() => expect(lastfm.titles('bob')).toEqual(titles(1, 40)), WAIT);
  expect(kills).toBeGreaterThan(2);
});

it('has one sender for each account, however many replicas there are', async () => {
  const { user, name } = await account(7);
  run();
  run();
  let [atOnce, most] = [0, 0];
  listenBrainz.delay = async ({ body, headers }) => {
    // Accounts of the specs before may still have something repeated that a kill has left.
    if (!body.includes('"listened_at"') || headers.authorization !== 'Token token-7') return;
    atOnce += 1;
    most = Math.max(most, atOnce);
    await later(50);
    atOnce -= 1;
  };
  for (let song = 101; song <= 130; song += 1) await play(user, song);
  await vi.waitFor(() => expect(listenBrainz.titles(name)).toEqual(titles(101, 130)), WAIT);
  listenBrainz.delay = undefined;
  expect(most).toBe(1);
  expect(sentTimes(name).every((times) => times === 1)).toBe(true);
});

it('goes on where it was after NATS and every replica were gone', async () => {
  const { user, name } = await account(8);
  await play(user, 201);
  await vi.waitFor(() => expect(listenBrainz.titles(name)).toEqual(titles(201, 201)), WAIT);
  listenBrainz.trouble = () => ({ status: 503 });
  await play(user, 202);
  await later(300);
  await end(replicas, 'SIGTERM');
  await nats.crashAndRestart();
  listenBrainz.trouble = undefined;
  run();
  await play(user, 203);
  await vi.waitFor(() => expect(listenBrainz.titles(name)).toEqual(titles(201, 203)), WAIT);
  expect(sentTimes(name)).toEqual([1, 1, 1]);
});
