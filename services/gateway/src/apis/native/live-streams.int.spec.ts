import { InMemoryCommandClient } from '@continuo/chassis/testkit';
import { addToCollection, flagObjects, rateObject } from '@continuo/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { seedFixtureLibrary } from '../../../test/library/fixture-library.js';
import { fixtureSongs } from '../../../test/library/fixture-songs.js';
import { insertCollection } from '../../../test/library/collection-fixture.js';
import { idlePlayer, withPlayer, type IdlePlayer } from '../../../test/fakes/player-fixture.js';
import { keepStations, seedStations } from '../../../test/library/station-fixture.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { fixedAuth, seedTestAccounts, startTestGateway, testAccounts, type TestGateway } from '../../../test/servers/test-gateway.js';

const keeper = { id: 7, username: 'keeper', access: 50, token: 'keeper-token', catalogs: [2] } as const;

let model: TestReadModel;
let gateway: TestGateway;
let switchedOff: TestGateway;
let player: IdlePlayer;
const commands = new InMemoryCommandClient();

beforeAll(async () => {
  model = await testReadModel();
  await seedFixtureLibrary(model.write, fixtureSongs);
  await seedTestAccounts(model.write);
  const auth = fixedAuth([...Object.values(testAccounts), keeper]);
  player = idlePlayer();
  keepStations(withPlayer(commands, player), model.write)
    .handle(rateObject, async () => ({ result: {}, positions: [] }))
    .handle(flagObjects, async () => ({ result: {}, positions: [] }))
    .handle(addToCollection, async () => ({ result: { added: true }, positions: [] }));
  const settings = { LOCALPLAY_CONTROLLER: 'mpd', PUBLIC_URL: 'http://open.example' } as const;
  gateway = await startTestGateway(model.read, { auth, commands, settings });
  switchedOff = await startTestGateway(model.read, { auth, commands, settings: { ...settings, LIVE_STREAM: false } });
});
beforeEach(async () => {
  await model.write.deleteFrom('library.live_stream').execute();
  await seedStations(model.write);
});
afterAll(async () => {
  await gateway.stop();
  await switchedOff.stop();
  await model.close();
});

interface Call {
  readonly token?: string;
  readonly server?: TestGateway;
}
type Params = Readonly<Record<string, string>>;

const send = (params: Params, { token = 'admin-token', server = gateway }: Call = {}) =>
  server.app.inject({
    url: `/server/json.server.php?${new URLSearchParams({ version: '8.0.0', ...params }).toString()}`,
    headers: { authorization: `Bearer ${token}` },
  });
const ask = async <T>(params: Params, call?: Call): Promise<T> => (await send(params, call)).json<T>();
const faultOf = async (params: Params, call?: Call): Promise<string[]> => {
  const { error } = await ask<{ error?: { errorCode: string; errorType: string } }>(params, call);
  return error ? [error.errorCode, error.errorType] : [];
};
const idsOf = async (params: Params, call?: Call): Promise<string[]> =>
  (await ask<{ live_stream: { id: string }[] }>({ action: 'live_streams', ...params }, call)).live_stream.map(({ id }) => id);
const theirs = { token: keeper.token };
const creation = { action: 'live_stream_create', catalog: '2', codec: '.OGG!', name: ' Night radio ', url: 'https://radio.example/night' };

/** Every way of the native API that speaks of stations. */
const ways: readonly Params[] = [
  { action: 'live_streams' },
  { action: 'live_stream', filter: '1' },
  creation,
  { action: 'live_stream_edit', filter: '1', name: 'x' },
  { action: 'live_stream_delete', filter: '1' },
  { action: 'list', type: 'live_stream' },
  { action: 'index', type: 'LIVE_STREAM' },
  { action: 'get_art', type: 'live_stream', filter: '1' },
  { action: 'flag', type: 'live_stream', filter: '1', flag: '1' },
  { action: 'rate', type: 'stream', filter: '1', rating: '1' },
  { action: 'localplay', command: 'add', type: 'live_stream', filter: '1' },
];

