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
  clearPlays,
  recordPlays,
  songId,
  startPlayback,
  stopPlayback,
  userId,
  type CommandDefinition,
  type ReadModel,
} from '@continuo/contracts';
import { testNats, testPostgres, type TestNats, type TestPostgres } from '@continuo/local-servers';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PlaybackConfig } from './config.js';
import { playbackService } from './playback.service.js';

let nats: TestNats;
let postgres: TestPostgres;
let service: StartedService<PlaybackConfig>;
let watch: NatsProjectionWatch;

const user = userId.parse(3);
const plays = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => ({ songId: songId.parse(1 + ((from + n) % 7)), playedAtMs: from + n }));
const context = { actor: 'user:3', correlationId: 'spec', causationId: 'spec' };

beforeAll(async () => {
  [nats, postgres] = await Promise.all([testNats(), testPostgres()]);
  const env = { DATABASE_URL: postgres.url, NATS_URL: nats.url, CONTINUO_SECRET: 'x'.repeat(32), LOG_LEVEL: 'error' };
  service = await startService(playbackService, env);
  watch = new NatsProjectionWatch(service.deps.nats, checkpointReader(service.deps.db), service.deps.log);
});
afterAll(async () => {
  await watch.stop();
  await service.stop();
  await Promise.all([nats.stop(), postgres.stop()]);
});

/** Sends the command and answers, once it can be read, how many plays were new and how many the user has altogether. */
const record = async (data: ReturnType<typeof plays>, commandId: string = randomUUID()): Promise<{ recorded: number; total: number }> => {
  const { result, positions } = await service.deps.commands.send(recordPlays, { userId: user, client: 'spec', plays: data }, context, {
    commandId,
  });
  expect(await watch.waitFor(positions, 5000)).toBe(true);
  const db = service.deps.db as unknown as Kysely<ReadModel>;
  const rows = await db.selectFrom('playback.user_song_plays').select('play_count').where('user_id', '=', user).execute();
  return { recorded: result.recorded, total: rows.reduce((sum, row) => sum + row.play_count, 0) };
};

/** Sends a command and waits until it can be read. */
const sent = async <S extends z.ZodType, R extends z.ZodType>(command: CommandDefinition<S, R>, data: z.input<S>, commandId?: string) => {
  const { result, positions } = await service.deps.commands.send(command, data, context, commandId === undefined ? {} : { commandId });
  expect(await watch.waitFor(positions, 5000)).toBe(true);
  return result;
};

