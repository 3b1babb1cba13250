import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import {
  credentialSealer,
  jetStreamUserKeys,
  NatsCommandClient,
  sha256Hex,
  startService,
  type CommandClient,
  type Environment,
  type StartedService,
} from '@continuo/chassis';
import { recordingLog } from '@continuo/chassis/testkit';
import {
  addAccessRule,
  changeUser,
  issueApiKey,
  registerUser,
  removeAccessRule,
  revokeApiKey,
  userId,
  usernameKey,
  type AccessRuleTable,
  type ApiKeyTable,
  type UserTable,
} from '@continuo/contracts';
import { testNats, testPostgres, type TestNats, type TestPostgres } from '@continuo/local-servers';
import { verify } from 'argon2';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { SocialConfig } from './config.js';
import type { FirstAdministrator } from './first-start.js';
import { leavePasswordFile } from './password-file.js';
import { createSocialService } from './social.service.js';

const CONTINUO_SECRET = 'a secret of at least thirty-two characters';
const sealer = credentialSealer(CONTINUO_SECRET);
const context = { actor: 'user:1', correlationId: 'corr', causationId: 'corr' };
const logs = recordingLog();

let nats: TestNats;
let postgres: TestPostgres;
let env: Environment;
let service: StartedService<SocialConfig>;
let commands: CommandClient;
const administrators: FirstAdministrator[] = [];
const started: StartedService<SocialConfig>[] = [];

const start = async (changes: Environment = {}): Promise<StartedService<SocialConfig>> => {
  const definition = createSocialService({ onFirstAdministrator: (made) => void administrators.push(made) });
  const replica = await startService(definition, { ...env, ...changes }, { log: logs.log });
  started.push(replica);
  return replica;
};

beforeAll(async () => {
  [nats, postgres] = await Promise.all([testNats(), testPostgres()]);
  env = {
    DATABASE_URL: postgres.url,
    NATS_URL: nats.url,
    CONTINUO_SECRET,
    CONTINUO_ADMIN_USER: 'Root',
    CONTINUO_ADMIN_API_KEY: 'preset-key-0123456789',
  };
  [service] = (await Promise.all([start(), start(), start()])) as [StartedService<SocialConfig>, ...StartedService<SocialConfig>[]];
  commands = new NatsCommandClient(service.deps.nats, { timeoutMs: 5000 });
});
afterAll(async () => {
  await Promise.all(started.map((replica) => replica.stop()));
  await nats.stop();
  await postgres.stop();
});

const users = async (replica = service): Promise<UserTable[]> =>
  (await sql<UserTable>`select * from social."user" order by id`.execute(replica.deps.db)).rows;
const userNamed = async (key: string): Promise<UserTable | undefined> => (await users()).find((row) => row.username_key === key);
const apiKeys = async (): Promise<ApiKeyTable[]> =>
  (await sql<ApiKeyTable>`select * from social.api_key order by user_id, issued_at_ms, key_id`.execute(service.deps.db)).rows;
const accessRules = async (replica = service): Promise<AccessRuleTable[]> =>
  (await sql<AccessRuleTable>`select * from social.access_rule order by id`.execute(replica.deps.db)).rows;
const eventually = <T>(check: () => Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 10_000, interval: 20 });

/** Everything that stands in the streams, as text. */
const wholeLog = async (): Promise<string> => {
  const connection = await connect({ servers: nats.url });
  const manager = await jetstreamManager(connection);
  const texts: string[] = [];
  for (const stream of ['EV_IDENTITY', 'EV_SOCIAL']) {
    const { state } = await manager.streams.info(stream);
    for (let seq = 1; seq <= state.last_seq; seq += 1) {
      const message = await manager.streams.getMessage(stream, { seq });
      texts.push(`${message?.subject} ${message?.string()} ${JSON.stringify([...(message?.header ?? [])])}`);
    }
  }
  await connection.close();
  return texts.join('\n');
};