describe('stations', () => {
  it.each(ways)('answer 4703 where they are switched off, whatever else is wrong: %j', async (params) => {
    const answer = await send(params, { server: switchedOff });
    expect(answer.json()).toMatchObject({ error: { errorCode: '4703', errorType: 'system', errorMessage: 'Enable: live_stream' } });
  });

  it('are made, shown, changed and ended by whom the server trusts with content', async () => {
    const made = await ask<{ id: string }>(creation, theirs);
    const station = { name: 'Night radio', url: 'https://radio.example/night', codec: 'ogg', catalog: '2', site_url: null };
    expect(made).toEqual({ id: made.id, ...station });
    expect(await ask({ action: 'live_stream', filter: made.id })).toEqual(made);
    const edit = { action: 'live_stream_edit', filter: made.id, site_url: 'http://radio.example', name: '', url: '', codec: '' };
    expect(await ask(edit, theirs)).toEqual({ ...made, site_url: 'http://radio.example' });
    const cleared = { action: 'live_stream_edit', filter: made.id, site_url: '', codec: 'FLAC' };
    expect(await ask(cleared, theirs)).toEqual({ ...made, codec: 'flac' });
    expect(await ask({ action: 'live_stream_delete', filter: made.id }, theirs)).toEqual({ success: `Deleted live_stream: ${made.id}` });
    expect(await faultOf({ action: 'live_stream', filter: made.id })).toEqual(['4704', 'filter']);
  });

  it('need the level for that before anything is looked at', async () => {
    const listener = { token: testAccounts.listener.token };
    for (const action of ['live_stream_create', 'live_stream_edit', 'live_stream_delete'])
      expect(await faultOf({ action, filter: '99', url: 'nonsense' }, listener)).toEqual(['4742', 'account']);
    expect(await idsOf({}, listener)).toEqual(['1', '2']);
  });

  it('are those of the catalogs that the caller sees', async () => {
    expect(await idsOf({}, theirs)).toEqual(['2']);
    expect(await ask({ action: 'index', type: 'live_stream' }, theirs)).toEqual({ live_stream: ['2'] });
    expect((await ask<{ list: unknown[] }>({ action: 'list', type: 'live_stream' }, theirs)).list).toHaveLength(1);
    expect(await ask({ action: 'handshake' }, theirs)).toMatchObject({ live_streams: 1 });
    expect(await ask({ action: 'handshake' })).toMatchObject({ live_streams: 2 });
    for (const params of ways.filter(({ filter }) => filter === '1').filter(({ action }) => action !== 'get_art' && action !== 'localplay'))
      expect([params['action'], await faultOf(params, theirs)]).toEqual([params['action'], ['4704', 'filter']]);
    expect(await faultOf({ ...creation, catalog: '1' }, theirs)).toEqual(['4704', 'catalog']);
    expect(await faultOf({ action: 'live_stream_edit', filter: '2', catalog: '1' }, theirs)).toEqual(['4704', 'catalog']);
    expect((await send({ action: 'get_art', type: 'live_stream', filter: '1', fallback: '1' }, theirs)).statusCode).toBe(
      (await send({ action: 'get_art', type: 'live_stream', filter: '99', fallback: '1' }, theirs)).statusCode,
    );
  });

  it.each([
    ['url', 'ftp://radio.example/'],
    ['url', 'javascript:alert(1)'],
    ['url', 'http://ada:secret@radio.example/'],
    ['url', 'http://radio.example/\r\nSet-Cookie: a=b'],
    ['url', 'http://'],
    ['url', `http://radio.example/${'a'.repeat(3000)}`],
    ['site_url', 'data:text/html,x'],
    ['site_url', 'http://radio.example\\@evil.example'],
    ['codec', 'exe'],
    ['name', '\u0000 \u0007'],
    ['name', 'a'.repeat(256)],
  ])('are refused with a %s like %j, and stay as they were', async (parameter, value) => {
    const before = await ask({ action: 'live_stream', filter: '1' });
    expect(await faultOf({ ...creation, [parameter]: value })).toEqual(['4710', parameter]);
    expect(await faultOf({ action: 'live_stream_edit', filter: '1', name: 'Other', [parameter]: value })).toEqual(['4710', parameter]);
    expect(await ask({ action: 'live_stream', filter: '1' })).toEqual(before);
    expect((await send({ ...creation, [parameter]: value })).body).not.toContain('secret');
  });

  it('can be rated, be favourites, and be found by that', async () => {
    expect(await ask({ action: 'rate', type: 'live_stream', filter: '2', rating: '4' })).toEqual({ success: 'rating set to 4 for 2' });
    expect(await ask({ action: 'flag', type: 'stream', filter: '2', flag: '1' })).toEqual({ success: 'flag ADDED to 2' });
    expect(commands.sent.slice(-2).map(({ message }) => message.data)).toMatchObject([
      { kind: 'live_stream', objectId: 2 },
      { objects: [{ kind: 'live_stream', objectId: 2 }] },
    ]);
    await model.write.insertInto('social.user_flag').values({ user_id: 1, kind: 'live_stream', object_id: 2, flagged_at_ms: 1 }).execute();
    expect(await idsOf({ cond: 'user_flag,1' })).toEqual(['2']);
    expect(await idsOf({ sort: 'userflag,DESC' })).toEqual(['2', '1']);
    await model.write.deleteFrom('social.user_flag').execute();
  });

  it('stand in collections', async () => {
    await insertCollection(model.write, { id: 1, name: 'Radio', owner_id: 1, member_count: 1 });
    await model.write
      .insertInto('library.collection_member')
      .values({ collection_id: 1, entry: 1, object_kind: 'live_stream', object_id: 1 })
      .execute();
    const held = await ask<{ collection: { contents: object[] } }>({ action: 'collection_items', filter: '1' });
    expect(held.collection.contents).toMatchObject([{ object_type: 'live_stream', live_stream: { id: '1', codec: 'mp3' } }]);
    const added = { action: 'collection_add', filter: '1', object_type: 'live_stream' };
    expect(await ask({ ...added, id: '2' })).toEqual({ success: 'item added to collection' });
    expect(await faultOf({ ...added, id: '99' })).toEqual(['4704', 'id']);
  });

  it.each(['0', '-1', '99', '2.5', 'x', "1'; --", '99999999999999999999', '📻'])('are none under %j', async (filter) => {
    for (const action of ['live_stream', 'live_stream_edit', 'live_stream_delete'])
      expect([action, await faultOf({ action, filter })]).toEqual([action, ['4704', 'filter']]);
    expect((await send({ action: 'get_art', type: 'live_stream', filter })).statusCode).toBe(404);
  });
});