describe('playback service', () => {
  it('records plays that can be read at once, each only once', async () => {
    expect(await record(plays(1000, 20))).toEqual({ recorded: 20, total: 20 });
    expect(await record(plays(1010, 20))).toEqual({ recorded: 10, total: 30 });
  });

  it('gives the same answer to a retried command', async () => {
    const commandId = randomUUID();
    const first = await record(plays(5000, 5), commandId);
    expect(await record(plays(5000, 5), commandId)).toEqual(first);
  });

  it('takes the largest command and recognises it when it comes again', async () => {
    expect((await record(plays(100_000, 1000))).recorded).toBe(1000);
    expect((await record(plays(100_000, 1000))).recorded).toBe(0);
  });

  describe('for what is under way', () => {
    const db = () => service.deps.db as unknown as Kysely<ReadModel>;
    const listener = userId.parse(9);
    const start = (objectId: number, startedAtMs: number, more: { client?: string; play?: undefined } = {}) => ({
      userId: listener,
      client: 'web',
      objectType: 'song' as const,
      objectId,
      startedAtMs,
      durationMs: 200_000,
      isNow: true,
      play: { skipWindowMs: 20_000 },
      ...more,
    });
    const counts = async () =>
      (await db().selectFrom('playback.user_song_plays').selectAll().where('user_id', '=', listener).orderBy('song_id').execute()).map(
        (row) => [row.song_id, row.play_count, row.skip_count, row.last_played_at_ms],
      );
    const playing = async () =>
      (await db().selectFrom('playback.now_playing').selectAll().where('user_id', '=', listener).orderBy('client').execute()).map(
        ({ client, object_id: id, expires_at_ms: at }) => [client, id, at],
      );

    it('counts a play, turns it into a skip when the next comes too soon, and shows the next', async () => {
      expect(await sent(startPlayback, start(1, 1_000_000))).toEqual({ recorded: true });
      expect(await sent(startPlayback, start(1, 1_050_000))).toEqual({ recorded: false });
      expect(await sent(startPlayback, start(2, 1_300_000))).toEqual({ recorded: true });
      expect(await sent(startPlayback, start(3, 1_310_000))).toEqual({ recorded: true });
      expect(await counts()).toEqual([
        [1, 1, 0, 1_000_000],
        [2, 0, 1, null],
        [3, 1, 0, 1_310_000],
      ]);
      expect(await playing()).toEqual([['web', 3, 1_510_000]]);
      const history = await db().selectFrom('playback.play').selectAll().where('user_id', '=', listener).orderBy('id').execute();
      expect(history.map((row) => [row.song_id, row.skipped])).toEqual([
        [1, false],
        [2, true],
        [3, false],
      ]);
    });

    it('shows what does not count, by client, until it stops', async () => {
      await sent(startPlayback, start(4, 1_320_000, { client: 'phone', play: undefined }));
      expect(await playing()).toEqual([
        ['phone', 4, 1_520_000],
        ['web', 3, 1_510_000],
      ]);
      await sent(stopPlayback, { userId: listener, client: 'phone', objectType: 'song', objectId: 5 });
      await sent(stopPlayback, { userId: listener, client: 'web', objectType: 'song', objectId: 3 });
      expect(await playing()).toEqual([['phone', 4, 1_520_000]]);
    });

    it('skips once however often the command comes', async () => {
      const commandId = randomUUID();
      await sent(startPlayback, start(6, 2_000_000));
      const next = start(7, 2_001_000);
      expect(await sent(startPlayback, next, commandId)).toEqual(await sent(startPlayback, next, commandId));
      await sent(startPlayback, next);
      expect((await counts()).slice(-2)).toEqual([
        [6, 0, 1, null],
        [7, 1, 0, 2_001_000],
      ]);
    });
  });

  it('refuses what is no list of plays', async () => {
    const send = service.deps.commands.send(recordPlays, { userId: user, client: 'spec', plays: [] }, context);
    await expect(send).rejects.toMatchObject({ code: 'input.invalid' });
  });

  it('forgets what one user played, in all counts, and leaves what others played', async () => {
    const db = service.deps.db as unknown as Kysely<ReadModel>;
    const [one, other] = [userId.parse(21), userId.parse(22)];
    const of = (id: typeof one, song: number, atMs: number) => ({
      userId: id,
      client: 'spec',
      plays: [{ songId: songId.parse(song), playedAtMs: atMs }],
    });
    for (const data of [of(one, 900, 10), of(one, 901, 30), of(other, 901, 20)]) await sent(recordPlays, data);
    await sent(clearPlays, { userId: one });
    await sent(clearPlays, { userId: userId.parse(23) });
    await sent(recordPlays, of(one, 902, 40));
    const rows = await db.selectFrom('playback.song_plays').selectAll().where('song_id', '>=', 900).orderBy('song_id').execute();
    expect(rows.map((row) => [row.song_id, row.play_count, row.last_played_at_ms])).toEqual([
      [901, 1, 20],
      [902, 1, 40],
    ]);
    const left = await db.selectFrom('playback.play').select('song_id').where('user_id', '=', one).execute();
    expect(left).toEqual([{ song_id: 902 }]);
    expect(await db.selectFrom('playback.plays_cleared').select('user_id').execute()).toEqual([{ user_id: one }]);
  });

  it('rebuilds to the same tables', async () => {
    const answer = await service.deps.nats.request(rebuildSubject('playback-plays'), JSON.stringify({ mode: 'verify' }), {
      timeout: 30_000,
    });
    const { report } = answer.json<{ report: RebuildReport }>();
    expect(report.differing).toEqual([]);
    expect(report.position).toBe(await service.deps.eventStore.lastPosition('playback'));
  });
});
