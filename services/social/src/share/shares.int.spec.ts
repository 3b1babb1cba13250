import { randomUUID } from 'node:crypto';
import {
  checkpointReader,
  NatsProjectionWatch,
  rebuildSubject,
  sha256Hex,
  startService,
  type RebuildReport,
  type StartedService,
} from '@continuo/chassis';
import { changeShare, createShare, deleteShare, userId, visitShare, type CommandDefinition, type ReadModel } from '@continuo/contracts';
import { testNats, testPostgres, type TestNats, type TestPostgres } from '@continuo/local-servers';
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { z } from 'zod';
import type { SocialConfig } from '../config.js';
import { socialService } from '../social.service.js';

let nats: TestNats;
let postgres: TestPostgres;
const replicas: StartedService<SocialConfig>[] = [];
let service: StartedService<SocialConfig>;
let watch: NatsProjectionWatch;
let db: Kysely<ReadModel>;

const context = { actor: 'user:1', correlationId: 'spec', causationId: 'spec' };

beforeAll(async () => {
  [nats, postgres] = await Promise.all([testNats(), testPostgres()]);
  const env = { DATABASE_URL: postgres.url, NATS_URL: nats.url, CONTINUO_SECRET: 'x'.repeat(32), LOG_LEVEL: 'error' };
  replicas.push(...(await Promise.all([startService(socialService, env), startService(socialService, env)])));
  service = replicas[0] as StartedService<SocialConfig>;
  watch = new NatsProjectionWatch(service.deps.nats, checkpointReader(service.deps.db), service.deps.log);
  db = service.deps.db;
});
afterAll(async () => {
  await watch.stop();
  await Promise.all(replicas.map((replica) => replica.stop()));
  await Promise.all([nats.stop(), postgres.stop()]);
});

/** Sends a command and answers when what it did can be read. */
const send = async <S extends z.ZodType, R extends z.ZodType>(
  command: CommandDefinition<S, R>,
  data: z.input<S>,
  commandId: string = randomUUID(),
): Promise<z.output<R>> => {
  const { result, positions } = await service.deps.commands.send(command, data, context, { commandId });
  expect(await watch.waitFor(positions, 5000)).toBe(true);
  return result;
};
const wanted = {
  userId: userId.parse(1),
  kind: 'album' as const,
  objectIds: [9, 4],
  description: 'for you',
  allowStream: true,
  allowDownload: false,
  expiresAtMs: null,
};
const rowOf = (id: number) => db.selectFrom('social.share').selectAll().where('id', '=', id).executeTakeFirst();

it('makes a share once, however often the command comes, with a secret that only its owner can read', async () => {
  const commandId = randomUUID();
  const made = await Promise.all([1, 2, 3].map(() => send(createShare, wanted, commandId)));
  const again = await send(createShare, wanted, commandId);
  const { shareId } = again;
  expect(made.map((one) => one.shareId)).toEqual([shareId, shareId, shareId]);
  const row = await rowOf(shareId);
  expect(row).toMatchObject({ user_id: 1, kind: 'album', object_id: 9, object_ids: [9, 4], visit_count: 0, expires_at_ms: null });
  const secret = service.deps.sealer.open(row?.sealed_secret ?? '');
  expect(secret).toMatch(/^[0-9a-f]{40}$/);
  expect(sha256Hex(secret)).toBe(row?.secret_sha256);
  expect(JSON.stringify(row)).not.toContain(secret);
  const other = await send(createShare, wanted);
  expect(other.shareId).not.toBe(shareId);
  expect((await rowOf(other.shareId))?.secret_sha256).not.toBe(row?.secret_sha256);
});

it('changes what is named, counts visits, and ends', async () => {
  const { shareId } = await send(createShare, { ...wanted, maxVisits: 5 });
  await send(changeShare, { shareId, allowDownload: true, expiresAtMs: 4_000_000_000_000 });
  const visits = await Promise.allSettled(Array.from({ length: 8 }, () => send(visitShare, { shareId })));
  expect(visits.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  expect(await rowOf(shareId)).toMatchObject({
    description: 'for you',
    allow_download: true,
    expires_at_ms: 4_000_000_000_000,
    visit_count: 5,
    last_visited_at_ms: expect.any(Number),
  });
  await send(deleteShare, { shareId });
  expect(await rowOf(shareId)).toBeUndefined();
  await expect(send(changeShare, { shareId, allowStream: false })).rejects.toMatchObject({ code: 'share.not-found' });
  await send(deleteShare, { shareId });
});

it('gives the same rows from the first event on', async () => {
  const answer = await service.deps.nats.request(rebuildSubject('social-shares'), JSON.stringify({ mode: 'verify' }), { timeout: 30_000 });
  expect(answer.json<{ report: RebuildReport }>()).toMatchObject({ ok: true, report: { differing: [] } });
});

it('steps over the numbers that were given before the registry was lost', async () => {
  const before = await db.selectFrom('social.share').select('id').execute();
  await sql`delete from social.share_id`.execute(db);
  await sql`alter sequence social.share_id_seq restart`.execute(db);
  const { shareId } = await send(createShare, wanted);
  expect(shareId).toBeGreaterThan(Math.max(...before.map(({ id }) => id)));
});
