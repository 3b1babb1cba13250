import { randomUUID } from 'node:crypto';
import { NatsCommandClient, rebuildSubject, startService, type StartedService } from '@continuo/chassis';
import {
  addCatalogGroup,
  catalogId,
  changeCatalogGroup,
  joinCatalogGroup,
  removeCatalogGroup,
  renameCatalogGroup,
  userId,
  type CommandDefinition,
} from '@continuo/contracts';
import { testNats, testPostgres, type TestNats, type TestPostgres } from '@continuo/local-servers';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { z } from 'zod';
import type { SocialConfig } from '../config.js';
import { socialService } from '../social.service.js';

let nats: TestNats;
let postgres: TestPostgres;
let social: StartedService<SocialConfig>;
let commands: NatsCommandClient;

beforeAll(async () => {
  [nats, postgres] = await Promise.all([testNats(), testPostgres()]);
  const env = {
    DATABASE_URL: postgres.url,
    NATS_URL: nats.url,
    CONTINUO_SECRET: 'x'.repeat(32),
    CONTINUO_ADMIN_PASSWORD: 'preset password',
  };
  social = await startService(socialService, { ...env, LOG_LEVEL: 'silent' });
  commands = new NatsCommandClient(social.deps.nats, { timeoutMs: 5000 });
});
afterAll(async () => {
  await social.stop();
  await Promise.all([nats.stop(), postgres.stop()]);
});

const send = <D extends CommandDefinition>(command: D, data: z.input<D['schema']>) =>
  commands.send(command, data, { actor: 'user:1', correlationId: randomUUID(), causationId: 'spec' });
const rows = async (): Promise<unknown[]> =>
  (
    await sql`select g.id, g.name, array(select catalog_id from social.catalog_group_catalog c where c.group_id = g.id order by 1) as catalogs,
      array(select user_id from social.user_catalog_group m where m.group_id = g.id order by 1) as members
      from social.catalog_group g order by g.id`.execute(social.deps.db)
  ).rows;
const eventually = (expected: unknown) => vi.waitFor(async () => expect(await rows()).toEqual(expected), { timeout: 5000, interval: 20 });
const catalogs = (...ids: number[]) => ids.map((id) => catalogId.parse(id));
const [ada, bob] = [userId.parse(1), userId.parse(2)];

describe('groups of catalogs', () => {
  it('are made, filled, renamed, joined and removed', async () => {
    const { result } = await send(addCatalogGroup, { name: 'Children' });
    expect(result).toEqual({ groupId: 1 });
    await send(changeCatalogGroup, { groupId: 1, add: catalogs(3, 1, 2) });
    await send(changeCatalogGroup, { groupId: 1, remove: catalogs(2) });
    await send(joinCatalogGroup, { userId: ada, groupId: 1 });
    await send(addCatalogGroup, { name: 'Guests' });
    await send(renameCatalogGroup, { groupId: 2, name: 'Visitors' });
    await send(joinCatalogGroup, { userId: bob, groupId: 2 });
    await eventually([
      { id: 1, name: 'Children', catalogs: [1, 3], members: [1] },
      { id: 2, name: 'Visitors', catalogs: [], members: [2] },
    ]);
    await expect(send(removeCatalogGroup, { groupId: 1 })).rejects.toMatchObject({ code: 'input.invalid', subject: 'moveTo' });
    expect((await send(removeCatalogGroup, { groupId: 1, moveTo: 2 })).result).toEqual({ moved: 1 });
    await send(joinCatalogGroup, { userId: bob, groupId: null });
    await eventually([{ id: 2, name: 'Visitors', catalogs: [], members: [1] }]);
  });

  it('give the same rows from the first event on', async () => {
    const answer = await social.deps.nats.request(rebuildSubject('social-catalog-groups'), JSON.stringify({ mode: 'verify' }), {
      timeout: 30_000,
    });
    expect(answer.json()).toMatchObject({ ok: true, report: { differing: [] } });
  });

  it('are one when two people make the same at once', async () => {
    const made = await Promise.allSettled([send(addCatalogGroup, { name: 'Twins' }), send(addCatalogGroup, { name: 'twins' })]);
    expect(made.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });
});
