import { InMemoryCommandClient } from '@continuo/chassis/testkit';
import { answerPlaylists } from '@continuo/read-model';
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedFixtureLibrary } from '../../../test/library/fixture-library.js';
import { fixtureSongs } from '../../../test/library/fixture-songs.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import {
  fixedAuth,
  seedTestAccounts,
  startTestGateway,
  testAccounts,
  type TestAccount,
  type TestGateway,
} from '../../../test/servers/test-gateway.js';

const { admin, listener } = testAccounts;
/** Sees the first catalog alone; the fifth song is in the second one. */
const third = { id: 3, username: 'third', access: 25, token: 'third-token', catalogs: [1] } as const satisfies TestAccount;

let model: TestReadModel;
/** Over one read model and one log, as replicas are. */
let gateways: readonly TestGateway[];

beforeAll(async () => {
  model = await testReadModel();
  await seedFixtureLibrary(model.write, fixtureSongs);
  await seedTestAccounts(model.write);
  const like = await model.write.selectFrom('social.user').selectAll().where('id', '=', 2).executeTakeFirstOrThrow();
  await model.write
    .insertInto('social.user')
    .values({ ...like, id: 3, username: 'third', username_key: 'third' })
    .execute();
  await model.write
    .insertInto('social.user_preference')
    .values([
      { user_id: 2, preference_id: 17, value: '.s' },
      { user_id: 3, preference_id: 60, value: '1' },
    ])
    .execute();
  const commands = new InMemoryCommandClient();
  await answerPlaylists(commands, model.write as unknown as Kysely<unknown>);
  const start = () => startTestGateway(model.read, { commands, auth: fixedAuth([admin, listener, third]) });
  gateways = [await start(), await start()];
});
afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.stop()));
  await model.close();
});

type Params = Readonly<Record<string, string | number>>;
type Caller = TestAccount | { readonly token: string };

// oxlint-disable-next-line typescript/no-explicit-any
const ask = async (action: string, params: Params = {}, by: Caller = listener, replica = 0): Promise<any> => {
  const query = new URLSearchParams({ action, version: '8.0.0' });
  for (const [name, value] of Object.entries(params)) query.set(name, String(value));
  const answer = await gateways[replica]?.app.inject({
    url: `/server/json.server.php?${query.toString()}`,
    headers: { authorization: `Bearer ${by.token}` },
  });
  expect(answer?.statusCode).toBe(200);
  return JSON.parse(answer?.body ?? '');
};
const fault = async (action: string, params: Params, by?: Caller): Promise<[string, string]> => {
  const { error } = await ask(action, params, by);
  return [error?.errorCode, error?.errorType];
};

let made = 0;
const make = async (songs: readonly number[] = [], by: Caller = listener, type = 'private'): Promise<string> => {
  made += 1;
  const { id } = await ask('playlist_create', { name: `List ${made}`, type }, by);
  for (const song of songs) await ask('playlist_add', { filter: id, id: song }, by);
  return id;
};
const songsOf = async (id: string, by: Caller = listener): Promise<number[]> =>
  (await ask('playlist_songs', { filter: id }, by)).song.map((song: { id: string }) => Number(song.id));
const listed = async (by: Caller, params: Params = {}): Promise<string[]> =>
  (await ask('playlists', { hide_search: 1, ...params }, by)).playlist.map((list: { id: string }) => list.id);

