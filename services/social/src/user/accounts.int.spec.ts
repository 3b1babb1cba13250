import { jetstreamManager } from '@nats-io/jetstream';
import {
  credentialSealer,
  decision,
  jetStreamUserKeys,
  NatsCommandClient,
  SealBroken,
  sha256Hex,
  type CommandClient,
} from '@continuo/chassis';
import { recordingLog } from '@continuo/chassis/testkit';
import {
  changeUser,
  confirmEmail,
  deleteUser,
  issueApiKey,
  recoverPassword,
  registerUser,
  signUp,
  userId,
  type ApiKeyTable,
  type UserTable,
} from '@continuo/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { RunningSocial } from '../../test/running-social.js';
import { user } from './user.decider.js';
import { mailCatcher, type MailCatcher } from '../../test/user/mail-catcher.js';

const CONTINUO_SECRET = 'a secret of at least thirty-two characters';
const sealer = credentialSealer(CONTINUO_SECRET);
const context = { actor: 'user:1', correlationId: 'corr', causationId: 'corr' };
const logs = recordingLog();
const eventually = <T>(check: () => Promise<T> | T): Promise<T> => vi.waitFor(check, { timeout: 10_000, interval: 20 });

let mails: MailCatcher;
let social: RunningSocial;
let commands: CommandClient;

beforeAll(async () => {
  mails = await mailCatcher();
  const environment = {
    CONTINUO_SECRET,
    CONTINUO_ADMIN_PASSWORD: 'root password',
    ALLOW_PUBLIC_REGISTRATION: 'true',
    SMTP_URL: mails.url,
    PUBLIC_URL: 'https://music.example/',
    PASSWORD_RECOVERY_PAUSE_MINUTES: '10',
  };
  social = await RunningSocial.start({ replicas: 1, environment, log: logs.log });
  commands = new NatsCommandClient(social.deps.nats, { timeoutMs: 10_000 });
});
afterAll(async () => {
  await social.stop();
  await mails.stop();
});

const row = async (id: number): Promise<UserTable | undefined> =>
  (await sql<UserTable>`select * from social."user" where id = ${id}`.execute(social.deps.db)).rows[0];
const keysOf = async (id: number): Promise<ApiKeyTable[]> =>
  (await sql<ApiKeyTable>`select * from social.api_key where user_id = ${id} order by issued_at_ms, key_id`.execute(social.deps.db)).rows;
const made = async (username: string, more: object = {}): Promise<{ userId: ReturnType<typeof userId.parse> }> => {
  const { result } = await commands.send(registerUser, { username, access: 25, ...more }, context);
  await eventually(async () => expect(await row(result.userId)).toBeDefined());
  return result;
};
const refusal = (answer: Promise<unknown>): Promise<string | undefined> =>
  answer.then(
    () => undefined,
    (error: { code: string }) => error.code,
  );

