import { InMemoryCommandClient } from '@continuo/chassis/testkit';
import { builtInPreferences, MAX_TURN_CANDIDATES, takeDemocraticTurn } from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';
import type { z } from 'zod';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { votedSongs } from '../../reads/plays/democratic.reads.js';
import { insertVotedSongs } from '../../../test/fakes/democratic-fixture.js';
import { insertPlaylist } from '../../../test/library/playlist-fixture.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { insertSmartlist } from '../../../test/library/smartlist-fixture.js';
import { seedSyntheticLibrary } from '../../../test/library/synthetic-library.js';
import { fixedAuth, seedTestAccounts, startTestGateway, testAccounts, type TestGateway } from '../../../test/servers/test-gateway.js';

/*
 * Twelve thousand songs, every fourth album of which lies in a catalog that the listener does not see. The files are not there: what is looked at is what the
 * service is asked for.
 */

const SONGS = 12_000;
type Asked = z.output<typeof takeDemocraticTurn.schema>;

let model: TestReadModel;
let gateway: TestGateway;
let asked: Asked[] = [];
/** Songs that play, by client. */
const playing = new Map<string, number>();

const commands = new InMemoryCommandClient().handle(takeDemocraticTurn, async ({ data }) => {
  asked.push(data);
  const next = data.request === 'later-part' ? undefined : (data.candidates[0] ?? data.otherwise ?? undefined);
  if (next) playing.set(data.client, next.songId);
  return { result: { songId: next?.songId ?? playing.get(data.client) ?? null }, positions: [] };
});

beforeAll(async () => {
  model = await testReadModel();
  await seedSyntheticLibrary(model.write as unknown as Kysely<unknown>, SONGS);
  await seedTestAccounts(model.write);
  const accounts = [testAccounts.admin, { ...testAccounts.listener, catalogs: [1] }];
  gateway = await startTestGateway(model.read, { commands, auth: fixedAuth(accounts) });
});
afterAll(async () => {
  await gateway.stop();
  await model.close();
});
beforeEach(async () => {
  asked = [];
  playing.clear();
  await model.write.deleteFrom('playback.democratic_song').execute();
});

const set = async (name: string, value: string): Promise<void> => {
  const preference = builtInPreferences.find((one) => one.name === name);
  await model.write
    .insertInto('social.user_preference')
    .values({ user_id: 0, preference_id: preference?.id ?? 0, value })
    .onConflict((conflict) => conflict.columns(['user_id', 'preference_id']).doUpdateSet({ value }))
    .execute();
  gateway.services.preferences.noteChange();
};

const play = async (
  query: Record<string, string> = {},
  { token = testAccounts.listener.token, range, method = 'GET' }: { token?: string; range?: string; method?: 'GET' | 'HEAD' } = {},
): Promise<{ status: number; body: string; asked: Asked | undefined }> => {
  asked = [];
  const url = `/play/index.php?${new URLSearchParams({ demo_id: '1', ssid: token, ...query }).toString()}`;
  const { statusCode: status, body } = await gateway.app.inject({ method, url, headers: range === undefined ? {} : { range } });
  return { status, body, asked: asked[0] };
};
const catalogOf = async (id: number | undefined): Promise<number | undefined> =>
  (await sql<{ catalogId: number }>`select catalog_id as "catalogId" from library.song where id = ${id ?? 0}`.execute(model.read)).rows[0]
    ?.catalogId;

