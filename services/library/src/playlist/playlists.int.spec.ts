import { randomUUID } from 'node:crypto';
import {
  addPlaylistMembers,
  changePlaylist,
  clearPlaylist,
  createPlaylist,
  deletePlaylist,
  orderPlaylist,
  removePlaylistMembers,
  replacePlaylistMembers,
  userDeleted,
  type CommandDefinition,
  type PlaylistId,
  type UserId,
} from '@continuo/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { RunningLibrary } from '../../test/running-library.js';
import { ListOwnersController } from '../list-terms/list-owners.controller.js';

let library: RunningLibrary;
beforeAll(async () => {
  library = await RunningLibrary.start();
  await library.addReplica();
});
afterAll(() => library.stop());

const [ada, bob] = [1 as UserId, 2 as UserId];
const songs = (...objectIds: number[]) => [{ objectIds }];

const make = async (more: Partial<z.input<typeof createPlaylist.schema>> = {}): Promise<PlaylistId> =>
  (await library.send(createPlaylist, { name: 'Élan', ownerId: ada, isPublic: false, ...more })).result.playlistId;
const listOf = async (id: PlaylistId) =>
  (await library.rows(sql<Record<string, unknown>>`select * from library.playlist where id = ${id}`))[0];
const members = (id: PlaylistId) =>
  library.rows(
    sql<{ entry: number; object_id: number }>`select entry, object_id from library.playlist_member where playlist_id = ${id} order by rank`,
  );
const songsOf = async (id: PlaylistId): Promise<number[]> => (await members(id)).map((member) => member.object_id);

/** Sends a command without waiting for the tables, as clients do that do not wait for each other. */
const fire = <S extends z.ZodType, R extends z.ZodType>(
  command: CommandDefinition<S, R>,
  data: z.input<S>,
  commandId: string = randomUUID(),
) =>
  library.deps.commands.send(
    command,
    data,
    { actor: 'user:1', correlationId: 'spec', causationId: 'spec' },
    { commandId, timeoutMs: 20_000 },
  );