describe('a change of an account', () => {
  it('touches what is named, all in one', async () => {
    const account = await made('Cara', { email: 'cara@example.org', fullName: 'Cara C.' });
    const passwordSha256 = sha256Hex('hers');
    await commands.send(
      changeUser,
      { ...account, website: 'https://cara.example', city: 'Graz', maxBitrateBps: 128_000, passwordSha256 },
      context,
    );
    await eventually(async () =>
      expect(await row(account.userId)).toMatchObject({
        username: 'Cara',
        full_name: 'Cara C.',
        email: 'cara@example.org',
        website: 'https://cara.example',
        city: 'Graz',
        max_bitrate_bps: 128_000,
      }),
    );
    // Another event of the same command, which may come with the next batch.
    await eventually(async () => expect(sealer.open((await row(account.userId))?.sealed_password_sha256 ?? '')).toBe(passwordSha256));
    await commands.send(changeUser, { ...account, fullName: '', maxBitrateBps: 0, fullNamePublic: true }, context);
    await eventually(async () =>
      expect(await row(account.userId)).toMatchObject({ full_name: null, full_name_public: true, max_bitrate_bps: null, city: 'Graz' }),
    );
    const events = await social.deps.eventStore.read('identity', 'user', account.userId, 0);
    await commands.send(changeUser, { ...account, city: 'Graz', access: 25, disabled: false }, context);
    expect(await social.deps.eventStore.read('identity', 'user', account.userId, 0)).toHaveLength(events.length);
  });

  it('keeps a mail address with one account, and frees the one before', async () => {
    const [dora, emil] = [await made('dora', { email: 'dora@example.org' }), await made('emil')];
    expect(await refusal(commands.send(changeUser, { ...emil, email: 'DORA@example.org' }, context))).toBe('user.email-taken');
    expect(await refusal(commands.send(registerUser, { username: 'other', access: 25, email: 'dora@example.org' }, context))).toBe(
      'user.email-taken',
    );
    await commands.send(changeUser, { ...dora, email: 'dora@example.net' }, context);
    await commands.send(changeUser, { ...emil, email: 'dora@example.org' }, context);
    expect(await refusal(commands.send(changeUser, { ...emil, city: 'x', email: 'dora@example.net' }, context))).toBe('user.email-taken');
    await eventually(async () => expect(await row(emil.userId)).toMatchObject({ email: 'dora@example.org', city: null }));
  });

  it('keeps a name with one account, and frees the one before', async () => {
    const [fred, gina] = [await made('fred', { apiKey: 'freds-own-key' }), await made('gina')];
    expect(await refusal(commands.send(changeUser, { ...gina, username: 'FRED' }, context))).toBe('user.name-taken');
    expect(await refusal(commands.send(changeUser, { ...gina, username: 'gi\u0007na' }, context))).toBe('input.invalid');
    await commands.send(changeUser, { ...fred, username: 'Frederick', city: 'Graz' }, context);
    await eventually(async () =>
      expect(await row(fred.userId)).toMatchObject({ username: 'Frederick', username_key: 'frederick', city: 'Graz' }),
    );
    await commands.send(changeUser, { ...fred, username: 'FREDERICK' }, context);
    expect(await refusal(commands.send(registerUser, { username: 'frederick', access: 25 }, context))).toBe('user.name-taken');
    await commands.send(changeUser, { ...gina, username: 'fred' }, context);
    await eventually(async () =>
      expect([await row(fred.userId), await row(gina.userId)]).toMatchObject([{ username: 'FREDERICK' }, { username: 'fred' }]),
    );
    await commands.send(deleteUser, fred, context);
    await made('Frederick');
  });

  it('loses nothing when many come at once', async () => {
    const account = await made('busy');
    await Promise.all([
      commands.send(changeUser, { ...account, city: 'Graz' }, context),
      commands.send(changeUser, { ...account, state: 'Styria' }, context),
      commands.send(changeUser, { ...account, website: 'w' }, context),
    ]);
    await eventually(async () => expect(await row(account.userId)).toMatchObject({ city: 'Graz', state: 'Styria', website: 'w' }));
  });

  it('resets the key called default and the stream token, and leaves other keys', async () => {
    const account = await made('keys', { apiKey: 'first-key' });
    await commands.send(issueApiKey, { ...account, name: 'phone', key: 'phone-key' }, context);
    await commands.send(changeUser, { ...account, resetApiKey: true, resetStreamToken: true }, context);
    const texts = async (): Promise<string[]> => (await keysOf(account.userId)).map((key) => sealer.open(key.sealed_key));
    await eventually(async () => expect((await texts()).includes('first-key')).toBe(false));
    expect((await keysOf(account.userId)).map(({ name }) => name).toSorted()).toEqual(['default', 'phone']);
    expect(await texts()).toContain('phone-key');
    const after = await row(account.userId);
    expect(sealer.open(after?.sealed_stream_token ?? '')).toMatch(/^[0-9a-f]{40}$/);
    expect(after?.stream_token_sha256).toBe(sha256Hex(sealer.open(after?.sealed_stream_token ?? '')));
  });
});

describe('an API key', () => {
  it('has every scope and no end unless it is issued with fewer', async () => {
    const account = await made('scopes', { apiKey: 'every-scope' });
    await commands.send(
      issueApiKey,
      { ...account, name: 'backup', scopes: ['manage:read', 'manage:write:backups'], expiresAtMs: 5000 },
      context,
    );
    await eventually(async () => expect(await keysOf(account.userId)).toHaveLength(2));
    expect(await keysOf(account.userId)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'default', scopes: null, expires_at_ms: null }),
        expect.objectContaining({ name: 'backup', scopes: ['manage:read', 'manage:write:backups'], expires_at_ms: 5000 }),
      ]),
    );
  });
});

