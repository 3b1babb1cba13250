import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AnnotationWriter } from '../../../test/library/annotation-writer.js';
import { seedFixtureLibrary, type FixtureSong } from '../../../test/library/fixture-library.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import {
  fixedAuth,
  seedTestAccounts,
  startTestGateway,
  TEST_NOW_MS,
  testAccounts,
  type TestGateway,
} from '../../../test/servers/test-gateway.js';

const DAY_MS = 86_400_000;
const DAYS = 7;
const NUMBER_OF_SONGS = 20;
let model: TestReadModel;
let gateway: TestGateway;

const song = (n: number): FixtureSong => ({
  title: `Song number ${n}`,
  album: n % 2 === 0 ? 'Even' : 'Odd',
  artists: [n % 5 === 0 ? 'The Fives' : 'Others'],
  folder: n % 2 === 0 ? 'even' : 'odd',
  fileName: `${n}.mp3`,
  catalogId: n === NUMBER_OF_SONGS ? 2 : 1,
});
const hidden = { id: 3, username: 'hidden', access: 25, token: 'hidden-token', catalogs: [1] } as const;

beforeAll(async () => {
  model = await testReadModel();
  await seedFixtureLibrary(
    model.write,
    Array.from({ length: NUMBER_OF_SONGS }, (_, n) => song(n + 1)),
  );
  await seedTestAccounts(model.write);
  const play = (songId: number, days: number, count = 1) => ({
    user_id: testAccounts.listener.id,
    song_id: songId,
    play_count: count,
    last_played_at_ms: count === 0 ? null : TEST_NOW_MS - days * DAY_MS,
    skip_count: 1 - Math.min(count, 1),
    last_skipped_at_ms: count === 0 ? TEST_NOW_MS : null,
  });
  await model.write
    .insertInto('playback.user_song_plays')
    .values([play(1, 0), play(2, DAYS - 1), play(3, DAYS + 1), play(4, 400), play(5, 1, 0)])
    .execute();
  await new AnnotationWriter(model.write).flag({ userId: testAccounts.listener.id, kind: 'song', objectId: 6 }, TEST_NOW_MS);
  gateway = await startTestGateway(model.read, { auth: fixedAuth([...Object.values(testAccounts), hidden]) });
});
afterAll(async () => {
  await gateway.stop();
  await model.close();
});

const ask = async <T>(query: string, token: string = testAccounts.listener.token): Promise<T> => {
  const url = `/server/json.server.php?version=8.0.0&action=playlist_generate&${query}`;
  const answer = await gateway.app.inject({ url, headers: { authorization: `Bearer ${token}` } });
  expect(answer.statusCode).toBe(200);
  return answer.json<T>();
};
interface Songs {
  readonly total_count: number;
  readonly song: readonly { readonly id: string }[];
}
const idsOf = async (query: string, token?: string): Promise<number[]> =>
  (await ask<string[]>(`${query}&format=id`, token)).map(Number).toSorted((a, b) => a - b);
const from = (first: number, last: number): number[] => Array.from({ length: last - first + 1 }, (_, n) => first + n);

describe('playlist_generate', () => {
  it.each([
    ['mode=recent', [1, 2]],
    ['mode=forgotten', [3, 4]],
    ['mode=unplayed', from(5, NUMBER_OF_SONGS)],
    ['mode=random', from(1, NUMBER_OF_SONGS)],
    ['mode=whatever', from(1, NUMBER_OF_SONGS)],
    ['', from(1, NUMBER_OF_SONGS)],
    ['flag=1', [6]],
    ['flag=0&mode=recent', [1, 2]],
    ['flag=1&mode=recent', []],
    ['filter=number%201', [1, ...from(10, 19)]],
    ['filter=NUMBER%2020', [20]],
    ['artist=The%20Fives', [5, 10, 15, 20]],
    ['album=even&mode=recent', [2]],
    ['album=Even&artist=the%20fives', [10, 20]],
    ['album=nothing', []],
    ['album=999', []],
    ['filter=%25', []],
  ])('%s', async (query, expected) => {
    expect(await idsOf(query)).toEqual(expected);
  });

  it('narrows by the name of the object that an id names', async () => {
    const { id } = await model.read.selectFrom('library.artist').select('id').where('name', '=', 'The Fives').executeTakeFirstOrThrow();
    expect(await idsOf(`artist=${id}`)).toEqual([5, 10, 15, 20]);
  });

  it('takes no more than the limit by chance, counts these, and pages among them', async () => {
    const picks = await Promise.all(Array.from({ length: 12 }, () => ask<Songs>('limit=5')));
    expect(picks.map(({ total_count: total, song: songs }) => [total, songs.length])).toEqual(picks.map(() => [5, 5]));
    expect(new Set(picks.map(({ song: songs }) => songs.map(({ id }) => id).join())).size).toBeGreaterThan(1);
    expect((await ask<Songs>('limit=5&offset=3')).song).toHaveLength(2);
    expect(new Set(await idsOf('limit=none')).size).toBe(NUMBER_OF_SONGS);
  });

  it('refuses what no name can be, without failing', async () => {
    expect(await ask('album=%00')).toMatchObject({ error: { errorCode: '4710' } });
  });

  it('picks nothing that the caller may not see', async () => {
    expect(await idsOf('mode=random', hidden.token)).toEqual(from(1, NUMBER_OF_SONGS - 1));
    expect(await idsOf('filter=number%2020', hidden.token)).toEqual([]);
  });
});
