import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { controlPlayer, Rejection } from '@continuo/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { compatServer, type CallParams, type CompatServer, type TestAccount } from '../../../test/servers/compat-server.js';
import { seedFixtureLibrary } from '../../../test/library/fixture-library.js';
import { fixtureSongs } from '../../../test/library/fixture-songs.js';
import { seedFixtureVideos } from '../../../test/library/fixture-videos.js';
import { expectGolden } from '../../../test/goldens/golden.js';
import { queuedEntry, IdlePlayer, idlePlayer, withPlayer } from '../../../test/fakes/player-fixture.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { seedTestAccounts } from '../../../test/servers/test-gateway.js';
import { compatGoldens } from '../../../test/calls/compat/endpoint.cases.js';

/** Signing secret of the test server. */
const SECRET = 'x'.repeat(32);

let model: TestReadModel;
let server: CompatServer;
let player: IdlePlayer;
let folder: string;

beforeAll(async () => {
  model = await testReadModel();
  await seedFixtureLibrary(model.write, fixtureSongs);
  await seedFixtureVideos(model.write);
  await seedTestAccounts(model.write);
  folder = await mkdtemp(join(tmpdir(), 'continuo-jukebox-'));
  server = await compatServer(model.read, folder, { LOCALPLAY_CONTROLLER: 'mpd', LOCALPLAY_STREAM_URL: 'http://inside.example:4000/' });
});
afterAll(async () => {
  await server.app.close();
  await model.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  player = idlePlayer(SECRET);
  withPlayer(server.commands, player);
});

const answer = async (params: CallParams, as: TestAccount = 'ada', of: CompatServer = server) => {
  const { body } = await of.call('jukeboxControl', { f: 'json', ...params }, as);
  return (
    JSON.parse(body) as {
      'subsonic-response': { error?: { code: number }; jukeboxStatus?: object; jukeboxPlaylist?: { entry?: { id: string }[] } };
    }
  )['subsonic-response'];
};
const codeOf = async (params: CallParams, as?: TestAccount, of?: CompatServer) => (await answer(params, as, of)).error?.code;
const oids = (): string[] => {
  const action = player.told.at(-1);
  return action && 'items' in action
    ? action.items.map(({ url }) => `${new URL(url).searchParams.get('type')} ${new URL(url).searchParams.get('oid')}`)
    : [];
};

describe.each([
  ['opensubsonic', 'test'],
  ['subsonic', 'DSub'],
])('the jukebox in the form %s', (form, c) => {
  it.each(compatGoldens.jukebox)('$name', async ({ name, one: { params } }) => {
    for (const f of ['xml', 'json'] as const) {
      const { status, body } = await server.call('jukeboxControl', { ...params, f, c });
      expect(status).toBe(200);
      expectGolden('compat', name, { format: f, variant: form }, body);
    }
  });

  it('is empty', async () => {
    withPlayer(server.commands, new IdlePlayer([], { state: 'stop', volumePercent: null, positionMs: 0 }));
    for (const f of ['xml', 'json'] as const) {
      const { body } = await server.call('jukeboxControl', { action: 'get', f, c });
      expectGolden('compat', 'jukeboxControl-empty', { format: f, variant: form }, body);
    }
  });
});

