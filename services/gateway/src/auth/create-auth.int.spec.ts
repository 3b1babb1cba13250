import { setTimeout as delay } from 'node:timers/promises';
import { sha256Hex } from '@continuo/chassis';
import { allEventsOf, eventStreams, eventSubject, projectedSubject, userId, type ReadModel } from '@continuo/contracts';
import { testNats, testPostgres, type TestNats, type TestPostgres } from '@continuo/local-servers';
import { createReadModel } from '@continuo/read-model';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sameSide } from '../reads/database/read-side-index.js';
import { request, rows, ruleRow, SECRET, sealer, settings } from '../../test/auth/auth.fixture.js';
import type { Auth } from './auth.js';
import { saltedToken } from './compat-auth.js';
import { createAuth } from './create-auth.js';
import { passphrase } from './native-login.js';

const log = pino({ level: 'silent' });
interface Gateway {
  readonly auth: Auth;
  readonly nats: NatsConnection;
  statements: number;
}

let server: TestNats;
let postgres: TestPostgres;
let db: Kysely<ReadModel>;
let left: Gateway;
let right: Gateway;
/** Positions of the projections. */
const checkpoints = new Map<string, number>();
const closing: (() => Promise<unknown>)[] = [];

const gateway = async (): Promise<Gateway> => {
  const nats = await connect({ servers: server.url });
  const made = { nats, statements: 0 };
  const own = new Kysely<ReadModel>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: postgres.url, max: 4 }) }),
    log: () => {
      made.statements += 1;
    },
  });
  const config = { ...settings, NATS_REPLICAS: 1 };
  const auth = await createAuth({
    nats,
    db: own,
    readSide: sameSide(async () => checkpoints),
    sealer,
    secrets: SECRET,
    log,
    now: Date.now,
    config,
  });
  closing.push(
    () => auth.close(),
    () => nats.close(),
    () => own.destroy(),
  );
  return Object.assign(made, { auth });
};

/** Publishes the notice of a projection's commit. */
const notice = (projection = 'social-accounts'): void => left.nats.publish(projectedSubject(projection), '{}');
const passwordLogin = () => {
  const timestamp = String(Math.floor(Date.now() / 1000));
  return request({ user: 'ada', timestamp, auth: passphrase(timestamp, sha256Hex('correct horse')) });
};

beforeAll(async () => {
  [server, postgres] = await Promise.all([testNats(), testPostgres()]);
  db = new Kysely<ReadModel>({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: postgres.url, max: 2 }) }) });
  [left, right] = [await gateway(), await gateway()];
});
afterAll(async () => {
  for (const close of closing) await close();
  await db.destroy();
  await server.stop();
  await postgres.stop();
});