describe('whose list it is', () => {
  it('decides who opens it, who changes what is in it, and who changes it', async () => {
    const id = await make([1]);
    for (const action of ['playlist', 'playlist_songs', 'playlist_hash']) {
      expect(await fault(action, { filter: id }, third)).toEqual(['4704', 'filter']);
      expect((await ask(action, { filter: id }, admin)).error).toBeUndefined();
    }
    for (const [action, params] of [
      ['playlist_add', { id: 1 }],
      ['playlist_remove', { track: 1 }],
      ['playlist_remove', { clear: 1 }],
      ['playlist_remove_song', { song: 1 }],
      ['playlist_edit', { name: 'Mine' }],
      ['playlist_edit', { items: 2, tracks: 1 }],
      ['playlist_delete', {}],
    ] as const)
      expect(await fault(action, { filter: id, ...params }, third)).toEqual(['4704', 'filter']);
    expect(await songsOf(id)).toEqual([1]);
  });

  it('lets collaborators change what is in it, and nothing else', async () => {
    const id = await make([1]);
    await ask('playlist_edit', { filter: id, collaborate: 'third' });
    expect(await ask('playlist', { filter: id }, third)).toMatchObject({ has_access: false, has_collaborate: true, type: 'private' });
    await ask('playlist_add', { filter: id, id: 2 }, third);
    await ask('playlist_edit', { filter: id, items: 3, tracks: 1 }, third);
    expect(await songsOf(id)).toEqual([3, 2]);
    for (const params of [{ name: 'x' }, { type: 'public' }, { owner: 'third' }, { sort: 1 }, { collaborate: '' }] as Params[])
      expect(await fault('playlist_edit', { filter: id, ...params }, third)).toEqual(['4742', 'account']);
    expect(await fault('playlist_delete', { filter: id }, third)).toEqual(['4742', 'account']);
    await ask('playlist_edit', { filter: id, collaborate: '' });
    expect(await fault('playlist', { filter: id }, third)).toEqual(['4704', 'filter']);
  });

  it('shows public lists to everybody, to be changed by their owner alone', async () => {
    const id = await make([1], listener, 'public');
    expect(await ask('playlist', { filter: id }, third)).toMatchObject({ has_access: false, has_collaborate: false, owner: 'listener' });
    expect(await fault('playlist_add', { filter: id, id: 2 }, third)).toEqual(['4742', 'account']);
  });

  it('lists what is public, own or shared, also for administrators', async () => {
    const [hidden, open, common] = [await make(), await make([], listener, 'public'), await make()];
    await ask('playlist_edit', { filter: common, collaborate: '3' });
    expect(await listed(third)).toEqual(expect.arrayContaining([open, common]));
    expect(await listed(third)).not.toContain(hidden);
    expect(await listed(admin)).toContain(open);
    expect(await listed(admin)).not.toContain(hidden);
    expect((await ask('user_playlists', {}, third)).playlist).toEqual([]);
    expect(await listed(listener, { cond: 'playlist_type,0' })).toEqual(expect.arrayContaining([hidden, open, common]));
  });

  it('passes to another account or to the system', async () => {
    const id = await make([1]);
    await ask('playlist_edit', { filter: id, owner: 'third' });
    expect(await ask('playlist', { filter: id }, third)).toMatchObject({ owner: 'third', has_access: true });
    expect(await fault('playlist_edit', { filter: id, name: 'back' })).toEqual(['4704', 'filter']);
    await ask('playlist_edit', { filter: id, owner: -1 }, third);
    expect(await ask('playlist', { filter: id }, admin)).toMatchObject({ owner: 'System', user: { id: '-1', username: 'System' } });
    expect(await fault('playlist', { filter: id }, third)).toEqual(['4704', 'filter']);
  });
});

