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
  DEMOCRATIC_LIST,
  songId,
  takeDemocraticTurn,
  userDeleted,
  userId,
  voteForSong,
  withdrawVote,
  type CommandDefinition,
  type ReadModel,
} from '@continuo/contracts';
import { testNats, testPostgres, type TestNats, type TestPostgres } from '@continuo/local-servers';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { PlaybackConfig } from '../config.js';
import { playbackService } from '../playback.service.js';

/*
 * Two replicas of the service, so that what goes wrong between them goes wrong here.
 */

let nats: TestNats;
let postgres: TestPostgres;
let replicas: StartedService<PlaybackConfig>[];
let watch: NatsProjectionWatch;

const context = { actor: 'system', correlationId: 'spec', causationId: 'spec' };
const deps = () => {
  const [first] = replicas;
  if (!first) throw new Error('no replica has started');
  return first.deps;
};
const db = () => deps().db as unknown as Kysely<ReadModel>;

beforeAll(async () => {
  [nats, postgres] = await Promise.all([testNats(), testPostgres()]);
  const env = { DATABASE_URL: postgres.url, NATS_URL: nats.url, CONTINUO_SECRET: 'x'.repeat(32), LOG_LEVEL: 'error' };
  replicas = await Promise.all([startService(playbackService, env), startService(playbackService, env)]);
  watch = new NatsProjectionWatch(deps().nats, checkpointReader(deps().db), deps().log);
});
afterAll(async () => {
  await watch.stop();
  await Promise.all(replicas.map((replica) => replica.stop()));
  await Promise.all([nats.stop(), postgres.stop()]);
});

/** Sends a command to whichever replica takes it and waits until what it did can be read. */
const sent = async <S extends z.ZodType, R extends z.ZodType>(
  command: CommandDefinition<S, R>,
  data: z.input<S>,
  commandId: string = randomUUID(),
): Promise<z.output<R>> => {
  const { result, positions } = await deps().commands.send(command, data, context, { commandId });
  expect(await watch.waitFor(positions, 10_000)).toBe(true);
  return result;
};

const about = (user: number, song: number) => ({ listId: DEMOCRATIC_LIST, userId: userId.parse(user), songId: songId.parse(song) });
const vote = (user: number, song: number, cooldownMs?: number) =>
  sent(voteForSong, { ...about(user, song), ...(cooldownMs && { cooldownMs }) });

/** Songs with their votes, in the order in which their turns come. */
const listed = async (songs: readonly number[]): Promise<number[][]> => {
  const rows = await db()
    .selectFrom('playback.democratic_song')
    .selectAll()
    .where('song_id', 'in', [...songs])
    .orderBy('vote_count', 'desc')
    .orderBy('listed_at_ms')
    .orderBy('song_id')
    .execute();
  return rows.map((row) => [row.song_id, row.vote_count]);
};

interface Wanted {
  readonly client?: string;
  readonly request?: 'fresh' | 'first-part' | 'later-part';
  readonly candidates?: readonly number[];
  readonly otherwise?: number;
}
const turnData = (user: number, { client = 'spec', request = 'fresh', candidates = [], otherwise }: Wanted) => {
  const playable = (id: number) => ({ songId: songId.parse(id), durationMs: 200_000 });
  return {
    listId: DEMOCRATIC_LIST,
    userId: userId.parse(user),
    client,
    request,
    candidates: candidates.map(playable),
    otherwise: otherwise === undefined ? null : playable(otherwise),
  };
};
const turn = async (user: number, wanted: Wanted): Promise<number | null> =>
  (await sent(takeDemocraticTurn, turnData(user, wanted))).songId;

describe('votes', () => {
  it('of the same moment all count, each once', async () => {
    await Promise.all(Array.from({ length: 40 }, (_, n) => vote(1 + (n % 20), 7)));
    expect(await listed([7])).toEqual([[7, 20]]);
    const votes = await db().selectFrom('playback.democratic_vote').selectAll().where('song_id', '=', 7).execute();
    expect(votes).toHaveLength(20);
  });

  it('are taken back, and a song without votes leaves the list', async () => {
    await vote(1, 8);
    await vote(2, 8);
    await sent(withdrawVote, about(1, 8));
    await sent(withdrawVote, about(3, 8));
    expect(await listed([8])).toEqual([[8, 1]]);
    await sent(withdrawVote, about(2, 8));
    expect(await listed([8])).toEqual([]);
  });

  it('put songs in order: by their number, then by who waits longest', async () => {
    for (const [user, song] of [
      [1, 30],
      [1, 31],
      [1, 32],
      [2, 32],
    ] as const)
      await vote(user, song);
    expect(await listed([30, 31, 32])).toEqual([
      [32, 2],
      [30, 1],
      [31, 1],
    ]);
  });

  it('end with the account', async () => {
    await vote(77, 40);
    await vote(78, 40);
    await vote(77, 41);
    const meta = { actor: 'system', correlationId: 'spec', causationId: 'spec', at: 1 };
    const id = userId.parse(77);
    await deps().eventStore.append(
      [{ context: 'identity', aggregate: 'user', id, expectedPosition: 0, events: [userDeleted({ userId: id })] }],
      meta,
    );
    await vi.waitFor(async () => expect(await listed([40, 41])).toEqual([[40, 1]]), { timeout: 10_000, interval: 50 });
  });
});