describe('playlists', () => {
  it('are made with their first members', async () => {
    const id = await make({ members: songs(10, 20, 10), comment: 'slow' });
    expect(await songsOf(id)).toEqual([10, 20, 10]);
    expect(await listOf(id)).toMatchObject({
      name_sort: 'elan',
      owner_id: ada,
      is_public: false,
      comment: 'slow',
      revision: 1,
      member_count: 3,
    });
  });

  it('change their members and their terms', async () => {
    const id = await make({ members: songs(10, 20, 30, 40) });
    expect((await library.send(removePlaylistMembers, { playlistId: id, entries: [2, 99] })).result).toEqual({ removed: 1 });
    expect((await library.send(addPlaylistMembers, { playlistId: id, members: songs(10, 50), isUnique: true })).result).toEqual({
      added: 1,
    });
    expect(await songsOf(id)).toEqual([10, 30, 40, 50]);
    await library.send(orderPlaylist, { playlistId: id, entries: [5, 4, 3, 1] });
    expect(await songsOf(id)).toEqual([50, 40, 30, 10]);
    const places = [
      { entry: 4, objectId: 41 },
      { entry: null, objectId: 60 },
    ];
    expect((await library.send(changePlaylist, { playlistId: id, isPublic: true, collaboratorIds: [bob], places })).result.isChanged).toBe(
      true,
    );
    expect((await library.send(changePlaylist, { playlistId: id, isPublic: true })).result.isChanged).toBe(false);
    expect(await songsOf(id)).toEqual([50, 41, 30, 10, 60]);
    await library.send(replacePlaylistMembers, { playlistId: id, members: songs(41, 10, 70) });
    expect(await songsOf(id)).toEqual([41, 10, 70]);
    expect(await listOf(id)).toMatchObject({ is_public: true, collaborator_ids: [bob], member_count: 3 });
    await library.send(clearPlaylist, { playlistId: id });
    expect(await songsOf(id)).toEqual([]);
    expect(await listOf(id)).toMatchObject({ member_count: 0 });
    await library.send(deletePlaylist, { playlistId: id });
    expect(await listOf(id)).toBeUndefined();
    await expect(library.send(addPlaylistMembers, { playlistId: id, members: songs(1) })).rejects.toMatchObject({
      code: 'playlist.not-found',
    });
  });

  it('of fifty thousand are turned round and changed in the middle soon after they came', async () => {
    const many = Array.from({ length: 50_000 }, (_, index) => index + 1);
    const id = await make({ members: songs(...many) });
    const before = Date.now();
    await library.send(orderPlaylist, { playlistId: id, entries: many.toReversed() });
    await library.send(changePlaylist, { playlistId: id, places: many.slice(10, 5_010).map((entry) => ({ entry, objectId: 7 })) });
    const shown = await songsOf(id);
    expect(shown.slice(0, 2)).toEqual([50_000, 49_999]);
    expect(shown.filter((song) => song === 7)).toHaveLength(5_001);
    expect(shown).toHaveLength(50_000);
    // Comparing each with each takes minutes.
    expect(Date.now() - before).toBeLessThan(20_000);
  }, 60_000);

  it('answer a repeated command as the first time, and do nothing twice', async () => {
    const id = await make();
    const command = randomUUID();
    const twice = [
      await fire(addPlaylistMembers, { playlistId: id, members: songs(1, 2) }, command),
      await fire(addPlaylistMembers, { playlistId: id, members: songs(1, 2) }, command),
    ];
    expect(twice.map(({ result }) => result)).toEqual([{ added: 2 }, { added: 2 }]);
    await library.projected(twice.flatMap(({ positions }) => [...positions]));
    expect(await songsOf(id)).toEqual([1, 2]);
    const making = randomUUID();
    const terms = { name: 'once', ownerId: ada, isPublic: false };
    const made = [await fire(createPlaylist, terms, making), await fire(createPlaylist, terms, making)];
    expect(made[0]?.result).toEqual(made[1]?.result);
  });
});

describe('clients that change a list at once, over two replicas', () => {
  it('lose nothing that they add, and nobody removes what he did not mean', async () => {
    const id = await make({ members: songs(...Array.from({ length: 40 }, (_, index) => 1000 + index)) });
    // Every second of the first forty goes, while a hundred come and the name changes.
    const gone = Array.from({ length: 20 }, (_, index) => 2 * index + 1);
    const outcomes = await Promise.all(
      [
        ...Array.from({ length: 20 }, (_, client) =>
          fire(addPlaylistMembers, {
            playlistId: id,
            members: songs(...Array.from({ length: 5 }, (__, index) => client * 10 + index + 1)),
          }),
        ),
        ...gone.map((entry) => fire(removePlaylistMembers, { playlistId: id, entries: [entry] })),
        fire(changePlaylist, { playlistId: id, name: 'renamed meanwhile' }),
        fire(orderPlaylist, { playlistId: id, entries: [40, 38, 36] }),
      ].map((sent) =>
        sent.then(
          (outcome) => [outcome],
          (error: { code?: string }) => expect(error.code).toBe('conflict'),
        ),
      ),
    );
    const done = outcomes.flatMap((outcome) => (Array.isArray(outcome) ? outcome : []));
    await library.projected(done.flatMap(({ positions }) => [...positions]));
    const kept = await songsOf(id);
    const { name, member_count: count } = (await listOf(id)) as { name: string; member_count: number };
    expect(name).toBe('renamed meanwhile');
    // Nobody is refused; each run of five is there in its order.
    const added = done.reduce((sum, { result }) => sum + ('added' in result ? result.added : 0), 0);
    const removed = done.reduce((sum, { result }) => sum + ('removed' in result ? result.removed : 0), 0);
    expect(added).toBe(100);
    expect(removed).toBe(20);
    expect(kept.length).toBe(40 + added - removed);
    expect(count).toBe(kept.length);
    expect(kept.filter((song) => song < 1000).length).toBe(added);
    const torn = kept.filter((song, index) => song < 1000 && song % 10 !== 5 && kept[index + 1] !== song + 1);
    expect(torn).toEqual([]);
    expect(kept.filter((song) => song >= 1000 && song % 2 === 1).length).toBe(20);
  });

  it('write a whole list one after the other, or are told that somebody was faster', async () => {
    const id = await make({ members: songs(1, 2, 3) });
    const { revision } = (await listOf(id)) as { revision: number };
    const writes = await Promise.allSettled([
      fire(replacePlaylistMembers, { playlistId: id, members: songs(9, 1), expectedRevision: revision }),
      fire(replacePlaylistMembers, { playlistId: id, members: songs(3, 2, 1), expectedRevision: revision }),
    ]);
    expect(writes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(writes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'conflict' } });
  });
});