describe('the first start', () => {
  it('makes one administrator and one set of access rows, though three replicas start at once', async () => {
    expect(administrators).toHaveLength(1);
    expect(administrators[0]).toMatchObject({
      username: 'Root',
      oneTimePassword: expect.stringMatching(/^([2-9a-z]{5}-){4}[2-9a-z]{5}$/) as unknown,
    });
    await eventually(async () => expect(await users()).toHaveLength(1));
    await eventually(async () => expect(await accessRules()).toHaveLength(6));
    expect(
      (await accessRules()).map(({ type, level, user_id, start_address, enabled }) => [type, level, user_id, start_address, enabled]),
    ).toEqual(['0.0.0.0', '::'].flatMap((address) => ['interface', 'stream', 'rpc'].map((type) => [type, 75, null, address, true])));
  });

  it('gives the administrator the same password for every API, and the preset key', async () => {
    const password = administrators[0]?.oneTimePassword ?? '';
    const [root] = await eventually(async () => {
      const all = await users();
      expect(all).toHaveLength(1);
      // Who is registered and what they prove it with may be cut into two batches of the projection.
      expect(all[0]?.sealed_compat_password).toBeTruthy();
      expect(await apiKeys()).toHaveLength(1);
      return all;
    });
    expect(root).toMatchObject({ id: 1, username: 'Root', username_key: 'root', access: 100, disabled: false });
    expect(sealer.open(root?.sealed_password_sha256 ?? '')).toBe(sha256Hex(password));
    expect(sealer.open(root?.sealed_compat_password ?? '')).toBe(password);
    expect(await verify(sealer.open(root?.sealed_password_argon2id ?? ''), sha256Hex(password))).toBe(true);
    const [key] = await apiKeys();
    expect(key).toMatchObject({ user_id: 1, name: 'default', sha256: sha256Hex('preset-key-0123456789') });
    expect(sealer.open(key?.sealed_key ?? '')).toBe('preset-key-0123456789');
  });

  it('is not repeated', async () => {
    const again = await start({ CONTINUO_ADMIN_USER: 'other' });
    expect(administrators).toHaveLength(1);
    expect(await users(again)).toHaveLength(1);
    expect(await accessRules(again)).toHaveLength(6);
  });
});

describe('commands', () => {
  it('register accounts, each name once whatever its case and spelling form', async () => {
    const { result } = await commands.send(
      registerUser,
      { username: 'Zoë', access: 25, password: 'pw', email: 'zoe@example.org' },
      context,
    );
    expect(result.userId).toBeGreaterThan(1);
    for (const username of ['zoë', 'ZOE\u0308', 'Zoë ']) {
      await expect(commands.send(registerUser, { username, access: 25 }, context)).rejects.toMatchObject({ code: 'user.name-taken' });
    }
    await expect(commands.send(registerUser, { username: 'a\nb', access: 25 }, context)).rejects.toMatchObject({ code: 'input.invalid' });
    await eventually(async () => expect(await userNamed('zoë')).toMatchObject({ username: 'Zoë', email: 'zoe@example.org', access: 25 }));
  });

  it('of which one wins when the same name is registered many times at once', async () => {
    const tries = Array.from({ length: 8 }, () => commands.send(registerUser, { username: 'racer', access: 25 }, context));
    const outcomes = await Promise.allSettled(tries);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [(outcome.reason as { code: string }).code] : []));
    expect(refusals).toEqual(Array(7).fill('user.name-taken'));
  });

  it('may be sent twice under one id: a retry answers what the first did', async () => {
    const retried = { commandId: 'retried-registration' };
    const first = await commands.send(registerUser, { username: 'retry', access: 25 }, context, retried);
    expect(await commands.send(registerUser, { username: 'retry', access: 25 }, context, retried)).toEqual(first);
    const { userId: id } = first.result;
    const issued = await commands.send(issueApiKey, { userId: id }, context, { commandId: 'retried-key' });
    expect((await commands.send(issueApiKey, { userId: id }, context, { commandId: 'retried-key' })).result).toEqual(issued.result);
    expect(issued.result.key).toMatch(/^[0-9a-f]{64}$/);
    await eventually(async () => expect((await apiKeys()).filter((key) => key.user_id === id)).toHaveLength(1));
  });

  it('change credentials', async () => {
    const { result } = await commands.send(registerUser, { username: 'changer', access: 25 }, context);
    const id = { userId: userId.parse(result.userId) };
    await commands.send(changeUser, { ...id, password: 'new password', compatPassword: 'new compat' }, context);
    const { result: issued } = await commands.send(issueApiKey, { ...id, name: 'phone', key: 'chosen-key' }, context);
    expect(issued.key).toBe('chosen-key');
    await commands.send(changeUser, { ...id, disabled: true }, context);
    await eventually(async () => {
      const row = await userNamed('changer');
      expect(row?.disabled).toBe(true);
      expect(sealer.open(row?.sealed_password_sha256 ?? '')).toBe(sha256Hex('new password'));
      expect(sealer.open(row?.sealed_compat_password ?? '')).toBe('new compat');
      expect((await apiKeys()).filter((key) => key.user_id === id.userId)).toMatchObject([
        { name: 'phone', sha256: sha256Hex('chosen-key') },
      ]);
    });
    await commands.send(changeUser, { ...id, disabled: false }, context);
    await commands.send(revokeApiKey, { ...id, keyId: issued.keyId }, context);
    await eventually(async () => {
      expect((await userNamed('changer'))?.disabled).toBe(false);
      expect((await apiKeys()).filter((key) => key.user_id === id.userId)).toEqual([]);
    });
    await expect(commands.send(changeUser, { userId: userId.parse(999), disabled: true }, context)).rejects.toMatchObject({
      code: 'user.not-found',
    });
  });

  it('keep the access list', async () => {
    const home = {
      name: 'home',
      level: 100 as const,
      userId: null,
      type: 'rpc' as const,
      startAddress: '192.168.0.0',
      endAddress: '::ffff:192.168.0.255',
    };
    const { result } = await commands.send(addAccessRule, home, context);
    expect(result.ruleId).toBe(7);
    await eventually(async () => expect((await accessRules()).at(-1)).toMatchObject({ id: 7, end_address: '192.168.0.255' }));
    await commands.send(removeAccessRule, result, context);
    await eventually(async () => expect(await accessRules()).toHaveLength(6));
    for (const endAddress of ['::1', '10.0.0.1', 'nonsense']) {
      await expect(commands.send(addAccessRule, { ...home, endAddress }, context)).rejects.toMatchObject({ code: 'input.invalid' });
    }
  });
});