describe('what a station plays', () => {
  it('is told to who asks for it, where the station says it', async () => {
    const asked: string[] = [];
    const titleAt = async (url: string): Promise<string | undefined> => {
      asked.push(url);
      return url.endsWith('.ogg') ? 'Anna <& Bert> - First day' : undefined;
    };
    const auth = fixedAuth([...Object.values(testAccounts), keeper]);
    const server = await startTestGateway(model.read, { auth, stationTitles: { titleAt } });
    const station = { action: 'live_stream', include: 'now_playing' };
    expect(await ask({ ...station, filter: '2' }, { server })).toMatchObject({ id: '2', now_playing: 'Anna <& Bert> - First day' });
    expect(await ask({ ...station, filter: '1' }, { server })).toMatchObject({ id: '1', now_playing: null });
    expect(asked).toHaveLength(2);
    expect(await ask({ action: 'live_stream', filter: '2' }, { server })).not.toHaveProperty('now_playing');
    expect(await faultOf({ ...station, filter: '1' }, { server, ...theirs })).toEqual(['4704', 'filter']);
    expect(asked).toHaveLength(2);
    await server.stop();
  });
});

describe('the play address of a station', () => {
  const play = (query: string, server = gateway) => server.app.inject(`/play/index.php?type=live_stream&${query}`);
  it('sends there, and does not tell the station whence', async () => {
    const { statusCode, headers, body } = await play('ssid=admin-token&oid=2');
    expect([statusCode, headers['location'], headers['referrer-policy'], headers['cache-control'], body]).toEqual([
      302,
      'http://fm.example/live.ogg',
      'no-referrer',
      'private, no-store',
      '',
    ]);
    expect((await gateway.app.inject('/play/ssid/admin-token/type/live_stream/oid/2')).headers['location']).toBe(headers['location']);
  });
  it('is only for who may see it, and where there are stations', async () => {
    expect((await play('ssid=keeper-token&oid=1')).statusCode).toBe(404);
    expect((await play('ssid=keeper-token&oid=2')).statusCode).toBe(302);
    expect((await play('ssid=nobody&oid=2')).statusCode).toBe(403);
    expect((await play('ssid=admin-token')).statusCode).toBe(400);
    expect((await play('ssid=admin-token&oid=99')).statusCode).toBe(404);
    expect((await play('ssid=admin-token&oid=2', switchedOff)).statusCode).toBe(403);
  });
});

describe('a station on the server’s player', () => {
  it('is queued under an address of this server that sends the player on', async () => {
    await ask({ action: 'localplay', command: 'add', type: 'live_stream', filter: '2' });
    const told = player.told.at(-1);
    const [item] = told?.type === 'add' ? told.items : [];
    expect(item).toMatchObject({ title: 'Été FM' });
    const address = new URL(item?.url ?? '');
    expect(address.host).toBe('open.example');
    expect(address.searchParams.get('type')).toBe('live_stream');
    player.entries = [{ url: item?.url ?? '', title: 'as the player knows it', artist: '', album: '' }];
    const queue = async (call?: Call) => (await ask<{ localplay_songs: object[] }>({ action: 'localplay_songs' }, call)).localplay_songs[0];
    expect(await queue()).toMatchObject({ id: 2, oid: 2, name: 'as the player knows it', raw: 'http://fm.example/live.ogg', link: null });
    expect(await queue({ server: switchedOff })).toMatchObject({ id: 0, name: 'Unknown', raw: '' });
    expect(await faultOf({ action: 'localplay', command: 'add', type: 'live_stream', filter: '99' })).toEqual(['4704', 'filter']);
  });
});