describe('administrators', () => {
  it('are never without one that can log in', async () => {
    const root = { userId: userId.parse(1) };
    for (const attempt of [
      () => commands.send(changeUser, { ...root, disabled: true }, context),
      () => commands.send(deleteUser, root, context),
      () => commands.send(changeUser, { ...root, access: 75 }, context),
    ]) {
      expect(await refusal(attempt())).toBe('user.last-administrator');
    }
    const second = await made('second', { access: 100 });
    await commands.send(changeUser, { ...second, disabled: true }, context);
    expect(await refusal(commands.send(changeUser, { ...root, disabled: true }, context))).toBe('user.last-administrator');
    await commands.send(changeUser, { ...second, disabled: false }, context);
    const outcomes = await Promise.all([
      refusal(commands.send(changeUser, { ...root, access: 25 }, context)),
      refusal(commands.send(deleteUser, second, context)),
    ]);
    expect(outcomes.filter((code) => code === undefined)).toHaveLength(1);
    expect(outcomes).toContain('user.last-administrator');
    if (outcomes[0] === undefined) {
      await commands.send(changeUser, { ...root, access: 100 }, context);
      await commands.send(deleteUser, second, context);
    }
  });
});

describe('a deleted account', () => {
  it('cannot be read out of the log by anybody, frees its name and address, and keeps its number', async () => {
    const account = await made('Gone', { email: 'gone@example.org', fullName: 'Somebody Real', apiKey: 'gone-key-1' });
    const keys = jetStreamUserKeys({ nats: social.deps.nats, secret: CONTINUO_SECRET, replicas: 1 });
    const [registered] = await social.deps.eventStore.read('identity', 'user', account.userId, 0);
    const { sealedProfile } = (registered?.data ?? {}) as { sealedProfile: string };
    const key = await keys.find(account.userId);
    expect(key.state === 'present' && key.sealer.open(sealedProfile)).toContain('Somebody Real');

    await commands.send(deleteUser, account, context);
    expect((await keys.find(account.userId)).state).toBe('absent');
    const renewed = await keys.sealerFor(account.userId);
    expect(() => renewed.open(sealedProfile)).toThrow(SealBroken);
    await keys.destroy(account.userId);
    await eventually(async () => expect(await row(account.userId)).toBeUndefined());
    expect(await keysOf(account.userId)).toEqual([]);

    await commands.send(deleteUser, account, context);
    expect(await refusal(commands.send(changeUser, { ...account, disabled: false }, context))).toBe('user.not-found');
    expect(await refusal(commands.send(deleteUser, { userId: userId.parse(9999) }, context))).toBe('user.not-found');
    const next = await made('gone', { email: 'gone@example.org' });
    expect(next.userId).toBeGreaterThan(account.userId);
  });

  it('leaves no key behind when the process ended before destroying it', async () => {
    const account = await made('halfway');
    const keys = jetStreamUserKeys({ nats: social.deps.nats, secret: CONTINUO_SECRET, replicas: 1 });
    // The event alone, as a handler leaves it that is cut off right after it.
    const meta = { ...context, at: 1, commandId: 'cut-off' };
    await social.deps.aggregates.run([decision(user, account.userId, { type: 'delete', userId: account.userId })], meta);
    await eventually(async () => expect((await keys.find(account.userId)).state).toBe('absent'));
  });
});

describe('signing up', () => {
  const stranger = {
    username: 'stranger',
    passwordSha256: sha256Hex('their password'),
    email: 'stranger@example.org',
    fullName: 'A Stranger',
  };

  it('waits for the mailed token, which is good once, and then for an administrator', async () => {
    const { result } = await commands.send(signUp, stranger, context);
    expect(result.awaiting).toBe('confirmation');
    const mail = await eventually(() => mails.to('stranger@example.org')[0] ?? Promise.reject(new Error('no mail yet')));
    const token = /register\.php\?auth=(\S+)/.exec(mail)?.[1] ?? '';
    expect(mail).toContain('https://music.example/register.php');
    const id = Number(token.split('-')[0]);
    await eventually(async () => expect(await row(id)).toMatchObject({ disabled: true, awaiting: 'confirmation', access: 25 }));
    expect((await commands.send(confirmEmail, { token }, context)).result.awaiting).toBe('approval');
    await eventually(async () => expect(await row(id)).toMatchObject({ disabled: true, awaiting: 'approval' }));
    for (const bad of [token, `${token}0`, '', 'x', `9999-${'0'.repeat(64)}`]) {
      expect(await refusal(commands.send(confirmEmail, { token: bad }, context))).toBe('input.invalid');
    }
    await commands.send(changeUser, { userId: userId.parse(id), disabled: false }, context);
    await eventually(async () => expect(await row(id)).toMatchObject({ disabled: false, awaiting: null }));
    expect(await refusal(commands.send(signUp, { ...stranger, email: 'x@example.org' }, context))).toBe('user.name-taken');
    expect(await refusal(commands.send(signUp, { ...stranger, username: 'x' }, context))).toBe('user.email-taken');
  });
});