describe('the lists of an account that is deleted', () => {
  it('go with it, or stay with those who could see them', async () => {
    const own = await make();
    const open = await make({ isPublic: true, members: songs(1) });
    const common = await make({ collaboratorIds: [bob] });
    const other = await make({ ownerId: bob, collaboratorIds: [ada] });
    const { aggregates, db, eventStore } = library.deps;
    const event = { ...userDeleted({ userId: ada }), id: 'gone', actor: 'user:1', correlationId: 'spec', causationId: 'spec' };
    const recorded = { ...event, at: 1000, stream: 'EV_IDENTITY', subject: 'ev.identity.00.user.1', position: 1 } as const;
    await new ListOwnersController(aggregates, db, eventStore).ofPlaylists(recorded);
    await library.projected([{ stream: 'EV_LIBRARY', position: await eventStore.lastPosition('library') }]);
    expect(await listOf(own)).toBeUndefined();
    expect(await listOf(open)).toMatchObject({ owner_id: null, member_count: 1 });
    expect(await listOf(common)).toMatchObject({ owner_id: null, is_public: false, collaborator_ids: [bob] });
    expect(await listOf(other)).toMatchObject({ owner_id: bob, collaborator_ids: [] });
  });
});

describe('a long list', () => {
  it('is written in bounded events, and read back from a snapshot', async () => {
    const many = Array.from({ length: 60_000 }, (_, index) => index + 1);
    const id = await make({ ownerId: bob, members: songs(...many) });
    for (let time = 0; time < 70; time += 1) await fire(addPlaylistMembers, { playlistId: id, members: songs(time + 1) });
    const [snapshot] = await library.rows(sql<{ bytes: number }>`
      select pg_column_size(state) as bytes from chassis.aggregate_snapshot where kind = 'playlist' and id = ${String(id)}`);
    expect(snapshot?.bytes).toBeLessThan(1_500_000);
    const last = await library.send(removePlaylistMembers, { playlistId: id, entries: [1, 60_001] });
    expect(last.result).toEqual({ removed: 2 });
    expect(await songsOf(id)).toEqual([...many.slice(1), ...Array.from({ length: 69 }, (_, index) => index + 2)]);
  });
});

describe('after a loss', () => {
  it('the tables come back equal from the log, and no number is given twice', async () => {
    expect(await library.verifyRebuild('library-playlists')).toEqual([]);
    const last = await make({ ownerId: bob });
    await library.send(deletePlaylist, { playlistId: last });
    const before = await library.rows(sql`select * from library.playlist order by id`);
    await library.losePostgres();
    await library.projected([{ stream: 'EV_LIBRARY', position: await library.deps.eventStore.lastPosition('library') }]);
    expect(await library.rows(sql`select * from library.playlist order by id`)).toEqual(before);
    expect(await make({ ownerId: bob })).toBeGreaterThan(last);
  });
});
