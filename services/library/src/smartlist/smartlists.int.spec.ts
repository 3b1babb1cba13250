import { changeSmartlist, countSmartlist, createSmartlist, deleteSmartlist, type SmartlistId, type UserId } from '@continuo/contracts';
import { sql } from 'kysely';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RunningLibrary } from '../../test/running-library.js';

let library: RunningLibrary;
let { rows, send, verifyRebuild } = {} as RunningLibrary;

beforeAll(async () => {
  library = await RunningLibrary.start();
  ({ rows, send, verifyRebuild } = library);
});
afterAll(() => library.stop());

const ada = 1 as UserId;
const terms = {
  name: 'Élan',
  ownerId: ada,
  isPublic: false,
  rules: [['title', 'contain', 'é|', null]] as [string, string, string, null][],
};
const table = () => rows(sql<Record<string, unknown>>`select * from library.smartlist order by id`);
const make = async (more: Partial<typeof terms> = {}): Promise<{ smartlistId: SmartlistId; name: string }> =>
  (await send(createSmartlist, { ...terms, ...more })).result;

describe('smartlists', () => {
  it('are made with a name that is free', async () => {
    expect(await make()).toEqual({ smartlistId: 1, name: 'Élan' });
    expect(await make()).toEqual({ smartlistId: 2, name: 'Élan (2)' });
    expect(await make({ isPublic: true })).toEqual({ smartlistId: 3, name: 'Élan' });
    expect(await make({ ownerId: 2 as UserId })).toEqual({ smartlistId: 4, name: 'Élan' });
    expect((await table())[0]).toMatchObject({
      id: 1,
      owner_id: 1,
      name_sort: 'elan',
      is_public: false,
      collaborator_ids: [],
      rules: '[["title","contain","é|",null]]',
      logic: 'and',
      is_random: false,
      song_limit: 0,
      revision: 0,
      last_count: 0,
      last_run_at_ms: null,
    });
  });

  it('answer a repeated command as the first time', async () => {
    const [commandId, context] = [randomUUID(), { actor: 'system', correlationId: randomUUID(), causationId: 'spec' }];
    const again = () => library.deps.commands.send(createSmartlist, { ...terms, name: 'twice' }, context, { commandId });
    const first = await again();
    await library.projected(first.positions);
    expect((await again()).result).toEqual(first.result);
    await send(deleteSmartlist, { smartlistId: first.result.smartlistId });
  });

  it('change, and count their revision when they find others', async () => {
    const smartlistId = 1 as SmartlistId;
    expect((await send(changeSmartlist, { smartlistId, name: 'Élan' })).result).toEqual({ isChanged: false });
    expect((await send(changeSmartlist, { smartlistId, name: 'quiet' })).result).toEqual({ isChanged: true });
    expect((await table())[0]).toMatchObject({ name: 'quiet', revision: 0 });
    await send(changeSmartlist, { smartlistId, logic: 'or', limit: 10, isRandom: true, collaboratorIds: [2] });
    expect((await table())[0]).toMatchObject({ logic: 'or', song_limit: 10, is_random: true, collaborator_ids: [2], revision: 1 });
    await send(changeSmartlist, { smartlistId: 4, ownerId: ada, isPublic: true });
    expect((await table())[3]).toMatchObject({ owner_id: 1, name: 'Élan (2)', is_public: true });
    await expect(send(changeSmartlist, { smartlistId: 99, name: 'x' })).rejects.toMatchObject({
      code: 'smartlist.not-found',
    });
    await expect(send(changeSmartlist, { smartlistId, rules: [] })).rejects.toMatchObject({ code: 'input.invalid' });
  });

  it('remember how much was in them', async () => {
    await send(countSmartlist, { smartlistId: 1, songCount: 7, durationMs: 1234 });
    expect((await table())[0]).toMatchObject({ last_count: 7, last_duration_ms: 1234, revision: 1 });
  });

  it('come back from the log as they are', async () => {
    await send(deleteSmartlist, { smartlistId: 2 });
    expect((await table()).map(({ id }) => id)).toEqual([1, 3, 4]);
    expect(await verifyRebuild('library-smartlists')).toEqual([]);
    await library.losePostgres();
    await expect.poll(async () => (await table().catch(() => [])).map(({ id }) => id), { timeout: 20_000 }).toEqual([1, 3, 4]);
    const { smartlistId } = await make({ name: 'after the loss' });
    expect(smartlistId).toBeGreaterThan(4);
  });
});