describe('a lost password', () => {
  const proofOf = (name: string, email: string): string => sha256Hex(name + sha256Hex(email));

  it('is replaced by way of a mailed token that is good once, and nothing changes before', async () => {
    const account = await made('Lena', { email: 'lena@example.org', password: 'forgotten' });
    await commands.send(recoverPassword, { proof: proofOf('Lena', 'lena@example.org') }, context);
    const mail = await eventually(() => mails.to('lena@example.org')[0] ?? Promise.reject(new Error('no mail yet')));
    expect(sealer.open((await row(account.userId))?.sealed_password_sha256 ?? '')).toBe(sha256Hex('forgotten'));
    const token = /music\.example\/account\/recover\?auth=(\S+)/.exec(mail)?.[1] ?? '';
    await commands.send(recoverPassword, { proof: token }, context);
    const letter = await eventually(() => mails.to('lena@example.org')[1] ?? Promise.reject(new Error('no second mail')));
    const password = /^([2-9a-z]{5}(?:-[2-9a-z]{5}){4})\s*$/m.exec(letter)?.[1] ?? '';
    await eventually(async () => expect(sealer.open((await row(account.userId))?.sealed_password_sha256 ?? '')).toBe(sha256Hex(password)));
    await commands.send(recoverPassword, { proof: token }, context);
    await commands.send(recoverPassword, { proof: proofOf('Lena', 'lena@example.org') }, context);
    expect(mails.to('lena@example.org')).toHaveLength(2);
  });

  it('is not recovered for administrators, disabled or unknown accounts, who get the same answer', async () => {
    await made('boss', { email: 'boss@example.org', access: 100 });
    await made('off', { email: 'off@example.org', disabled: true });
    const proofs = [proofOf('boss', 'boss@example.org'), proofOf('off', 'off@example.org'), proofOf('nobody', 'no@example.org'), '', '1-x'];
    for (const proof of proofs) expect((await commands.send(recoverPassword, { proof }, context)).result).toEqual({});
    await made('last', { email: 'last@example.org' });
    await commands.send(recoverPassword, { proof: proofOf('last', 'last@example.org') }, context);
    await eventually(() => expect(mails.to('last@example.org')).toHaveLength(1));
    expect([...mails.to('boss@example.org'), ...mails.to('off@example.org')]).toEqual([]);
  });

  it('is replaced for nobody who has become an administrator, or whose token is too old', async () => {
    const [risen, late] = await Promise.all(
      ['risen', 'late'].map(async (name) => {
        const account = await made(name, { email: `${name}@example.org`, password: 'forgotten' });
        await commands.send(recoverPassword, { proof: proofOf(name, `${name}@example.org`) }, context);
        const mail = await eventually(() => mails.to(`${name}@example.org`)[0] ?? Promise.reject(new Error('no mail yet')));
        const token = /\?auth=(\S+)/.exec(mail)?.[1] ?? '';
        expect(token).toMatch(/^\d+-[0-9a-f]{64}$/);
        return { ...account, token };
      }),
    );
    if (!risen || !late) throw new Error('there are two');
    await commands.send(changeUser, { userId: risen.userId, access: 100 }, context);
    await commands.send(recoverPassword, { proof: risen.token }, context);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 30 * 86_400_000 });
    try {
      await commands.send(recoverPassword, { proof: late.token }, context);
    } finally {
      vi.useRealTimers();
    }
    for (const { userId: id } of [risen, late])
      expect(sealer.open((await row(id))?.sealed_password_sha256 ?? '')).toBe(sha256Hex('forgotten'));
    expect([mails.to('risen@example.org'), mails.to('late@example.org')].map((letters) => letters.length)).toEqual([1, 1]);
  });

  it('shows neither tokens nor passwords in the log of events or of the program', async () => {
    const manager = await jetstreamManager(social.deps.nats);
    const { state } = await manager.streams.info('EV_IDENTITY');
    const texts = [JSON.stringify(logs.lines)];
    for (let seq = 1; seq <= state.last_seq; seq += 1)
      texts.push((await manager.streams.getMessage('EV_IDENTITY', { seq }))?.string() ?? '');
    const all = texts.join('\n');
    const secrets = mails
      .all()
      .flatMap((mail) => [...mail.matchAll(/auth=(\S+)|^([2-9a-z]{5}(?:-[2-9a-z]{5}){4})/gm)].map((m) => m[1] ?? m[2] ?? ''));
    expect(secrets.length).toBeGreaterThan(2);
    for (const secret of [...secrets, 'lena@example.org', 'Somebody Real', 'gone-key-1']) expect(all).not.toContain(secret);
  });
});
