import { InMemoryCommandClient } from '@continuo/chassis/testkit';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedFixtureLibrary } from '../../../test/library/fixture-library.js';
import { fixtureSongs } from '../../../test/library/fixture-songs.js';
import { seedFixtureVideos } from '../../../test/library/fixture-videos.js';
import { withPlayback } from '../../../test/library/playback-fixture.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { fixedAuth, seedTestAccounts, startTestGateway, testAccounts, type TestGateway } from '../../../test/servers/test-gateway.js';

const BYTES = Buffer.from('0123456789 the bytes of a video');
const insider = { id: 7, username: 'insider', access: 25, token: 'insider-token', catalogs: [2] } as const;

let model: TestReadModel;
let folder: string;
let gateway: TestGateway;
let switchedOff: TestGateway;

beforeAll(async () => {
  model = await testReadModel();
  folder = await mkdtemp(join(tmpdir(), 'continuo-video-'));
  await seedFixtureLibrary(model.write, fixtureSongs);
  await seedFixtureVideos(model.write);
  await seedTestAccounts(model.write);
  await sql`update library.catalog set path = ${folder}, gather_types = 'video' where id = 2`.execute(model.write);
  await mkdir(join(folder, 'Clips'));
  await writeFile(join(folder, 'Clips/clip.ogv'), BYTES);
  const auth = fixedAuth([...Object.values(testAccounts), insider]);
  gateway = await startTestGateway(model.read, { auth, commands });
  switchedOff = await startTestGateway(model.read, { auth, settings: { ALLOW_VIDEO: false } });
});
afterAll(async () => {
  await gateway.stop();
  await switchedOff.stop();
  await model.close();
  await rm(folder, { recursive: true });
});

const commands = withPlayback(new InMemoryCommandClient());

const url = (query: string, version = '8.0.0'): string => `/server/json.server.php?version=${version}&${query}`;
const send = (
  query: string,
  { token = 'admin-token', range = '', server = gateway }: { token?: string; range?: string; server?: TestGateway } = {},
) => server.app.inject({ url: url(query), headers: { authorization: `Bearer ${token}`, ...(range ? { range } : {}) } });
const ask = async <T>(query: string, token?: string): Promise<T> => (await send(query, token ? { token } : {})).json<T>();
const idsOf = async (action: string, token?: string): Promise<string[]> =>
  (await ask<{ video: { id: string }[] }>(action, token)).video.map(({ id }) => id);

/** Every way of the native API that speaks of videos. */
const ways = [
  'action=videos',
  'action=video&filter=1',
  'action=deleted_videos',
  'action=list&type=video',
  'action=index&type=VIDEO',
  'action=stats&type=video&filter=newest',
  'action=search&type=video&rule_1=file&rule_1_operator=0&rule_1_input=m',
  'action=search_group&type=video&rule_1=file&rule_1_operator=0&rule_1_input=m',
  'action=search_rules&filter=video',
  'action=browse&type=catalog&filter=2',
  'action=stream&type=video&filter=2',
  'action=download&type=video&filter=2',
  'action=random&type=video',
  'action=get_art&type=video&filter=2',
  'action=flag&type=video&filter=2&flag=1',
  'action=rate&type=video&filter=2&rating=1',
];