describe('the next song', () => {
  it('is offered by votes, and only among what the listener may see', async () => {
    // Album 4 is hidden.
    await insertVotedSongs(model.write, [
      [31, 9],
      [1, 2],
      [2, 2],
      [3, 5],
    ]);
    expect((await play()).asked).toMatchObject({ userId: 2, request: 'fresh', candidates: [{ songId: 3 }, { songId: 1 }, { songId: 2 }] });
    const all = await play({}, { token: testAccounts.admin.token });
    expect(all.asked?.candidates[0]).toEqual({ songId: 31, durationMs: 180_000 });
  });

  it('is a random one of what the listener may see when nobody votes', async () => {
    for (let n = 0; n < 20; n += 1) expect(await catalogOf((await play()).asked?.otherwise?.songId)).toBe(1);
  });

  it('is of the list that administrators have chosen, whosever it is', async () => {
    await insertPlaylist(model.write, { id: 5, name: 'Mine', owner_id: 1 }, [31, 7]);
    await insertPlaylist(model.write, { id: 6, name: 'Hidden', owner_id: 1 }, [31]);
    await insertSmartlist(model.write, { id: 5, name: 'Of a year', owner_id: 1, is_public: false }, [['year', 'equal', '1969', null]]);
    await set('demo_base_playlist', ' 5 ');
    for (let n = 0; n < 5; n += 1) expect((await play()).asked?.otherwise?.songId).toBe(7);
    await set('demo_base_playlist', 'smart_5');
    for (let n = 0; n < 5; n += 1) expect(Number((await play()).asked?.otherwise?.songId) % 60).toBe(9);
    for (const value of ['6', '99', 'smart_99', 'nonsense', '5; drop table']) {
      await set('demo_base_playlist', value);
      expect(await catalogOf((await play()).asked?.otherwise?.songId)).toBe(1);
    }
    await set('demo_base_playlist', '');
  });
});

describe('requests for what plays', () => {
  it.each([
    ['nothing said', {}, undefined, 'fresh'],
    ['from the beginning', {}, 'bytes=0-', 'first-part'],
    ['a probe', {}, 'bytes=0-1', 'first-part'],
    ['further in', {}, 'bytes=5000-', 'later-part'],
    ['the end', {}, 'bytes=-500', 'later-part'],
    ['nonsense', {}, 'lines=1-2', 'later-part'],
    ['a later second', { frame: '30' }, undefined, 'later-part'],
    ['the first second', { frame: '0' }, undefined, 'fresh'],
    ['a slice', { segment: '3' }, undefined, 'later-part'],
  ] as const)('%s', async (_, query, range, request) => {
    expect((await play(query, range === undefined ? {} : { range })).asked?.request).toBe(request);
  });

  it('that only look take nothing', async () => {
    await insertVotedSongs(model.write, [[1, 2]]);
    const looked = await play({}, { method: 'HEAD' });
    expect(looked.asked).toMatchObject({ request: 'later-part', candidates: [], otherwise: null });
  });

  it('in the middle of nothing are refused, as are lists that are not there', async () => {
    expect(await play({}, { range: 'bytes=5000-' })).toMatchObject({ status: 404, body: 'there is nothing to play\n' });
    for (const id of ['2', '0', '-1', 'one', '1 or 1', ''])
      expect(await play({ demo_id: id })).toMatchObject({ status: 404, asked: undefined });
  });

  it('are refused where voting is off', async () => {
    await set('allow_democratic_playback', '0');
    expect(await play()).toMatchObject({ status: 403, asked: undefined });
    await set('allow_democratic_playback', '1');
  });
});

describe('ten thousand songs with votes', () => {
  it('are listed quickly, and looked at from the top', async () => {
    await sql`insert into playback.democratic_song select 1, id, 1 + id % 97, id from library.song where id <= 10000`.execute(model.write);
    await sql`analyze playback.democratic_song`.execute(model.write).catch(() => undefined);
    const viewer = { userId: 2, catalogs: [1] };
    const plan = await sql<{ 'QUERY PLAN': string }>`explain select d.song_id from playback.democratic_song d
      join library.song s on s.id = d.song_id and s.catalog_id = any(${[1]}::int[]) where d.list_id = 1
      order by d.vote_count desc, d.listed_at_ms, d.song_id limit 100`.execute(model.read);
    expect(plan.rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('democratic_song_by_turn');
    const startedMs = performance.now();
    const top = await votedSongs(model.read, viewer, { limit: MAX_TURN_CANDIDATES });
    const tookMs = performance.now() - startedMs;
    expect(top).toHaveLength(MAX_TURN_CANDIDATES);
    const listStartedMs = performance.now();
    const url = `/server/json.server.php?action=democratic&method=playlist&limit=none&auth=${testAccounts.listener.token}&version=8.0.0`;
    const { song } = (await gateway.app.inject({ url })).json<{ song: readonly { vote: number }[] }>();
    const listMs = performance.now() - listStartedMs;
    expect(song).toHaveLength(7500);
    expect(song[0]?.vote).toBe(97);
    console.info(`the next song of 10,000: ${Math.round(tookMs)} ms; all of them listed: ${Math.round(listMs)} ms`);
  });
});
