import { randomUUID } from 'node:crypto';
import {
  checkpointReader,
  NatsProjectionWatch,
  rebuildSubject,
  startService,
  type RebuildReport,
  type StartedService,
} from '@continuo/chassis';
import {
  bookmarkId,
  moveBookmark,
  placeBookmark,
  removeBookmarks,
  savePlayQueue,
  userDeleted,
  userId,
  type CommandDefinition,
  type ReadModel,
} from '@continuo/contracts';
import { testNats, testPostgres, type TestNats, type TestPostgres } from '@continuo/local-servers';
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { z } from 'zod';
import type { PlaybackConfig } from '../config.js';
import { playbackService } from '../playback.service.js';

let nats: TestNats;
let postgres: TestPostgres;
let service: StartedService<PlaybackConfig>;
let other: StartedService<PlaybackConfig>;
let watch: NatsProjectionWatch;

const ada = userId.parse(3);
const bob = userId.parse(4);
const context = { actor: 'user:3', correlationId: 'spec', causationId: 'spec' };
const db = () => service.deps.db as unknown as Kysely<ReadModel>;

beforeAll(async () => {
  [nats, postgres] = await Promise.all([testNats(), testPostgres()]);
  const env = {
    DATABASE_URL: postgres.url,
    NATS_URL: nats.url,
    CONTINUO_SECRET: 'x'.repeat(32),
    LOG_LEVEL: 'error',
    HEALTH_PORT: '0',
    BOOKMARKS_PER_ACCOUNT: '30',
  };
  service = await startService(playbackService, env);
  other = await startService(playbackService, env);
  watch = new NatsProjectionWatch(service.deps.nats, checkpointReader(service.deps.db), service.deps.log);
});
afterAll(async () => {
  await watch.stop();
  await Promise.all([service.stop(), other.stop()]);
  await Promise.all([nats.stop(), postgres.stop()]);
});

const send = async <S extends z.ZodType, R extends z.ZodType>(
  command: CommandDefinition<S, R>,
  data: z.input<S>,
  commandId: string = randomUUID(),
): Promise<z.output<R>> => {
  const { result, positions } = await service.deps.commands.send(command, data, context, { commandId });
  expect(await watch.waitFor(positions, 5000)).toBe(true);
  return result;
};

const bookmarks = (owner = ada) => db().selectFrom('playback.bookmark').selectAll().where('user_id', '=', owner).orderBy('id').execute();
const queue = (owner = ada) => db().selectFrom('playback.play_queue').selectAll().where('user_id', '=', owner).executeTakeFirst();
const inSong = (objectId: number, more: Partial<z.input<typeof placeBookmark.schema>> = {}): z.input<typeof placeBookmark.schema> => ({
  userId: ada,
  objectType: 'song',
  objectId,
  isApart: false,
  positionMs: 1000,
  placedAtMs: 10,
  ...more,
});
/** Every event of the log as it lies there. */
const wholeLog = async (): Promise<string> => {
  const last = await service.deps.eventStore.lastPosition('playback');
  const texts: string[] = [];
  for (let seq = 1; seq <= last; seq += 1) {
    const answer = await service.deps.nats.request('$JS.API.STREAM.MSG.GET.EV_PLAYBACK', JSON.stringify({ seq }));
    texts.push(Buffer.from(answer.json<{ message?: { data: string } }>().message?.data ?? '', 'base64').toString());
  }
  return texts.join('\n');
};