describe('videos', () => {
  it.each(ways)('answer 4703 where they are switched off: %s', async (query) => {
    const answer = await send(query, { server: switchedOff });
    expect(answer.json()).toMatchObject({ error: { errorCode: '4703', errorMessage: 'Enable: video' } });
  });

  it('are left out of walks and of the other API where they are switched off', async () => {
    const walk = await send('action=browse', { server: switchedOff });
    expect(walk.json<{ browse: { id: string }[] }>().browse.map(({ id }) => id)).toEqual(['1']);
    expect((await switchedOff.app.inject('/play/index.php?ssid=admin-token&type=video&oid=2')).statusCode).toBe(403);
  });

  it('are those of the catalogs that the caller sees', async () => {
    expect(await idsOf('action=videos')).toEqual(['1', '2']);
    expect(await idsOf('action=videos', insider.token)).toEqual(['2']);
    expect(await idsOf('action=stats&type=video&filter=newest', insider.token)).toEqual(['2']);
    expect(await idsOf('action=search&type=video&rule_1=file&rule_1_operator=1&rule_1_input=zz', insider.token)).toEqual(['2']);
    expect(await ask('action=index&type=video', insider.token)).toEqual({ video: ['2'] });
    expect((await ask<{ list: { id: string }[] }>('action=list&type=video', insider.token)).list.map(({ id }) => id)).toEqual(['2']);
    expect(await ask('action=deleted_videos', insider.token)).toMatchObject({ total_count: 0 });
    expect(await ask('action=handshake', insider.token)).toMatchObject({ videos: 1, max_video: 2 });
    for (const query of [
      'video&filter=1',
      'stream&type=video&filter=1',
      'flag&type=video&filter=1&flag=1',
      'rate&type=video&filter=1&rating=3',
    ])
      expect(await ask(`action=${query}`, insider.token)).toMatchObject({ error: { errorCode: '4704' } });
    expect((await gateway.app.inject('/play/index.php?ssid=insider-token&type=video&oid=1')).statusCode).toBe(404);
    const [genre] = (await ask<{ genre: { videos: number }[] }>('action=genres&sort=video,DESC')).genre;
    expect(genre?.videos).toBe(1);
    const theirs = (await ask<{ genre?: { videos: number }[] }>('action=genres', insider.token)).genre ?? [];
    expect(theirs.filter(({ videos }) => videos > 0)).toEqual([]);
  });

  it('lie in their folders', async () => {
    const folders = async (filter: string) =>
      (
        await ask<{ folder: { time: number; items: { id: string; object_type: string; title: string; play_url: string }[] } }>(
          `action=folders&filter=${filter}`,
        )
      ).folder;
    const { items, time } = await folders('1');
    const own = items.find(({ id, object_type }) => object_type === 'video' && id === '1');
    expect(own).toMatchObject({ id: '1', title: 'The <Long> Film.mp4', play_url: expect.stringContaining('type=video&oid=1') });
    expect(items.at(-1)).toEqual(own);
    expect(time).toBeGreaterThan(0);
    const off = await send('action=folders&filter=1', { server: switchedOff });
    const shown = off.json<{ folder: { items: { object_type: string }[] } }>().folder.items;
    expect(shown).toEqual(items.filter(({ object_type }) => object_type !== 'video'));
  });

  it('are walked to from their catalog', async () => {
    expect(await ask('action=browse&type=catalog&filter=2')).toMatchObject({
      parent_type: 'catalog',
      child_type: 'video',
      browse: [{ id: '2', name: 'clip' }],
    });
  });

  it.each(['action=stream&type=video&filter=2', 'action=download&type=video&filter=2'])('are sent as they are: %s', async (query) => {
    const whole = await send(query);
    expect([whole.statusCode, whole.headers['content-type'], whole.rawPayload]).toEqual([200, 'video/ogg', BYTES]);
    const part = await send(query, { range: 'bytes=2-5' });
    expect([part.statusCode, part.headers['content-range'], part.body]).toEqual([206, `bytes 2-5/${BYTES.length}`, '2345']);
    expect((await send(query, { range: 'bytes=999-' })).statusCode).toBe(416);
  });

  it('play at the address that they name, by chance too, and have no picture yet', async () => {
    const { url: address } = await ask<{ url: string }>('action=video&filter=2');
    const played = await gateway.app.inject(address.replace(/^https?:\/\/[^/]+/, ''));
    expect([played.statusCode, played.rawPayload]).toEqual([200, BYTES]);
    expect((await send('action=random&type=video', { token: insider.token })).rawPayload).toEqual(BYTES);
    expect((await gateway.app.inject('/play/index.php?ssid=insider-token&type=video&random=1')).rawPayload).toEqual(BYTES);
    expect((await send('action=get_art&type=video&filter=2')).statusCode).toBe(404);
    expect((await gateway.app.inject('/play/index.php?ssid=admin-token&type=video')).statusCode).toBe(400);
    // The file of the other one is not there.
    expect((await send('action=stream&type=video&filter=1')).statusCode).toBe(404);
  });

  it.each(['0', '-1', '99', '2.5', 'x', "1'; --", '99999999999999999999', '🎬'])('refuse %j', async (filter) => {
    const query = `type=video&filter=${encodeURIComponent(filter)}`;
    expect((await send(`action=get_art&${query}`)).statusCode).toBe(404);
    for (const action of ['video', 'stream', 'download']) {
      const answer = await send(`action=${action}&${query}`);
      expect([action, answer.statusCode < 500]).toEqual([action, true]);
      expect(answer.json()).toMatchObject({ error: { errorCode: '4704' } });
    }
  });
});

describe('plays of videos', () => {
  // Whoever streamed one before plays it still.
  const listener = { token: testAccounts.listener.token };
  const told = () => commands.sent.map(({ subject, message }) => [subject.split('.').at(-1), message.data]);
  it('are told when they are streamed, and shown with player', async () => {
    const since = commands.sent.length;
    await send('action=stream&type=video&filter=2', listener);
    await send('action=stream&type=video&filter=2', { ...listener, range: 'bytes=2-' });
    const video = { userId: 2, client: 'spec', objectType: 'video', objectId: 2 };
    expect(told().slice(since)).toMatchObject([['start-playback', { ...video, isNow: true, play: {} }]]);
    await send('action=player&type=video&filter=2&state=play', listener);
    await send('action=player&type=video&filter=2&state=stop', listener);
    expect(told().slice(since + 1)).toMatchObject([
      ['start-playback', { ...video, isNow: true, play: {} }],
      ['stop-playback', video],
    ]);
  });
  it('are added up over everybody', async () => {
    const plays = [
      { object_type: 'video', object_id: 1, user_id: 1, play_count: 2, last_played_at_ms: 1_700_000_000_000 },
      { object_type: 'video', object_id: 1, user_id: 2, play_count: 3, last_played_at_ms: 1_600_000_000_000 },
    ];
    await model.write.insertInto('playback.media_plays').values(plays).execute();
    expect(await ask('action=video&filter=1')).toMatchObject({ playcount: 5, last_played: '2023-11-14T22:13:20+00:00' });
    await model.write.deleteFrom('playback.media_plays').execute();
    expect(await ask('action=video&filter=1')).toMatchObject({ playcount: 0, last_played: null });
  });
  it('are nobody’s business where there are no videos', async () => {
    const answer = await send('action=player&type=video&filter=2', { server: switchedOff });
    expect(answer.json()).toMatchObject({ error: { errorCode: '4703' } });
  });
});
