import { InMemoryCommandClient } from '@continuo/chassis/testkit';
import { controlPlayer, readPlayer, Rejection } from '@continuo/contracts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { seedFixtureLibrary } from '../../../test/library/fixture-library.js';
import { fixtureSongs } from '../../../test/library/fixture-songs.js';
import { queuedEntry, IdlePlayer, idlePlayer, withPlayer } from '../../../test/fakes/player-fixture.js';
import { insertEpisode, insertPodcast } from '../../../test/library/podcast-fixture.js';
import { insertPlaylist } from '../../../test/library/playlist-fixture.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { seedTestAccounts, startTestGateway, testAccounts, type TestGateway } from '../../../test/servers/test-gateway.js';
import { clientVersions } from '../../../test/calls/native/client-versions.js';

/** Their numbers (preferences.ts). */
const LEVEL = 91;
const ALLOWED = 92;

let model: TestReadModel;
let gateway: TestGateway;
let player: IdlePlayer;
const commands = new InMemoryCommandClient();

beforeAll(async () => {
  model = await testReadModel();
  await seedFixtureLibrary(model.write, fixtureSongs);
  await seedTestAccounts(model.write);
  await insertPlaylist(model.write, { id: 1, name: 'Two', owner_id: 1 }, [3, 1]);
  await insertPodcast(model.write, { id: 1, catalog_id: 1, title: 'Garden Talk' });
  await insertEpisode(model.write, { id: 1, podcast_id: 1, catalog_id: 1, title: 'Roses', media_url: 'http://pub.example/1.mp3' });
});
beforeEach(async () => {
  player = idlePlayer();
  withPlayer(commands, player);
  gateway = await startTestGateway(model.read, {
    commands,
    settings: { LOCALPLAY_CONTROLLER: 'mpd', PUBLIC_URL: 'http://open.example' },
  });
});
afterEach(async () => {
  await gateway.stop();
  await model.write.deleteFrom('social.user_preference').execute();
});
afterAll(() => model.close());

type As = keyof typeof testAccounts;
type Answer = { readonly localplay?: { readonly command: Record<string, unknown> }; readonly error?: Record<string, string> };

const call = async (query: string, as: As = 'admin', version: keyof typeof clientVersions = 8): Promise<Answer> => {
  const format = version === 3 ? 'xml' : 'json';
  const { body } = await gateway.app.inject({
    url: `/server/${format}.server.php?version=${clientVersions[version]}&${query}`,
    headers: { authorization: `Bearer ${testAccounts[as].token}` },
  });
  return version === 3 ? { error: { xml: body } } : (JSON.parse(body) as Answer);
};
const command = async (query: string, as?: As) => (await call(`action=localplay&command=${query}`, as)).localplay?.command;
const errorOf = async (query: string, as?: As, version?: keyof typeof clientVersions): Promise<(string | undefined)[] | undefined> => {
  const { error } = await call(`action=localplay&command=${query}`, as, version);
  if (error === undefined || error['errorCode'] !== undefined)
    return error && [error['errorCode'], error['errorType'], error['errorMessage']];
  return Object.values(error);
};
const prefer = (preferenceId: number, value: string, userId = 0) =>
  model.write.insertInto('social.user_preference').values({ user_id: userId, preference_id: preferenceId, value }).execute();
const queued = (): string[] => {
  const action = player.told.at(-1);
  return action && 'items' in action ? action.items.map(({ url }) => new URL(url).searchParams.get('oid') ?? '') : [];
};