describe('what is kept', () => {
  it('shows no name, password, mail address or key in the log, and none in the program’s own log', async () => {
    const text = await wholeLog();
    const own = JSON.stringify(logs.lines);
    const password = administrators[0]?.oneTimePassword ?? '';
    for (const secret of [
      'Root',
      'Zoë',
      'zoe@example.org',
      'racer',
      'preset-key-0123456789',
      'new password',
      'new compat',
      'chosen-key',
      password,
      '$argon2id',
    ]) {
      expect(text).not.toContain(secret);
      expect(own).not.toContain(secret);
    }
    expect(text).toContain('"sealedProfile":"v1.');
    // Nobody finds out names and addresses by trying them on digests that anybody can compute.
    for (const known of ['Root', 'Zoë', 'racer', 'zoe@example.org'])
      for (const form of [known, usernameKey(known)]) expect(text).not.toContain(sha256Hex(form));
  });

  it('is the same after a loss of the database, except for who was forgotten, and ids go on', async () => {
    const before = { users: await eventually(users), keys: await apiKeys(), rules: await accessRules() };
    const forgotten = await userNamed('racer');
    const keys = jetStreamUserKeys({ nats: service.deps.nats, secret: CONTINUO_SECRET, replicas: 1 });
    await keys.destroy(userId.parse(forgotten?.id));
    const { url } = await postgres.createDatabase();
    await Promise.all(started.splice(0).map((replica) => replica.stop()));
    service = await start({ DATABASE_URL: url });
    commands = new NatsCommandClient(service.deps.nats, { timeoutMs: 5000 });
    await eventually(async () => expect(await users()).toHaveLength(before.users.length));
    const expected = before.users.map((row) =>
      row.id === forgotten?.id ? { ...row, username: `deleted-${row.id}`, username_key: ` deleted-${row.id}` } : row,
    );
    await eventually(async () => expect(await users()).toEqual(expected));
    expect(await apiKeys()).toEqual(before.keys);
    expect(await accessRules()).toEqual(before.rules);
    const highest = Math.max(...before.users.map(({ id }) => id));
    const { result } = await commands.send(registerUser, { username: 'later', access: 25 }, context);
    expect(result.userId).toBeGreaterThan(highest);
    expect(administrators).toHaveLength(1);
  });

  it('does not stop at profiles of a server secret that is lost, once that is said', async () => {
    const { url } = await postgres.createDatabase();
    await Promise.all(started.splice(0).map((replica) => replica.stop()));
    const another = { DATABASE_URL: url, CONTINUO_SECRET: `${CONTINUO_SECRET}!` };
    await expect(start(another)).rejects.toThrow('CONTINUO_SECRET');
    service = await start({ ...another, CONTINUO_SECRET_LOST: 'true' });
    await eventually(async () => expect((await users())[0]).toMatchObject({ id: 1, username: 'unreadable-1', access: 100 }));
  });
});

describe('leavePasswordFile', () => {
  it('leaves the password for the service’s own account alone, and only its place in the log', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'continuo-social-'));
    const { log, lines } = recordingLog();
    const config = { ...service.deps.config, CONTINUO_DATA: join(folder, 'data') };
    await leavePasswordFile({ username: 'root', oneTimePassword: 'abcde-fghjk' }, { config, log });
    const file = join(folder, 'data', 'first-administrator');
    expect(await readFile(file, 'utf8')).toBe('root\nabcde-fghjk\n');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(JSON.stringify(lines)).not.toContain('abcde');
    await rm(folder, { recursive: true });
  });
});