describe('turns', () => {
  it('use up the votes of what is played; the song has to rest when the server says so', async () => {
    await vote(1, 50);
    await vote(2, 50);
    expect(await turn(1, { candidates: [50], otherwise: 99 })).toBe(50);
    expect(await listed([50])).toEqual([]);
    await expect(vote(1, 50, 60_000)).rejects.toMatchObject({ code: 'democratic.cooling' });
    await vote(1, 50);
    expect(await listed([50])).toEqual([[50, 1]]);
  });

  it('stay with a song while its parts are fetched', async () => {
    const client = 'browser';
    expect(await turn(5, { client, request: 'later-part', otherwise: 98 })).toBeNull();
    expect(await turn(5, { client, request: 'first-part', otherwise: 98 })).toBe(98);
    expect(await turn(5, { client, request: 'later-part', otherwise: 99 })).toBe(98);
    expect(await turn(5, { client, request: 'first-part', otherwise: 99 })).toBe(98);
    expect(await turn(5, { client: 'other', request: 'later-part' })).toBeNull();
    expect(await turn(5, { client, otherwise: 99 })).toBe(99);
    expect(await turn(5, { client, request: 'later-part' })).toBe(99);
    expect(await turn(5, { client })).toBeNull();
  });

  it('of listeners at the same moment are of different songs', async () => {
    const songs = [60, 61, 62, 63, 64, 65];
    for (const song of songs) await vote(1, song);
    const heard = await Promise.all(songs.map((_, n) => turn(100 + n, { candidates: songs })));
    expect(heard.toSorted((a, b) => Number(a) - Number(b))).toEqual(songs);
    expect(await turn(100, { candidates: songs, otherwise: 99 })).toBe(99);
    expect(await listed(songs)).toEqual([]);
  });

  it('of one client move on once for requests of the same moment', async () => {
    const songs = [70, 71, 72, 73];
    for (const song of songs) await vote(1, song);
    const heard = await Promise.all(songs.map(() => turn(110, { request: 'first-part', candidates: songs })));
    expect(new Set(heard).size).toBe(1);
    expect(await listed(songs)).toHaveLength(3);
  });

  it('are the same for a command that comes again', async () => {
    const songs = [80, 81];
    for (const song of songs) await vote(1, song);
    const commandId = randomUUID();
    const data = turnData(120, { candidates: songs });
    const first = await sent(takeDemocraticTurn, data, commandId);
    expect(await sent(takeDemocraticTurn, data, commandId)).toEqual(first);
    expect(await listed(songs)).toEqual([[81, 1]]);
  });
});

describe('many voters', () => {
  it('are counted quickly, also when all of them want the same song', async () => {
    const timed = async (name: string, songOf: (n: number) => number): Promise<void> => {
      const startedMs = performance.now();
      const count = 2000;
      for (let from = 0; from < count; from += 100)
        await Promise.all(
          Array.from({ length: 100 }, (_, n) =>
            deps().commands.send(voteForSong, about(1000 + from + n, songOf(from + n)), context, { commandId: randomUUID() }),
          ),
        );
      console.info(`${count} votes for ${name}: ${Math.round((count / (performance.now() - startedMs)) * 1000)} a second`);
    };
    await timed('one song', () => 500);
    await timed('a hundred songs', (n) => 600 + (n % 100));
    await vi.waitFor(async () => expect(await listed([500])).toEqual([[500, 2000]]), { timeout: 20_000, interval: 50 });
  }, 120_000);
});

it('gives the same rows from the first event on', async () => {
  const answer = await deps().nats.request(rebuildSubject('playback-democratic'), JSON.stringify({ mode: 'verify' }), { timeout: 30_000 });
  const { report } = answer.json<{ report: RebuildReport }>();
  expect(report.compared).toBe(true);
  expect(report.differing).toEqual([]);
});