describe('what is in a list', () => {
  it('is counted from 1 among the songs that the caller sees', async () => {
    const id = await make([5, 1, 5, 2, 3], admin, 'public');
    await ask('playlist_edit', { filter: id, collaborate: 'third' }, admin);
    expect(await songsOf(id, admin)).toEqual([5, 1, 5, 2, 3]);
    expect(await songsOf(id, third)).toEqual([1, 2, 3]);
    expect(await ask('playlist', { filter: id }, third)).toMatchObject({ items: 3 });
    expect((await ask('playlist_hash', { filter: id }, third)).md5).not.toBe((await ask('playlist_hash', { filter: id }, admin)).md5);
    await ask('playlist_remove', { filter: id, track: 2 }, third);
    expect(await songsOf(id, admin)).toEqual([5, 1, 5, 3]);
    expect(await fault('playlist_remove', { filter: id, id: 5 }, third)).toEqual(['4704', 'id']);
    expect(await fault('playlist_add', { filter: id, id: 5 }, third)).toEqual(['4704', 'id']);
    expect(await fault('playlist_edit', { filter: id, items: 5, tracks: 1 }, third)).toEqual(['4704', 'items']);
    // Beyond the last one it is added.
    await ask('playlist_edit', { filter: id, items: '2,4', tracks: '1,99' }, third);
    expect(await songsOf(id, admin)).toEqual([5, 2, 5, 3, 4]);
  });

  it('loses a song where it stands first, and knows what it does not have', async () => {
    const id = await make([1, 2, 1]);
    await ask('playlist_remove', { filter: id, id: 1 });
    expect(await songsOf(id)).toEqual([2, 1]);
    expect(await fault('playlist_remove', { filter: id, id: 3 })).toEqual(['4704', 'id']);
    expect(await fault('playlist_remove', { filter: id, track: 3 })).toEqual(['4704', 'track']);
    await ask('playlist_remove', { filter: id, clear: 1, id: 99 });
    expect(await ask('playlist_hash', { filter: id })).toEqual({ md5: null });
  });

  it('comes back with a song that was gone', async () => {
    const id = await make([1, 2, 3]);
    const [song] = (await sql<Record<string, unknown>>`select * from library.song where id = 2`.execute(model.write)).rows;
    await sql`delete from library.song where id = 2`.execute(model.write);
    await sql`update library.counter set version = version + 1`.execute(model.write);
    expect(await songsOf(id)).toEqual([1, 3]);
    expect(await ask('playlist', { filter: id })).toMatchObject({ items: 2 });
    await ask('playlist_remove', { filter: id, track: 2 });
    await ask('playlist_add', { filter: id, id: 4 });
    await sql`insert into library.song select * from jsonb_populate_record(null::library.song, ${JSON.stringify(song)}::jsonb)`.execute(
      model.write,
    );
    await sql`update library.counter set version = version + 1`.execute(model.write);
    expect(await songsOf(id)).toEqual([1, 2, 4]);
  });

  it('takes all songs of an album, an artist or another list that the caller may open', async () => {
    const [id, other, foreign] = [await make(), await make([4, 4]), await make([1], admin)];
    await ask('playlist_add', { filter: id, id: other, object_type: 'playlist' });
    expect(await songsOf(id)).toEqual([4, 4]);
    await ask('playlist_add', { filter: id, id: 1, type: 'album' });
    const album = (await ask('album_songs', { filter: 1 })).song.map((song: { id: string }) => Number(song.id));
    expect(await songsOf(id)).toEqual([4, 4, ...album]);
    expect(await fault('playlist_add', { filter: id, id: foreign, object_type: 'playlist' })).toEqual(['4704', 'id']);
    // A list that is added to itself is added as it was.
    await ask('playlist_add', { filter: other, id: other, object_type: 'playlist' });
    expect(await songsOf(other)).toEqual([4, 4, 4, 4]);
  });

  it('is ordered by artist, album and place on it; what the caller does not see comes last', async () => {
    const id = await make([5, 4, 3, 2, 1], admin);
    await ask('playlist_edit', { filter: id, sort: 1 }, admin);
    const { song } = await ask('playlist_songs', { filter: id }, admin);
    const keys = song.map((one: { artist: { basename: string }; album: { basename: string }; disk: number; track: number }) => [
      one.artist.basename.toLowerCase(),
      one.album.basename.toLowerCase(),
      one.disk,
      one.track,
    ]);
    expect(keys).toEqual(keys.toSorted((a: string[], b: string[]) => (String(a) < String(b) ? -1 : 1)));
  });

  it('never holds a song twice where the account wants none twice', async () => {
    const id = await make([1], third);
    expect(await ask('playlist_add', { filter: id, id: 1 }, third)).toEqual({ success: 'nothing was added to the playlist' });
    expect(await ask('playlist_add', { filter: id, id: 1, object_type: 'album' }, third)).toEqual({ success: 'songs added to playlist' });
    const songs = await songsOf(id, third);
    expect(new Set(songs).size).toBe(songs.length);
  });

  it('is paged', async () => {
    const id = await make([1, 2, 3, 4, 1]);
    const page = await ask('playlist_songs', { filter: id, offset: 3, limit: 2 });
    expect(page.total_count).toBe(5);
    expect(page.song.map((song: { id: string; playlisttrack: number }) => [song.id, song.playlisttrack])).toEqual([
      ['4', 1],
      ['1', 2],
    ]);
    const all = await ask('playlist_songs', { filter: id, random: 1 });
    expect(all.song.map((song: { id: string }) => song.id).toSorted()).toEqual(['1', '1', '2', '3', '4']);
  });
});

describe('clients of two gateways that change a list at once', () => {
  it('see everything that both of them did', async () => {
    const id = await make([1, 2, 3, 4]);
    const answers = await Promise.all([
      ask('playlist_add', { filter: id, id: 1 }, listener, 0),
      ask('playlist_remove', { filter: id, track: 2 }, listener, 1),
      ask('playlist_remove', { filter: id, track: 4 }, listener, 0),
      ask('playlist_add', { filter: id, id: 4 }, listener, 1),
      ask('playlist_edit', { filter: id, name: 'Both' }, listener, 0),
      ask('playlist_edit', { filter: id, type: 'public' }, listener, 1),
    ]);
    expect(answers.filter(({ error }) => error)).toEqual([]);
    const songs = await songsOf(id);
    expect(songs.slice(0, 2)).toEqual([1, 3]);
    expect(songs.slice(2).toSorted((a, b) => a - b)).toEqual([1, 4]);
    expect(await ask('playlist', { filter: id }, listener, 1)).toMatchObject({ name: 'Both', type: 'public', items: 4 });
  });

  it('take a song out once, and tell the slower one', async () => {
    const id = await make([1, 2]);
    const answers = await Promise.all([0, 1].map((replica) => ask('playlist_remove', { filter: id, id: 2 }, listener, replica)));
    expect(await songsOf(id)).toEqual([1]);
    expect(answers.filter(({ success }) => success)).toHaveLength(1);
    expect(answers.find(({ error }) => error)).toMatchObject({ error: { errorCode: '4704' } });
  });
});

