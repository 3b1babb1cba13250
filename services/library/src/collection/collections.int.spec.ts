import {
  addToCollection,
  changeCollection,
  createCollection,
  deleteCollection,
  removeFromCollection,
  type CollectedKind,
  type CollectionId,
  type UserId,
} from '@continuo/contracts';
import { sql } from 'kysely';
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
const terms = { name: 'Été', ownerId: ada, isPublic: false, objectKind: null };
const make = async (more: { readonly objectKind?: CollectedKind } = {}): Promise<CollectionId> =>
  (await send(createCollection, { ...terms, ...more })).result.collectionId;
const song = (objectId: number) => ({ kind: 'song' as const, objectId });
const add = async (collectionId: CollectionId, thing: { kind: 'song' | 'album'; objectId: number }, isUnique = false) =>
  (await send(addToCollection, { collectionId, ...thing, isUnique })).result.added;
const members = async (collectionId: CollectionId) =>
  (
    await rows(
      sql<{ text: string }>`select entry || ' ' || object_kind || ' ' || object_id as text from library.collection_member
        where collection_id = ${collectionId} order by entry`,
    )
  ).map(({ text }) => text);
const row = async (collectionId: CollectionId) =>
  (await rows(sql<Record<string, unknown>>`select * from library.collection where id = ${collectionId}`))[0];

describe('collections', () => {
  it('hold things of any kind in order, the same one twice, too', async () => {
    const id = await make();
    expect(await add(id, song(5))).toBe(true);
    expect(await add(id, { kind: 'album', objectId: 5 })).toBe(true);
    expect(await add(id, song(5))).toBe(true);
    expect(await add(id, song(5), true)).toBe(false);
    expect(await members(id)).toEqual(['1 song 5', '2 album 5', '3 song 5']);
    expect(await row(id)).toMatchObject({ name: 'Été', name_sort: 'ete', owner_id: 1, object_kind: null, member_count: 3 });
  });

  it('close up, and give no number again', async () => {
    const id = await make();
    for (const objectId of [1, 2, 3]) await add(id, song(objectId));
    await send(removeFromCollection, { collectionId: id, entries: [3, 1, 77] });
    await add(id, song(4));
    expect(await members(id)).toEqual(['2 song 2', '4 song 4']);
    expect(await row(id)).toMatchObject({ member_count: 2 });
  });

  it('take one kind alone where they are told to, and are told so only when nothing else is in them', async () => {
    const id = await make({ objectKind: 'album' });
    await expect(add(id, song(1))).rejects.toMatchObject({ code: 'collection.other-kind', subject: 'object_type' });
    await add(id, { kind: 'album', objectId: 9 });
    await send(changeCollection, { collectionId: id, objectKind: null });
    await add(id, song(1));
    await expect(send(changeCollection, { collectionId: id, objectKind: 'album', name: 'not kept' })).rejects.toMatchObject({
      code: 'collection.other-kind',
    });
    expect(await row(id)).toMatchObject({ name: 'Été', object_kind: null });
  });

  it('put things where they are wanted, all of them or none', async () => {
    const id = await make();
    for (const objectId of [1, 2]) await add(id, song(objectId));
    const places = [
      { entry: 1, ...song(2) },
      { entry: 2, ...song(1) },
      { entry: null, ...song(3) },
    ];
    await send(changeCollection, { collectionId: id, places });
    expect(await members(id)).toEqual(['1 song 2', '2 song 1', '3 song 3']);
    await expect(send(changeCollection, { collectionId: id, name: 'x', places: [{ entry: 9, ...song(1) }] })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await row(id)).toMatchObject({ name: 'Été', member_count: 3 });
  });

  it('lose nothing when two add at once', async () => {
    const id = await make();
    await Promise.all(Array.from({ length: 12 }, (_, index) => add(id, song(index + 1))));
    expect((await members(id)).map((text) => Number(text.split(' ')[2])).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 12 }, (_, index) => index + 1),
    );
  });

  it('end once and for all', async () => {
    const id = await make();
    await add(id, song(1));
    await send(deleteCollection, { collectionId: id });
    await send(deleteCollection, { collectionId: id });
    expect([await row(id), await members(id)]).toEqual([undefined, []]);
    await expect(add(id, song(1))).rejects.toMatchObject({ code: 'collection.not-found' });
    expect(await make()).toBeGreaterThan(id);
  });

  it('come out of a rebuild as they were', async () => {
    await verifyRebuild();
  });
});
