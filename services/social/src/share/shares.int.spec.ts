import { randomUUID } from 'node:crypto';
import { sha256Hex } from '@continuo/chassis';
import {
  changeShare,
  createShare,
  deleteShare,
  deleteUser,
  registerUser,
  shareCreated,
  shareId as idOfShare,
  userId,
  visitShare,
} from '@continuo/contracts';
import { jetstreamManager } from '@nats-io/jetstream';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { RunningSocial } from '../../test/running-social.js';

let social: RunningSocial;

beforeAll(async () => {
  social = await RunningSocial.start({ environment: { SHARES_PER_ACCOUNT: '20' } });
});
afterAll(() => social.stop());

const wanted = {
  userId: userId.parse(1),
  kind: 'album' as const,
  objectIds: [9, 4],
  description: 'for you',
  allowStream: true,
  allowDownload: false,
  expiresAtMs: null,
};
const rowOf = (id: number) => social.db.selectFrom('social.share').selectAll().where('id', '=', id).executeTakeFirst();

it('makes a share once, however often the command comes, with a secret that only its owner can read', async () => {
  const commandId = randomUUID();
  const made = await Promise.all([1, 2, 3].map(() => social.send(createShare, wanted, commandId)));
  const again = await social.send(createShare, wanted, commandId);
  const { shareId } = again;
  expect(made.map((one) => one.shareId)).toEqual([shareId, shareId, shareId]);
  const row = await rowOf(shareId);
  expect(row).toMatchObject({ user_id: 1, kind: 'album', object_id: 9, object_ids: [9, 4], visit_count: 0, expires_at_ms: null });
  const secret = social.deps.sealer.open(row?.sealed_secret ?? '');
  expect(secret).toMatch(/^[0-9a-f]{40}$/);
  expect(sha256Hex(secret)).toBe(row?.secret_sha256);
  expect(JSON.stringify(row)).not.toContain(secret);
  const other = await social.send(createShare, wanted);
  expect(other.shareId).not.toBe(shareId);
  expect((await rowOf(other.shareId))?.secret_sha256).not.toBe(row?.secret_sha256);
});

it('makes no more shares than an account may have', async () => {
  const owner = userId.parse(77);
  for (let n = 0; n < 20; n += 1) await social.send(createShare, { ...wanted, userId: owner });
  await expect(social.send(createShare, { ...wanted, userId: owner })).rejects.toMatchObject({
    code: 'account.full',
    message: 'An account may have at most 20 shares',
  });
});

it('changes what is named, counts visits, and ends', async () => {
  const { shareId } = await social.send(createShare, { ...wanted, maxVisits: 5 });
  await social.send(changeShare, { shareId, allowDownload: true, expiresAtMs: 4_000_000_000_000 });
  const visits = await Promise.allSettled(Array.from({ length: 8 }, () => social.send(visitShare, { shareId })));
  expect(visits.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  expect(await rowOf(shareId)).toMatchObject({
    description: 'for you',
    allow_download: true,
    expires_at_ms: 4_000_000_000_000,
    visit_count: 5,
    last_visited_at_ms: expect.any(Number),
  });
  await social.send(deleteShare, { shareId });
  expect(await rowOf(shareId)).toBeUndefined();
  await expect(social.send(changeShare, { shareId, allowStream: false })).rejects.toMatchObject({ code: 'share.not-found' });
  await social.send(deleteShare, { shareId });
});

/** Every event of the log as it lies there. */
const wholeLog = async (): Promise<string> => {
  const { streams } = await jetstreamManager(social.deps.nats);
  const { state } = await streams.info('EV_SOCIAL');
  const texts: string[] = [];
  for (let seq = 1; seq <= state.last_seq; seq += 1) texts.push((await streams.getMessage('EV_SOCIAL', { seq }))?.string() ?? '');
  return texts.join('\n');
};

it('keeps what was written about it sealed, and goes with its owner', async () => {
  const { userId: owner } = await social.send(registerUser, { username: 'leaving', access: 25 });
  const { shareId } = await social.send(createShare, { ...wanted, userId: owner, description: 'to be forgotten' });
  expect(await rowOf(shareId)).toMatchObject({ description: 'to be forgotten' });
  await social.send(changeShare, { shareId, description: 'said otherwise' });
  expect(await rowOf(shareId)).toMatchObject({ description: 'said otherwise' });
  await social.send(changeShare, { shareId, description: '' });
  expect(await rowOf(shareId)).toMatchObject({ description: '' });
  await social.send(changeShare, { shareId, description: 'for the last time' });
  for (const text of ['to be forgotten', 'said otherwise', 'for the last time', 'for you']) expect(await wholeLog()).not.toContain(text);
  await social.send(deleteUser, { userId: owner });
  await vi.waitFor(async () => expect(await rowOf(shareId)).toBeUndefined(), { timeout: 10_000, interval: 20 });
});

it('shows what was written before it was sealed', async () => {
  const id = idOfShare.parse(70_000);
  const data = { ...wanted, shareId: id, userId: userId.parse(1), description: 'from long ago', maxVisits: 0 };
  const old = shareCreated({ ...data, secretSha256: 'x', sealedSecret: 'x', createdAtMs: 1 });
  const meta = { actor: 'system', correlationId: 'spec', causationId: 'spec', at: 1 };
  await social.deps.eventStore.append([{ context: 'social', aggregate: 'share', id, expectedPosition: 0, events: [old] }], meta);
  await vi.waitFor(async () => expect(await rowOf(id)).toMatchObject({ description: 'from long ago' }), { timeout: 10_000, interval: 20 });
  await social.send(deleteShare, { shareId: id });
});

it('gives the same rows from the first event on', async () => {
  expect((await social.verifyRebuild('social-shares')).differing).toEqual([]);
});

it('steps over the numbers that were given before the registry was lost', async () => {
  const before = (await social.db.selectFrom('social.share').select('id').execute()).map(({ id }) => id);
  await sql`delete from social.share_id`.execute(social.db);
  await sql`select setval('social.share_id_seq', ${Math.min(...before)}, false)`.execute(social.db);
  const { shareId } = await social.send(createShare, wanted);
  expect(shareId).toBeGreaterThan(Math.max(...before));
});