describe('bookmarks', () => {
  it('are one per thing, and one more per label where they are kept apart', async () => {
    const { bookmarkId: first } = await send(placeBookmark, inSong(7, { label: 'at the bridge' }));
    const again = await send(placeBookmark, inSong(7, { positionMs: 2000, placedAtMs: 20 }));
    const phone = await send(placeBookmark, inSong(7, { label: 'phone', isApart: true }));
    expect(again.bookmarkId).toBe(first);
    expect(phone.bookmarkId).not.toBe(first);
    await send(placeBookmark, inSong(7, { label: 'phone', isApart: true, positionMs: 3000, placedAtMs: 30 }));
    expect((await bookmarks()).map((row) => [row.object_id, row.label, row.position_ms, row.created_at_ms, row.changed_at_ms])).toEqual([
      [7, 'at the bridge', 2000, 10, 20],
      [7, 'phone', 3000, 10, 30],
    ]);
    await send(placeBookmark, inSong(7, { label: '', positionMs: 4000, placedAtMs: 40 }));
    expect((await bookmarks())[0]).toMatchObject({ label: '', position_ms: 4000, created_at_ms: 10 });
  });

  it('lie in the log without what was written on them', async () => {
    await send(placeBookmark, inSong(8, { label: 'only for my eyes' }));
    expect((await bookmarks()).map(({ label }) => label)).toContain('only for my eyes');
    const log = await wholeLog();
    expect(log).toContain('sealedLabel');
    for (const text of ['only for my eyes', 'at the bridge', 'phone']) expect(log).not.toContain(text);
  });

  it('are moved and removed by number, by whose they are', async () => {
    const { bookmarkId: id } = await send(placeBookmark, inSong(9));
    await send(moveBookmark, { userId: ada, bookmarkId: id, positionMs: 9000, movedAtMs: 50 });
    await expect(send(moveBookmark, { userId: bob, bookmarkId: id, positionMs: 1, movedAtMs: 51 })).rejects.toMatchObject({
      code: 'bookmark.not-found',
    });
    await send(removeBookmarks, { userId: bob, bookmarkIds: [id, bookmarkId.parse(99_999)] });
    expect((await bookmarks()).find((row) => row.id === id)).toMatchObject({ position_ms: 9000, changed_at_ms: 50 });
    await send(removeBookmarks, { userId: ada, bookmarkIds: [id] });
    expect((await bookmarks()).map((row) => row.id)).not.toContain(id);
    expect((await send(placeBookmark, inSong(9))).bookmarkId).toBe(id);
  });

  it('make room for the latest where only that is kept', async () => {
    await send(placeBookmark, inSong(10, { label: 'a', isApart: true }));
    await send(placeBookmark, inSong(10, { label: 'b', isApart: true }));
    await send(placeBookmark, inSong(10, { label: 'c', isApart: true, isOnly: true }));
    expect((await bookmarks()).filter((row) => row.object_id === 10).map((row) => row.label)).toEqual(['c']);
  });

  it('are put by two devices and two replicas at once without a quarrel', async () => {
    const places = Array.from({ length: 40 }, (_, n) =>
      inSong(11, { positionMs: n, placedAtMs: 100 + n, label: n % 2 ? 'desk' : 'phone' }),
    );
    const answers = await Promise.all(places.map((data) => service.deps.commands.send(placeBookmark, data, context)));
    expect(new Set(answers.map(({ result }) => result.bookmarkId)).size).toBe(1);
    for (const { positions } of answers) expect(await watch.waitFor(positions, 5000)).toBe(true);
    expect((await bookmarks()).filter((row) => row.object_id === 11)).toHaveLength(1);
  });
});

