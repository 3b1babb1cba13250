import {
  addCatalogGroup,
  catalogId,
  changeCatalogGroup,
  joinCatalogGroup,
  removeCatalogGroup,
  renameCatalogGroup,
  userId,
} from '@continuo/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RunningSocial } from '../../test/running-social.js';

let social: RunningSocial;

beforeAll(async () => {
  social = await RunningSocial.start();
});
afterAll(() => social.stop());

const rows = async (): Promise<unknown[]> =>
  (
    await sql`select g.id, g.name, array(select catalog_id from social.catalog_group_catalog c where c.group_id = g.id order by 1) as catalogs,
      array(select user_id from social.user_catalog_group m where m.group_id = g.id order by 1) as members
      from social.catalog_group g order by g.id`.execute(social.deps.db)
  ).rows;
const catalogs = (...ids: number[]) => ids.map((id) => catalogId.parse(id));
const [ada, bob] = [userId.parse(1), userId.parse(2)];

describe('groups of catalogs', () => {
  it('are made, filled, renamed, joined and removed', async () => {
    expect(await social.send(addCatalogGroup, { name: 'Children' })).toEqual({ groupId: 1 });
    await social.send(changeCatalogGroup, { groupId: 1, add: catalogs(3, 1, 2) });
    await social.send(changeCatalogGroup, { groupId: 1, remove: catalogs(2) });
    await social.send(joinCatalogGroup, { userId: ada, groupId: 1 });
    await social.send(addCatalogGroup, { name: 'Guests' });
    await social.send(renameCatalogGroup, { groupId: 2, name: 'Visitors' });
    await social.send(joinCatalogGroup, { userId: bob, groupId: 2 });
    expect(await rows()).toEqual([
      { id: 1, name: 'Children', catalogs: [1, 3], members: [1] },
      { id: 2, name: 'Visitors', catalogs: [], members: [2] },
    ]);
    await expect(social.send(removeCatalogGroup, { groupId: 1 })).rejects.toMatchObject({ code: 'input.invalid', subject: 'moveTo' });
    expect(await social.send(removeCatalogGroup, { groupId: 1, moveTo: 2 })).toEqual({ moved: 1 });
    await social.send(joinCatalogGroup, { userId: bob, groupId: null });
    expect(await rows()).toEqual([{ id: 2, name: 'Visitors', catalogs: [], members: [1] }]);
  });

  it('give the same rows from the first event on', async () => {
    expect((await social.verifyRebuild('social-catalog-groups')).differing).toEqual([]);
  });

  it('are one when two people make the same at once', async () => {
    const made = await Promise.allSettled([
      social.send(addCatalogGroup, { name: 'Twins' }),
      social.send(addCatalogGroup, { name: 'twins' }),
    ]);
    expect(made.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });
});