describe('createAuth on two gateways', () => {
  it('rejects logins with a clear code until the accounts are readable', async () => {
    await expect(left.auth.handshake(passwordLogin(), '')).rejects.toMatchObject({ code: 'unavailable' });
    await createReadModel(db as unknown as Kysely<unknown>);
    await db
      .insertInto('social.user')
      .values([...rows.users])
      .execute();
    await db
      .insertInto('social.api_key')
      .values([...rows.apiKeys])
      .execute();
    await db
      .insertInto('social.access_rule')
      .values([...rows.accessRules, ruleRow({ id: 3, type: 'interface' })])
      .execute();
    const { token } = await left.auth.handshake(passwordLogin(), '6.0.0');
    expect(await right.auth.authenticateNative(request({ auth: token }))).toMatchObject({
      account: { username: 'Ada' },
      session: { version: '6.0.0' },
    });
  });

  it('ends a session on both at once', async () => {
    const { token } = await left.auth.handshake(passwordLogin(), '');
    await right.auth.authenticateNative(request({ auth: token }));
    await left.auth.goodbye(request({ auth: token }));
    await vi.waitFor(
      () => expect(right.auth.authenticateNative(request({ auth: token }))).rejects.toMatchObject({ code: 'auth.expired' }),
      {
        timeout: 20_000,
        interval: 5,
      },
    );
  });

  it('knows a session of the web page on both, and ends it on both within a second', async () => {
    const ada = userId.parse(1);
    const { token } = await left.auth.web.open(request({}), ada, { by: 'provider', sealedIdToken: 'sealed' });
    expect(await right.auth.web.caller(request({}), token)).toMatchObject({
      caller: { account: { username: 'Ada' } },
      signIn: { sealedIdToken: 'sealed' },
    });
    const own = right.auth.web.sessionId(token);
    expect(right.auth.web.sessions(ada).find(({ id }) => id === own)).toMatchObject({ kind: 'web' });
    expect(await left.auth.web.endSession(ada, own)).toBe(true);
    await vi.waitFor(async () => expect(await right.auth.web.caller(request({}), token)).toBeUndefined(), { timeout: 20_000, interval: 5 });
  });

  it('asks neither the database nor NATS once it is warm', async () => {
    const { token } = await left.auth.handshake(passwordLogin(), '');
    const calls = async (): Promise<void> => {
      await left.auth.authenticateNative(request({ auth: token }));
      await left.auth.authenticateNative(request({}, { authorization: 'Bearer bobs-own-key' }));
      await left.auth.authenticateCompat(request({ u: 'ada', t: saltedToken('sesame', 'x'), s: 'x' }));
      await left.auth.authenticateMedia(request({ ssid: token }));
    };
    await calls();
    await delay(1500);
    const before = { statements: left.statements, sent: left.nats.stats().outMsgs };
    for (let n = 0; n < 500; n += 1) await calls();
    await left.nats.flush();
    expect(left.statements).toBe(before.statements);
    // Flow control and heartbeats of the watches may answer a message or two; requests do not.
    expect(left.nats.stats().outMsgs - before.sent).toBeLessThan(5);
  });

  it('sees a revoked key, a disabled account and a changed access list with the notice', async () => {
    const bob = () => right.auth.authenticateNative(request({}, { auth: 'bobs-own-key' }));
    await bob();
    await db.deleteFrom('social.api_key').where('user_id', '=', 2).execute();
    notice();
    await left.nats.flush();
    await vi.waitFor(() => expect(bob()).rejects.toMatchObject({ code: 'auth.expired' }), { timeout: 20_000, interval: 5 });
    const { token } = await left.auth.handshake(passwordLogin(), '');
    await db.updateTable('social.user').set({ disabled: true }).where('id', '=', 1).execute();
    notice();
    await vi.waitFor(
      () => expect(right.auth.authenticateNative(request({ auth: token }))).rejects.toMatchObject({ code: 'auth.expired' }),
      { timeout: 20_000, interval: 5 },
    );
    expect((await right.auth.account(userId.parse(1)))?.disabled).toBe(true);
    expect(await right.auth.admits('rpc', '192.0.2.7', null)).toBe(true);
    await db.deleteFrom('social.access_rule').execute();
    notice('social-access-list');
    await vi.waitFor(async () => expect(await right.auth.admits('rpc', '192.0.2.7', null)).toBe(false), { timeout: 20_000, interval: 5 });
    await db
      .insertInto('social.access_rule')
      .values([...rows.accessRules])
      .execute();
    await db.updateTable('social.user').set({ disabled: false }).execute();
    notice();
    await vi.waitFor(async () => expect((await right.auth.account(userId.parse(1)))?.disabled).toBe(false), {
      timeout: 20_000,
      interval: 5,
    });
    // The session that the disabled account had is gone for good.
    await expect(right.auth.authenticateNative(request({ auth: token }))).rejects.toMatchObject({ code: 'auth.expired' });
  });

  it('ends the sessions of a password that was set anew, and of an account that is gone', async () => {
    const { token } = await left.auth.handshake(passwordLogin(), '');
    const byKey = await left.auth.handshake(request({ auth: 'adas-own-key' }), '');
    await right.auth.authenticateNative(request({ auth: token }));
    await db
      .updateTable('social.user')
      .set({ password_set_at_ms: Date.now() + 1 })
      .where('id', '=', 1)
      .execute();
    notice();
    const refused = (auth: string) => () =>
      expect(right.auth.authenticateNative(request({ auth }))).rejects.toMatchObject({ code: 'auth.expired' });
    await vi.waitFor(refused(token), { timeout: 20_000, interval: 5 });
    await right.auth.authenticateNative(request({ auth: byKey.token }));
    await delay(5);
    const next = await left.auth.handshake(passwordLogin(), '');
    await right.auth.authenticateNative(request({ auth: next.token }));
    const [ada] = await db.selectFrom('social.user').selectAll().where('id', '=', 1).execute();
    await db.deleteFrom('social.user').where('id', '=', 1).execute();
    notice();
    await vi.waitFor(refused(next.token), { timeout: 20_000, interval: 5 });
    await vi.waitFor(refused(byKey.token), { timeout: 20_000, interval: 5 });
    if (ada) await db.insertInto('social.user').values(ada).execute();
    notice();
    for (const { auth } of [left, right])
      await vi.waitFor(async () => expect(await auth.account(userId.parse(1))).toBeDefined(), { timeout: 20_000, interval: 5 });
  });

  it('knows on every gateway when an account was last seen', async () => {
    await left.auth.authenticateNative(request({}, { authorization: 'Bearer adas-own-key' }));
    await vi.waitFor(() => expect(right.auth.lastSeenAtMs(userId.parse(1))).toBeGreaterThan(Date.now() - 60_000), {
      timeout: 20_000,
      interval: 5,
    });
    expect(right.auth.lastSeenAtMs(userId.parse(999))).toBeUndefined();
  });

  it('counts unauthenticated calls of all gateways, by address and by subject', async () => {
    const from = (address: string) => request({}, {}, address);
    for (let n = 0; n < 5; n += 1)
      for (const gate of [left, right]) await gate.auth.limitUnauthenticated(from('198.51.100.20'), 'register');
    for (const gate of [left, right]) {
      await vi.waitFor(
        () => expect(gate.auth.limitUnauthenticated(from('198.51.100.20'), 'register')).rejects.toMatchObject({ code: 'auth.throttled' }),
        { timeout: 20_000, interval: 5 },
      );
    }
    await left.auth.limitUnauthenticated(from('198.51.100.20'), 'lost-password', 'a');
    for (let n = 0; n < 4; n += 1) await right.auth.limitUnauthenticated(from(`198.51.100.${30 + n}`), 'lost-password', 'a');
    await expect(right.auth.limitUnauthenticated(from('198.51.100.40'), 'lost-password', 'a')).rejects.toMatchObject({
      code: 'auth.throttled',
    });
    await right.auth.limitUnauthenticated(from('198.51.100.40'), 'lost-password', 'b');
  });

  it('shows the catalogs of the group from the notice on, and nothing in a group without catalogs', async () => {
    const catalogs = async () =>
      (await right.auth.authenticateNative(request({}, { authorization: 'Bearer adas-own-key' }))).account.catalogs;
    const seen = (expected: unknown) =>
      vi.waitFor(async () => expect(await catalogs()).toEqual(expected), { timeout: 20_000, interval: 5 });
    await seen('all');
    await db.insertInto('social.user_catalog_group').values({ user_id: 1, group_id: 4 }).execute();
    notice('social-catalog-groups');
    await seen([]);
    await db
      .insertInto('social.catalog_group_catalog')
      .values([7, 3].map((catalog_id) => ({ group_id: 4, catalog_id })))
      .execute();
    notice('social-catalog-groups');
    await seen([3, 7]);
    await db.deleteFrom('social.user_catalog_group').execute();
    notice('social-catalog-groups');
    await seen('all');
  });

  it('rejects logins while the tables lack catalog groups of the log', async () => {
    const manager = await jetstreamManager(left.nats);
    await manager.streams.add({ name: eventStreams.social, subjects: [allEventsOf('social')] });
    const { seq } = await manager.jetstream().publish(eventSubject('social', 'catalog-groups', 1), '{}');
    const ada = () => right.auth.authenticateNative(request({}, { authorization: 'Bearer adas-own-key' }));
    notice();
    await left.nats.flush();
    await vi.waitFor(() => expect(ada()).rejects.toMatchObject({ code: 'unavailable' }), { timeout: 10_000, interval: 5 });
    checkpoints.set('social-catalog-groups', seq);
    expect(await ada()).toMatchObject({ account: { username: 'Ada' } });
    await manager.streams.delete(eventStreams.social);
  });

  it('reads nothing again for a rating', async () => {
    await left.auth.authenticateNative(request({}, { authorization: 'Bearer adas-own-key' }));
    const before = left.statements;
    notice('social-annotations');
    await left.nats.flush();
    await left.auth.authenticateNative(request({}, { authorization: 'Bearer adas-own-key' }));
    expect(left.statements).toBe(before);
  });

  it('counts wrong passwords together', async () => {
    const wrong = (gate: Gateway) => gate.auth.authenticateCompat(request({ u: 'cyd', p: 'wrong' }, {}, '198.51.100.9'));
    for (let n = 0; n < 5; n += 1)
      for (const gate of [left, right]) expect(await wrong(gate)).toMatchObject({ failure: { reason: 'wrong-credentials' } });
    for (const gate of [left, right]) {
      await vi.waitFor(async () => expect(await wrong(gate)).toMatchObject({ failure: { reason: 'throttled' } }), {
        timeout: 20_000,
        interval: 5,
      });
    }
  });

  it('takes the same time for an unknown name as for a wrong password', async () => {
    const times: Record<'eve' | 'nobody-at-all', number[]> = { eve: [], 'nobody-at-all': [] };
    for (let n = 0; n < 9; n += 1) {
      for (const user of ['eve', 'nobody-at-all'] as const) {
        const timestamp = String(Math.floor(Date.now() / 1000));
        // Processor time: what else the machine does is nobody's secret.
        const before = process.cpuUsage();
        await left.auth.handshake(request({ user, auth: 'x', timestamp }, {}, `203.0.113.${n}`), '').catch(() => undefined);
        const spent = process.cpuUsage(before);
        times[user].push((spent.user + spent.system) / 1000);
      }
    }
    const median = (all: number[]): number => all.toSorted((a, b) => a - b)[4] ?? 0;
    expect(Math.abs(median(times.eve) - median(times['nobody-at-all']))).toBeLessThan(10);
  });
});