describe('the play queue', () => {
  const save = (ids: readonly number[], more: Partial<z.input<typeof savePlayQueue.schema>> = {}) =>
    send(savePlayQueue, {
      userId: ada,
      runs: ids.length === 0 ? [] : [{ objectType: 'song', ids: [...ids] }],
      currentIndex: 0,
      positionMs: 0,
      client: 'phone',
      ...more,
    });

  it('is the one that was saved last, in its order, with its repetitions', async () => {
    await save([3, 1, 3, 2], { currentIndex: 2, positionMs: 1500 });
    expect(await queue()).toMatchObject({ current_index: 2, position_ms: 1500, client: 'phone' });
    expect(JSON.parse((await queue())?.runs ?? '')).toEqual([{ objectType: 'song', ids: [3, 1, 3, 2] }]);
    await save([3, 1, 3, 2], { currentIndex: 3, positionMs: 10, client: 'desk' });
    expect(await queue()).toMatchObject({ current_index: 3, position_ms: 10, client: 'desk' });
    await save([], { client: 'desk' });
    expect(await queue()).toMatchObject({ runs: '[]', current_index: 0, client: 'desk' });
  });

  it('holds ten thousand songs, which are written once however often the place changes', async () => {
    const ids = Array.from({ length: 10_000 }, (_, n) => 1_000_000 + n);
    await save(ids);
    const before = (await wholeLog()).length;
    for (let n = 1; n <= 5; n += 1) await save(ids, { currentIndex: n });
    expect((await wholeLog()).length - before).toBeLessThan(5000);
    expect(await queue()).toMatchObject({ current_index: 5 });
  });

  it('holds as much as it may, and not more', async () => {
    const most = Array.from({ length: 25_000 }, (_, n) => 2_147_000_000 + n);
    await save(most);
    await expect(save([...most, 1])).rejects.toMatchObject({ code: 'input.invalid' });
    expect(JSON.parse((await queue())?.runs ?? '')[0].ids).toHaveLength(25_000);
    const turns = Array.from({ length: 5000 }, (_, n) => ({
      objectType: n % 2 ? ('song' as const) : ('podcast_episode' as const),
      ids: Array.from({ length: 5 }, () => 2_147_483_647),
    }));
    await save([], { runs: turns });
    expect(JSON.parse((await queue())?.runs ?? '')).toHaveLength(5000);
  });

  it('is saved by many at once, and one of them was the last', async () => {
    const saves = Array.from({ length: 40 }, (_, n) => save([n + 1, n + 2], { client: `client ${n}`, positionMs: n }));
    await Promise.all(saves);
    const kept = await queue();
    const n = kept?.position_ms ?? -1;
    expect(kept).toMatchObject({ client: `client ${n}`, runs: JSON.stringify([{ objectType: 'song', ids: [n + 1, n + 2] }]) });
  });
});

it('gives the same rows from the first event on', async () => {
  const answer = await service.deps.nats.request(rebuildSubject('playback-places'), JSON.stringify({ mode: 'verify' }), {
    timeout: 30_000,
  });
  expect(answer.json<{ report: RebuildReport }>().report.differing).toEqual([]);
});

it('puts no more bookmarks than an account may have, and moves those that it has', async () => {
  const carl = userId.parse(9);
  for (let n = 1; n <= 30; n += 1) await send(placeBookmark, inSong(n, { userId: carl }));
  await expect(send(placeBookmark, inSong(31, { userId: carl }))).rejects.toMatchObject({
    code: 'account.full',
    message: 'An account may have at most 30 bookmarks',
  });
  await send(placeBookmark, inSong(30, { userId: carl, positionMs: 5000, placedAtMs: 50_000 }));
});

it('gives no number twice, and knows every bookmark again, after the registry was lost', async () => {
  const before = await bookmarks();
  await sql`delete from playback.bookmark_id`.execute(service.deps.db);
  await sql`alter sequence playback.bookmark_id_seq restart`.execute(service.deps.db);
  const fresh = await send(placeBookmark, inSong(500));
  expect(fresh.bookmarkId).toBeGreaterThan(Math.max(...before.map(({ id }) => id)));
  const [known] = before;
  const again = await send(placeBookmark, inSong(known?.object_id ?? 0, { positionMs: 77, placedAtMs: 900 }));
  expect(again.bookmarkId).toBe(known?.id);
});

it('forgets what somebody left when their account is deleted', async () => {
  const eve = userId.parse(5);
  await send(placeBookmark, inSong(7, { userId: eve, label: 'eve was here' }));
  await send(savePlayQueue, { userId: eve, runs: [], currentIndex: 0, positionMs: 0, client: 'spec' });
  expect([await bookmarks(eve), await queue(eve)]).toEqual([[expect.anything()], expect.anything()]);
  const meta = { actor: 'system', correlationId: 'spec', causationId: 'spec', at: 1 };
  const part = { context: 'identity', aggregate: 'user', id: eve, expectedPosition: 0, events: [userDeleted({ userId: eve })] } as const;
  await service.deps.eventStore.append([part], meta);
  await vi.waitFor(async () => expect([await bookmarks(eve), await queue(eve)]).toEqual([[], undefined]), {
    timeout: 10_000,
    interval: 20,
  });
  await service.deps.userKeys.destroy(eve);
  const answer = await service.deps.nats.request(rebuildSubject('playback-places'), JSON.stringify({ mode: 'verify' }), {
    timeout: 30_000,
  });
  expect(answer.json<{ report: RebuildReport }>().report.differing).toEqual([]);
});