describe('localplay', () => {
  it.each<[string, object]>([
    ['next', { type: 'next' }],
    ['prev', { type: 'previous' }],
    ['stop', { type: 'stop' }],
    ['play', { type: 'play' }],
    ['pause', { type: 'pause' }],
    ['volume_up', { type: 'volume-by', percent: 5 }],
    ['volume_down', { type: 'volume-by', percent: -5 }],
    ['volume_mute', { type: 'volume', percent: 0 }],
    ['delete_all', { type: 'clear' }],
  ])('%s is %j to the player', async (name, told) => {
    expect(await command(name)).toEqual({ [name]: true });
    expect(player.told).toEqual([told]);
    player.isWilling = false;
    expect(await command(name)).toEqual({ [name]: false });
  });

  it('begins at the beginning when it comes to what was begun within before', async () => {
    const begun = queuedEntry('song', 1, { fromMs: 75_000 });
    withPlayer(commands, (player = new IdlePlayer([begun])));
    expect((await command('next'))?.['next']).toBe(true);
    expect(player.told.map(({ type }) => type)).toEqual(['next', 'substitute', 'skip']);
    expect(player.told[1]).toMatchObject({ index: 0 });
    expect(JSON.stringify(player.told[1])).not.toContain('frame');
  });

  it('skips to an entry, counted from 1', async () => {
    expect(await command('skip&track=3')).toEqual({ skip: true });
    expect(player.told).toEqual([{ type: 'skip', index: 2, offsetMs: 0 }]);
    for (const track of ['0', '-1', 'two', '1.5', ''])
      expect(await errorOf(`skip&track=${track}`)).toEqual([
        '4710',
        'track',
        `Bad Request: track must be the place of a song, from 1, was ${track || 'empty'}`,
      ]);
    expect(await errorOf('skip')).toEqual(['4710', 'system', 'Bad Request: track is missing']);
  });

  it.each<[string, readonly string[]]>([
    ['filter=2', ['2']],
    ['oid=2&type=song', ['2']],
    ['filter=1&type=album', ['1', '2']],
    ['filter=1&type=playlist', ['3', '1']],
  ])('queues %s', async (what, ids) => {
    expect(await command(`add&${what}`)).toEqual({ add: true });
    expect(player.told).toMatchObject([{ type: 'add', isInstead: false }]);
    expect(queued().slice(0, ids.length)).toEqual(ids);
    await command(`add&clear=1&${what}`);
    expect(player.told.at(-1)).toMatchObject({ type: 'add', isInstead: true });
  });

  it('empties no queue for what is not there', async () => {
    for (const query of [
      'add&clear=1&filter=999',
      'add&clear=1&filter=999&type=album',
      'add&clear=1&filter=nonsense',
      'add&clear=1&filter=9&type=democratic',
    ])
      expect((await errorOf(query))?.[0]).toBe('4704');
    expect(await errorOf('add&clear=1&filter=1&type=broadcast')).toEqual(['4703', 'system', 'Enable: broadcast']);
    expect((await errorOf('add&clear=1&filter=9&type=podcast_episode'))?.[0]).toBe('4704');
    expect((await errorOf('add&clear=1&filter=9&type=live_stream'))?.[0]).toBe('4704');
    expect(await errorOf('add&clear=1&filter=1&type=constructor')).toEqual([
      '4710',
      'type',
      expect.stringMatching(/^Bad Request: type must be one of .*, was constructor$/),
    ]);
    expect(player.told).toEqual([]);
  });

  it('queues an episode, and shows it to those who see it', async () => {
    expect(await command('add&filter=1&type=podcast_episode')).toEqual({ add: true });
    const [action] = player.told;
    const [item] = action && 'items' in action ? action.items : [];
    expect(item).toMatchObject({ title: 'Roses', album: 'Garden Talk' });
    expect(Object.fromEntries(new URL(item?.url ?? '').searchParams)).toMatchObject({
      type: 'podcast_episode',
      oid: '1',
      name: 'Garden Talk - Roses.mp3',
    });
    const other = new IdlePlayer([queuedEntry('podcast_episode', 1), queuedEntry('podcast_episode', 9)]);
    withPlayer(commands, other);
    expect((await command('status'))?.['status']).toMatchObject({ track_title: 'Roses', track_album: 'Garden Talk' });
    const { localplay_songs: things } = (await call('action=localplay_songs')) as {
      localplay_songs?: { oid: number; raw: string; name: string }[];
    };
    expect(things?.map(({ name }) => name)).toEqual(['Roses', 'Unknown']);
    expect(things?.[0]?.raw).toContain('type=podcast_episode');
    const jukebox = await gateway.app.inject({
      url: '/rest/jukeboxControl?action=get&v=1.16.1&c=spec&f=json',
      headers: { authorization: `Bearer ${testAccounts.admin.token}` },
    });
    expect(jukebox.json()).toMatchObject({
      'subsonic-response': { jukeboxPlaylist: { entry: [{ title: 'Roses' }, { title: 'Unknown' }] } },
    });
    await gateway.app.inject({
      url: '/rest/jukeboxControl?action=add&id=pe-1&v=1.16.1&c=spec&f=json',
      headers: { authorization: `Bearer ${testAccounts.admin.token}` },
    });
    expect(other.told).toMatchObject([{ type: 'add', items: [{ title: 'Roses' }] }]);
  });

  it('says that the player does not answer as a trouble of the account', async () => {
    commands.handle(controlPlayer, () => Promise.reject(new Rejection('player.unreachable')));
    commands.handle(readPlayer, () => Promise.reject(new Rejection('player.unreachable')));
    expect((await errorOf('play'))?.slice(0, 2)).toEqual(['4710', 'account']);
    expect((await errorOf('status'))?.slice(0, 2)).toEqual(['4710', 'account']);
    expect((await call('action=localplay_songs')).error).toMatchObject({ errorCode: '4710', errorType: 'account' });
  });

  it('tells nobody the addresses that the player has: they carry the token of whoever queued it', async () => {
    const { localplay_songs: songs } = (await call('action=localplay_songs')) as { localplay_songs?: { raw: string }[] };
    expect(songs?.[0]?.raw).toContain('ssid=admin-token');
    expect(JSON.stringify(songs)).not.toMatch(/ssid=l-|password|theirs/);
  });

  it('says nothing of what it knows no more', async () => {
    withPlayer(commands, new IdlePlayer([queuedEntry('song', 999)]));
    const status = (await command('status'))?.['status'];
    expect(status).toMatchObject({ track: 1, track_title: 'Unknown', track_artist: 'Unknown', track_album: 'Unknown' });
    withPlayer(commands, new IdlePlayer([], { state: 'stop', volumePercent: null }));
    expect((await command('status'))?.['status']).toMatchObject({ state: 'stop', volume: '100', track: 0, track_title: 'Unknown' });
  });
});