describe('the jukebox', () => {
  it.each<[string, CallParams, object]>([
    ['start', {}, { type: 'play' }],
    // Clients that stop go on with start, where they were.
    ['stop', {}, { type: 'pause' }],
    ['clear', {}, { type: 'clear' }],
    ['shuffle', {}, { type: 'shuffle' }],
    ['remove', { index: 2 }, { type: 'remove', index: 2 }],
    ['skip', { index: 0 }, { type: 'skip', index: 0, offsetMs: 0 }],
    ['skip', { index: 3, offset: 61 }, { type: 'skip', index: 3, offsetMs: 61_000 }],
    ['setgain', { gain: '1.0' }, { type: 'volume', percent: 100 }],
    ['setGain', { gain: '.5' }, { type: 'volume', percent: 50 }],
    ['setGain', { gain: 0 }, { type: 'volume', percent: 0 }],
  ])('%s with %j tells the player %j', async (action, params, told) => {
    expect((await answer({ action, ...params })).jukeboxStatus).toMatchObject({ playing: true, gain: 0.27, currentIndex: 0, position: 12 });
    expect(player.told).toEqual([told]);
  });

  it('queues what ids name, in their order and as often as they come', async () => {
    await answer({ action: 'add', id: ['so-2', '1', 'vi-1', 'so-2'] });
    expect(player.told).toMatchObject([{ type: 'add', isInstead: false }]);
    expect(oids()).toEqual(['song 2', 'song 1', 'video 1', 'song 2']);
    await answer({ action: 'set', id: ['so-3'] });
    expect(player.told.at(-1)).toMatchObject({ type: 'replace' });
    expect(oids()).toEqual(['song 3']);
  });

  it('gives the player addresses of its own for this server, never those that a client names', async () => {
    await server.app.inject({
      url: '/rest/jukeboxControl?u=ada&p=secret&v=1.16.1&c=x&action=add&id=so-1',
      headers: { host: 'evil.example' },
    });
    const [action] = player.told;
    const [item] = action?.type === 'add' ? action.items : [];
    expect(item?.url).toMatch(
      /^http:\/\/inside\.example:4000\/play\/index\.php\?ssid=l-1-[a-z0-9]+-[0-9a-f]{40}&type=song&oid=1&format=raw&client=localplay&name=/,
    );
    expect(item).toMatchObject({ title: 'Opening Æther', album: 'The Long Night' });
  });

  it('queues any number of songs, in commands that fit into messages', async () => {
    const id = Array.from({ length: 1203 }, (_, n) => `so-${1 + (n % 3)}`);
    const body = new URLSearchParams([['action', 'set'], ...id.map((one): [string, string] => ['id', one])]).toString();
    await server.app.inject({
      method: 'POST',
      url: '/rest/jukeboxControl?u=ada&p=secret&v=1.16.1&c=x',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: body,
    });
    expect(player.told.map((action) => ('items' in action ? [action.type, action.items.length] : []))).toEqual([
      ['replace', 500],
      ['add', 500],
      ['add', 203],
    ]);
  });

  it('has a song sent from where it is to begin, where players cannot seek in its file', async () => {
    const { rows } = await sql<{ id: number }>`select id from library.song where title = 'untitled take'`.execute(model.read);
    const ogg = queuedEntry('song', rows[0]?.id ?? 0, { secret: SECRET });
    withPlayer(server.commands, (player = new IdlePlayer([queuedEntry('song', 1, { secret: SECRET }), ogg], { index: 1, current: ogg })));
    await answer({ action: 'skip', index: 1, offset: 33 });
    const [first, second] = player.told;
    expect(second).toEqual({ type: 'skip', index: 1, offsetMs: 0 });
    expect(first).toMatchObject({ type: 'substitute', index: 1 });
    const url = first?.type === 'substitute' ? first.item.url : '';
    expect(new URL(url).searchParams.get('frame')).toBe('33');
    // The player counts from the beginning of what it was sent.
    const begun = { ...ogg, url };
    withPlayer(server.commands, (player = new IdlePlayer([begun], { current: begun })));
    expect((await answer({ action: 'status' })).jukeboxStatus).toMatchObject({ position: 12 + 33 });
    // From its beginning the file itself is played again.
    await answer({ action: 'skip', index: 0 });
    const [again] = player.told;
    expect(again?.type === 'substitute' ? new URL(again.item.url).searchParams.get('format') : undefined).toBe('raw');
  });

  it('shows a queue that is longer than a message', async () => {
    withPlayer(server.commands, new IdlePlayer(Array.from({ length: 2500 }, () => queuedEntry('song', 2, { secret: SECRET }))));
    const { jukeboxPlaylist } = await answer({ action: 'get' });
    expect(jukeboxPlaylist?.entry).toHaveLength(2500);
    expect(new Set(jukeboxPlaylist?.entry?.map(({ id }) => id))).toEqual(new Set(['so-2']));
  });

  it.each<[CallParams, number]>([
    [{ action: 'remove' }, 10],
    [{ action: 'remove', index: -1 }, 10],
    [{ action: 'skip', index: 'first' }, 10],
    [{ action: 'set' }, 10],
    [{ action: 'add', id: 'al-1' }, 70],
    [{ action: 'add', id: 'nonsense' }, 70],
    [{ action: 'setGain' }, 10],
    [{ action: 'setGain', gain: '-0.1' }, 10],
    [{ action: 'setGain', gain: 'NaN' }, 10],
    [{ action: 'setGain', gain: '1e-3' }, 10],
  ])('refuses %j with %d and tells the player nothing', async (params, code) => {
    expect(await codeOf(params)).toBe(code);
    expect(player.told).toEqual([]);
  });

  it('says what the player would not do', async () => {
    player.isWilling = false;
    expect(await codeOf({ action: 'skip', index: 99 })).toBe(70);
    expect(await codeOf({ action: 'remove', index: 99 })).toBe(70);
    expect(await codeOf({ action: 'setGain', gain: 1 })).toBe(0);
    expect(await codeOf({ action: 'add', id: 'so-1' })).toBe(0);
    // Nothing to be stopped is nothing to be told.
    expect(await codeOf({ action: 'stop' })).toBeUndefined();
  });

  it('says that the player does not answer', async () => {
    server.commands.handle(controlPlayer, () => Promise.reject(new Rejection('player.unreachable')));
    expect(await codeOf({ action: 'start' })).toBe(0);
  });

  it('is for those whose level is high enough, and their role says so', async () => {
    const roleOf = async (name: TestAccount) => {
      const { body } = await server.call('getUser', { f: 'json', username: name }, name);
      return (JSON.parse(body) as { 'subsonic-response': { user: { jukeboxRole: boolean } } })['subsonic-response'].user.jukeboxRole;
    };
    expect([await roleOf('ada'), await roleOf('mia'), await roleOf('bob')]).toEqual([true, false, false]);
    for (const name of ['mia', 'bob', 'gus'] as const) expect(await codeOf({ action: 'status' }, name)).toBe(50);
    expect(player.told).toEqual([]);
  });

  it('is not there without a player', async () => {
    const without = await compatServer(model.read, folder);
    expect(await codeOf({ action: 'status' }, 'ada', without)).toBe(50);
    await without.app.close();
  });
});
