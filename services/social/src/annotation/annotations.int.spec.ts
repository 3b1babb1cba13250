import { randomUUID } from 'node:crypto';
import { deleteUser, flagObjects, rateObject, registerUser, userId } from '@continuo/contracts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { z } from 'zod';
import { RunningSocial } from '../../test/running-social.js';

let social: RunningSocial;

beforeAll(async () => {
  social = await RunningSocial.start();
});
afterAll(() => social.stop());

/** Whether something is written meanwhile. */
const writes = async (work: () => Promise<unknown>): Promise<boolean> => {
  const end = await social.deps.eventStore.lastPosition('social');
  await work();
  return (await social.deps.eventStore.lastPosition('social')) > end;
};
/** Answer when it can be read. */
const flag = (data: z.input<typeof flagObjects.schema>, commandId?: string) => social.send(flagObjects, data, commandId);
const rate = (data: z.input<typeof rateObject.schema>) => social.send(rateObject, data);
const flagsOf = (user: number) =>
  social.db.selectFrom('social.user_flag').selectAll().where('user_id', '=', user).orderBy('kind').orderBy('object_id').execute();
const songs = (from: number, count: number) => Array.from({ length: count }, (_, n) => ({ kind: 'song' as const, objectId: from + n }));

describe('ratings', () => {
  it('are kept with the mean of all users, and taken back', async () => {
    const song = { kind: 'song', objectId: 7 } as const;
    const [ada, bob] = [userId.parse(1), userId.parse(2)];
    expect(await writes(() => rate({ ...song, userId: ada, rating: 5 }))).toBe(true);
    expect(await writes(() => rate({ ...song, userId: ada, rating: 5 }))).toBe(false);
    await rate({ ...song, userId: bob, rating: 2 });
    const average = () =>
      social.db.selectFrom('social.rating_average').select(['rating_count', 'rating_sum']).where('object_id', '=', 7).execute();
    expect(await average()).toEqual([{ rating_count: 2, rating_sum: 7 }]);
    await rate({ ...song, userId: ada, rating: 0 });
    expect(await average()).toEqual([{ rating_count: 1, rating_sum: 2 }]);
    await rate({ ...song, userId: bob, rating: 0 });
    expect(await average()).toEqual([]);
    expect(await social.db.selectFrom('social.rating').selectAll().execute()).toEqual([]);
  });
  it.each([-1, 6, 2.5])('refuse %d', async (rating) => {
    const send = social.send(rateObject, { userId: userId.parse(1), kind: 'song', objectId: 1, rating });
    await expect(send).rejects.toMatchObject({ code: 'input.invalid' });
  });
});

describe('favourites', () => {
  it('are made and taken off in one go, a thousand at most', async () => {
    const user = userId.parse(11);
    const objects = [...songs(1, 990), ...Array.from({ length: 10 }, (_, n) => ({ kind: 'album' as const, objectId: n + 1 }))];
    expect(await writes(() => flag({ userId: user, flagged: true, flaggedAtMs: 5000, objects }))).toBe(true);
    expect(await writes(() => flag({ userId: user, flagged: true, objects }))).toBe(false);
    expect(await flagsOf(user)).toHaveLength(1000);
    await flag({ userId: user, flagged: false, objects: objects.slice(1) });
    expect(await flagsOf(user)).toEqual([{ user_id: user, kind: 'song', object_id: 1, flagged_at_ms: 5000 }]);
    await expect(flag({ userId: user, flagged: true, objects: songs(1, 1001) })).rejects.toMatchObject({ code: 'input.invalid' });
  });
  it('survive two hundred calls at once to two replicas, on songs of one album', async () => {
    const user = userId.parse(12);
    await Promise.all(songs(1, 200).map((song) => flag({ userId: user, flagged: true, objects: [song] })));
    expect((await flagsOf(user)).map((row) => row.object_id)).toEqual(songs(1, 200).map((song) => song.objectId));
  }, 30_000);
  it('answer a retried command like the first one', async () => {
    const user = userId.parse(13);
    const commandId = randomUUID();
    const data = { userId: user, flagged: true, flaggedAtMs: 9, objects: songs(1, 3) };
    const first = await social.outcomeOf(flagObjects, data, commandId);
    expect(first.positions).toHaveLength(1);
    expect(await social.outcomeOf(flagObjects, data, commandId)).toEqual(first);
    expect(await flagsOf(user)).toHaveLength(3);
  });
});

it('of a deleted account count no more, and those of others go on counting', async () => {
  const gone = await social.send(registerUser, { username: 'gone', access: 25 });
  const stays = userId.parse(21);
  for (const objectId of [31, 400]) await rate({ userId: gone.userId, kind: 'song', objectId, rating: 5 });
  await rate({ userId: stays, kind: 'song', objectId: 31, rating: 2 });
  await flag({ userId: gone.userId, flagged: true, objects: [...songs(31, 2), { kind: 'album', objectId: 3 }] });
  await social.send(deleteUser, gone);
  await vi.waitFor(async () => {
    expect(await flagsOf(gone.userId)).toEqual([]);
    const averages = social.db.selectFrom('social.rating_average').select(['object_id', 'rating_count', 'rating_sum']);
    expect(await averages.where('object_id', 'in', [31, 400]).execute()).toEqual([{ object_id: 31, rating_count: 1, rating_sum: 2 }]);
  }, 10_000);
});

it('rebuilds to the same tables', async () => {
  const report = await social.verifyRebuild('social-annotations');
  expect(report.differing).toEqual([]);
  expect(report.position).toBe(await social.deps.eventStore.lastPosition('social'));
});