describe('who may', () => {
  it('is administrators, in every version, older ones too', async () => {
    expect(await errorOf('stop', 'listener')).toEqual(['4742', 'account', 'Require: 100']);
    for (const version of [3, 4, 5, 6, 8] as const)
      expect(JSON.stringify(await errorOf('stop', 'listener', version))).toMatch(/Require: 100|does not have access/);
    expect((await call('action=localplay_songs', 'listener')).error).toMatchObject({ errorCode: '4742' });
    expect(player.told).toEqual([]);
  });

  it('is decided before anything that was sent is looked at', async () => {
    for (const query of ['dance', 'skip', 'add', 'add&filter=999&type=podcast_episode'])
      expect((await errorOf(query, 'listener'))?.[0]).toBe('4742');
  });

  it.each([
    ['25', { stop: true }],
    ['50', undefined],
  ])('follows the preference localplay_level: %s', async (level, answer) => {
    await prefer(LEVEL, level);
    expect(await command('stop', 'listener')).toEqual(answer);
  });

  it('is nobody at all at level 0', async () => {
    await prefer(LEVEL, '0');
    expect(await errorOf('stop')).toEqual(['4703', 'system', 'Enable: localplay']);
    expect(await errorOf('stop', 'listener')).toEqual(['4703', 'system', 'Enable: localplay']);
  });

  it('may be an account that an administrator lets', async () => {
    await prefer(LEVEL, '5', testAccounts.listener.id);
    expect(await command('stop', 'listener')).toEqual({ stop: true });
  });

  it('is nobody when it is switched off, or nothing plays', async () => {
    await prefer(ALLOWED, '0');
    expect(await errorOf('stop')).toEqual(['4703', 'system', 'Enable: localplay']);
    await gateway.stop();
    gateway = await startTestGateway(model.read, { commands });
    expect(await errorOf('stop')).toEqual(['4703', 'system', 'Enable: localplay']);
    expect(player.told).toEqual([]);
  });
});
