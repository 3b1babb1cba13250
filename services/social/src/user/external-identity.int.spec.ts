import { NatsCommandClient, type CommandClient } from '@continuo/chassis';
import { recordingLog } from '@continuo/chassis/testkit';
import { deleteUser, issueApiKey, linkIdentity, registerUser, renameApiKey, unlinkIdentity, type UserId } from '@continuo/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { RunningSocial } from '../../test/running-social.js';

const context = { actor: 'user:1', correlationId: 'corr', causationId: 'corr' };
const digests = { first: '1'.repeat(64), second: '2'.repeat(64), third: '3'.repeat(64) } as const;
const issuer = 'https://id.example';
let social: RunningSocial;
let commands: CommandClient;

beforeAll(async () => {
  const environment = { CONTINUO_SECRET: 'a secret of at least thirty-two characters', CONTINUO_ADMIN_PASSWORD: 'root password' };
  social = await RunningSocial.start({ replicas: 1, environment, log: recordingLog().log });
  commands = new NatsCommandClient(social.deps.nats, { timeoutMs: 10_000 });
});
afterAll(() => social.stop());

const eventually = (check: () => Promise<void>): Promise<void> => vi.waitFor(check, { timeout: 10_000, interval: 20 });
const holders = async (): Promise<Record<string, number>> => {
  const { rows } = await sql<{ identity_digest: string; user_id: number }>`select * from social.external_identity order by 1`.execute(
    social.deps.db,
  );
  return Object.fromEntries(rows.map(({ identity_digest, user_id }) => [identity_digest, user_id]));
};
const made = async (username: string, more: object = {}): Promise<UserId> =>
  (await commands.send(registerUser, { username, access: 25, ...more }, context)).result.userId;
const link = (userId: UserId, identityDigest: string) => commands.send(linkIdentity, { userId, identityDigest, issuer }, context);

describe('identities at a provider', () => {
  it('open the account that they were linked with or that was made for them, and no second one', async () => {
    const [ada, bob] = [await made('ada'), await made('bob', { identity: { identityDigest: digests.second, issuer } })];
    await link(ada, digests.first);
    await link(ada, digests.first);
    await eventually(async () => expect(await holders()).toEqual({ [digests.first]: ada, [digests.second]: bob }));
    await expect(link(bob, digests.first)).rejects.toMatchObject({ code: 'user.identity-taken' });
    await expect(made('cora', { identity: { identityDigest: digests.first, issuer } })).rejects.toMatchObject({
      code: 'user.identity-taken',
    });
    // Nothing of the account that could not be had is left: its name is free.
    await made('cora');
    await commands.send(unlinkIdentity, { userId: ada, identityDigest: digests.first }, context);
    // Only its holder lets go of an identity.
    await commands.send(unlinkIdentity, { userId: ada, identityDigest: digests.second }, context);
    await link(bob, digests.first);
    await eventually(async () => expect(await holders()).toEqual({ [digests.first]: bob, [digests.second]: bob }));
  });

  it('that come at once are given to one of them', async () => {
    const accounts = await Promise.all(['dan', 'dora', 'dirk', 'dina'].map((name) => made(name)));
    const outcomes = await Promise.allSettled(accounts.map((account) => link(account, digests.third)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('are free again when their account is deleted', async () => {
    const { [digests.first]: bob } = await holders();
    await commands.send(deleteUser, { userId: bob as UserId }, context);
    const eve = await made('eve', { identity: { identityDigest: digests.first, issuer } });
    await eventually(async () => expect(await holders()).toMatchObject({ [digests.first]: eve }));
    expect(await holders()).not.toHaveProperty(digests.second);
  });
});

it('a renamed key is the same key', async () => {
  const userId = await made('finn');
  const { keyId } = (await commands.send(issueApiKey, { userId, name: 'old' }, context)).result;
  await commands.send(renameApiKey, { userId, keyId, name: 'new' }, context);
  const read = async () =>
    (await sql<{ name: string }>`select name from social.api_key where key_id = ${keyId}`.execute(social.deps.db)).rows;
  await eventually(async () => expect(await read()).toEqual([{ name: 'new' }]));
  await expect(commands.send(renameApiKey, { userId: await made('gina'), keyId, name: 'x' }, context)).rejects.toMatchObject({
    code: 'input.invalid',
  });
});
