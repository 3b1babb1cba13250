import { randomUUID } from 'node:crypto';
import {
  checkpointReader,
  NatsProjectionWatch,
  rebuildSubject,
  startService,
  type RebuildReport,
  type StartedService,
} from '@continuo/chassis';
import { recordPlays, songId, userId, type ReadModel } from '@continuo/contracts';
import { testNats, testPostgres, type TestNats, type TestPostgres } from '@continuo/local-servers';
import type { Kysely } from 'kysely';
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

  it('refuses what is no list of plays', async () => {
    const send = service.deps.commands.send(recordPlays, { userId: user, client: 'spec', plays: [] }, context);
    await expect(send).rejects.toMatchObject({ code: 'input.invalid' });
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