describe('the REST form', () => {
  const rest = async (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, payload?: object) => {
    const options = payload ? { payload } : {};
    const answer = await gateways[0]?.app.inject({
      method,
      url: `/rest/8/json/${path}`,
      headers: { authorization: `Bearer ${listener.token}` },
      ...options,
    });
    // oxlint-disable-next-line typescript/no-unsafe-return
    return JSON.parse(answer?.body ?? '');
  };
  it('does all of it by verb and path', async () => {
    const { id } = await rest('PUT', 'playlists', { name: 'By path' });
    expect(await rest('POST', `playlists/${id}/add`, { id: '1' })).toEqual({ success: 'songs added to playlist' });
    expect(await rest('POST', `playlists/${id}/add`, { id: '1', type: 'album' })).toEqual({ success: 'songs added to playlist' });
    expect(await rest('POST', `playlists/${id}/remove`, { id: '1' })).toEqual({ success: 'song removed from playlist' });
    expect(await rest('POST', `playlists/${id}/remove-song`, { track: '1' })).toEqual({ success: 'song removed from playlist' });
    expect(await rest('PATCH', `playlists/${id}`, { name: 'Renamed', type: 'public' })).toEqual({ success: 'playlist changes saved' });
    expect(await rest('GET', `playlists/${id}`)).toMatchObject({ name: 'Renamed', type: 'public' });
    expect((await rest('GET', `playlists/${id}/songs`)).total_count).toBeGreaterThan(0);
    expect((await rest('GET', `playlists/${id}/hash`)).md5).toMatch(/^[0-9a-f]{32}$/);
    expect((await rest('GET', 'me/playlists')).playlist.map((list: { id: string }) => list.id)).toContain(id);
    expect(await rest('DELETE', `playlists/${id}`)).toEqual({ success: 'playlist deleted' });
  });
});

describe('lists', () => {
  it('whose names begin with what an account hides are not listed, and open all the same', async () => {
    const id = await make();
    await ask('playlist_edit', { filter: id, name: '.Secret list' });
    expect(await listed(listener)).not.toContain(id);
    expect((await ask('list', { type: 'playlist' })).list.map((list: { id: string }) => list.id)).not.toContain(id);
    expect((await ask('user_playlists')).playlist.map((list: { id: string }) => list.id)).not.toContain(id);
    expect(await ask('playlist', { filter: id })).toMatchObject({ name: '.Secret list' });
    await ask('playlist_edit', { filter: id, type: 'public' });
    expect(await listed(third)).toContain(id);
  });

  it('are found by name, owner and what is in them, by those who may open them', async () => {
    const id = await make([3]);
    await ask('playlist_edit', { filter: id, name: 'Needle' });
    const search = (params: Params, by?: Caller) => ask('search', { type: 'playlist', ...params }, by);
    const byName = { rule_1: 'title', rule_1_operator: 4, rule_1_input: 'needle' };
    expect((await search(byName)).playlist.map((list: { id: string }) => list.id)).toEqual([id]);
    expect((await search(byName, third)).playlist).toEqual([]);
    const byList = { type: 'song', rule_1: 'playlist', rule_1_operator: 0, rule_1_input: id };
    expect((await ask('search', byList)).song.map((song: { id: string }) => song.id)).toEqual(['3']);
    expect((await ask('search', byList, third)).song).toEqual([]);
    const byListName = { type: 'song', rule_1: 'playlist_name', rule_1_operator: 4, rule_1_input: 'needle' };
    expect((await ask('search', byListName)).total_count).toBe(1);
    expect((await ask('search', byListName, third)).total_count).toBe(0);
  });

  it.each(['0', '-1', '', ' ', 'x', '1.5', '99999999999', "1' or 1=1", 'smart_'])('there is none of number %j', async (filter) => {
    for (const action of ['playlist', 'playlist_songs', 'playlist_hash', 'playlist_delete'])
      expect(await fault(action, { filter })).toEqual(['4704', 'filter']);
  });

  it.each([
    ['playlist_create', { name: 'x'.repeat(300) }, '4710'],
    ['playlist_edit', { items: '1,x', tracks: '1,2' }, '4710'],
    ['playlist_edit', { items: '1', tracks: '0' }, '4710'],
    ['playlist_edit', { items: '1', tracks: '1,2' }, '4710'],
    ['playlist_edit', { type: 'secret' }, '4710'],
    ['playlist_edit', {}, '4710'],
    ['playlist_add', { id: 1, object_type: 'video' }, '4710'],
    ['playlist_remove', {}, '4710'],
    ['playlist_remove', { track: '-1' }, '4704'],
    ['playlist_remove', { track: '99999999999999999999' }, '4704'],
  ] as const)('%s refuses %j and loses nothing', async (action, params, code) => {
    const id = await make([1, 2]);
    expect((await fault(action, { filter: id, ...params }))[0]).toBe(code);
    expect(await songsOf(id)).toEqual([1, 2]);
  });
});
