import { InMemoryCommandClient } from '@continuo/chassis/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedFixtureLibrary } from '../../../test/library/fixture-library.js';
import { fixtureSongs } from '../../../test/library/fixture-songs.js';
import { seedPlayback, withPlayback } from '../../../test/library/playback-fixture.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { seedTestAccounts, startTestGateway, TEST_NOW_MS, testAccounts, type TestGateway } from '../../../test/servers/test-gateway.js';

const commands = withPlayback(new InMemoryCommandClient());
let model: TestReadModel;
let gateway: TestGateway;

beforeAll(async () => {
  model = await testReadModel();
  await seedFixtureLibrary(model.write, fixtureSongs);
  await seedTestAccounts(model.write);
  await seedPlayback(model.write);
  gateway = await startTestGateway(model.read, { commands });
});
afterAll(async () => {
  await gateway.stop();
  await model.close();
});

interface Options {
  readonly version?: string;
  readonly as?: keyof typeof testAccounts;
}

type Answer = Record<string, unknown> & { readonly error?: { readonly errorCode: string; readonly errorType: string } };
const call = async (query: string, { version = '8.0.0', as = 'admin' }: Options = {}): Promise<Answer> => {
  const url = `/server/json.server.php?version=${version}&action=${query}`;
  const answer = await gateway.app.inject({ url, headers: { authorization: `Bearer ${testAccounts[as].token}` } });
  expect(answer.statusCode).toBe(200);
  return answer.json();
};
const refusal = async (query: string, options?: Options): Promise<unknown[]> => {
  const sent = commands.sent.length;
  const { error } = await call(query, options);
  expect(commands.sent).toHaveLength(sent);
  return [error?.errorCode, error?.errorType];
};
const told = () => ({ subject: commands.sent.at(-1)?.subject, data: commands.sent.at(-1)?.message.data });
const SONG_MS = 181_400;

describe('record_play', () => {
  it('tells of a play now, which nothing turns into a skip', async () => {
    await call('record_play&filter=1');
    expect(told()).toEqual({
      subject: 'cmd.playback.start-playback',
      data: {
        userId: 1,
        client: 'spec',
        objectType: 'song',
        objectId: 1,
        startedAtMs: TEST_NOW_MS,
        durationMs: SONG_MS,
        isNow: true,
        play: {},
      },
    });
  });
  it('takes an earlier date, and none that is still to come', async () => {
    await call('record_play&filter=1&date=1700000000');
    expect(told().data).toMatchObject({ startedAtMs: 1_700_000_000_000, isNow: false });
    await call('record_play&filter=1&date=99999999999');
    expect(told().data).toMatchObject({ startedAtMs: TEST_NOW_MS });
  });
  it('is for somebody else when an administrator says so', async () => {
    expect(await call('record_play&filter=1&user=LISTENER')).toEqual({ success: 'successfully recorded play: 1 for: listener' });
    expect(told().data).toMatchObject({ userId: 2 });
    await call('record_play&filter=1&user=2');
    expect(told().data).toMatchObject({ userId: 2 });
    expect(await call('record_play&filter=1&user=listener', { as: 'listener' })).toHaveProperty('success');
  });
  it.each([
    ['record_play', '4710', 'system'],
    ['record_play&filter=999', '4704', 'filter'],
    ['record_play&filter=1;drop', '4704', 'filter'],
    ['record_play&filter=1&date=yesterday', '4710', 'date'],
    ['record_play&filter=1&user=nobody', '4704', 'user'],
  ])('refuses %s', async (query, ...expected) => expect(await refusal(query)).toEqual(expected));
  it('lets nobody else record for others, nor find out who there is', async () => {
    expect(await refusal('record_play&filter=1&user=admin', { as: 'listener' })).toEqual(['4742', 'account']);
    expect(await refusal('record_play&filter=1&user=nobody', { as: 'listener' })).toEqual(['4742', 'account']);
  });
});

describe('scrobble', () => {
  const names = (song: string, artist: string, album: string, more = ''): string =>
    `scrobble&song=${encodeURIComponent(song)}&artist=${encodeURIComponent(artist)}&album=${encodeURIComponent(album)}${more}`;
  it.each([
    ['as it is spelt', names('Opening Æther', 'The Harbour Lights', 'The Long Night')],
    ['without articles, accents and capitals', names('opening aether', 'harbour lights', 'long night')],
    ['by another artist of the song', names('Opening Æther', 'Zoë Quill', 'The Long Night')],
    ['with a MusicBrainz id', names('Opening Æther', 'Zoë Quill', 'The Long Night', '&song_mbid=11111111-2222-4333-8444-555555555555')],
  ])('finds a song %s', async (_, query) => {
    expect(await call(query)).toEqual({ success: 'successfully scrobbled: 1' });
    expect(told().data).toMatchObject({ objectId: 1 });
    expect(told().data).toHaveProperty('play', {});
  });
  it.each([
    ['another album', names('Opening Æther', 'The Harbour Lights', 'Ports')],
    ['another artist', names('Opening Æther', 'Anna Été', 'The Long Night')],
    ['part of a title', names('Opening', 'The Harbour Lights', 'The Long Night')],
    ['a pattern', names('%', '%', '%')],
    ['another MusicBrainz id', names('Opening Æther', 'Zoë Quill', 'The Long Night', '&songmbid=0')],
  ])('finds none for %s', async (_, query) => expect(await refusal(query)).toEqual(['4704', 'song']));
  it('wants all three names', async () => expect(await refusal('scrobble&song=x&artist=y')).toEqual(['4710', 'system']));
});

describe('player', () => {
  it('tells when the song began, and answers what the caller plays', async () => {
    const answer = await call('player&filter=2&state=play&time=60', { as: 'listener' });
    expect(told().data).toMatchObject({ objectId: 2, startedAtMs: TEST_NOW_MS - 60_000, isNow: true, play: { skipWindowMs: 20_000 } });
    expect(answer['now_playing']).toMatchObject([{ id: '2', user: { username: 'listener' } }]);
    await call('player&filter=2&time=99999', { as: 'listener' });
    expect(told().data).toMatchObject({ startedAtMs: TEST_NOW_MS - SONG_MS, isNow: false });
  });
  it('stops', async () => {
    await call('player&filter=2&state=stop');
    expect(told()).toEqual({
      subject: 'cmd.playback.stop-playback',
      data: { userId: 1, client: 'spec', objectType: 'song', objectId: 2 },
    });
  });
  it.each([
    ['player', '4710', 'system'],
    ['player&filter=999', '4704', 'filter'],
    ['player&filter=1&state=paused', '4710', 'state'],
    ['player&filter=1&time=-5', '4710', 'time'],
    ['player&filter=1&type=tape', '4710', 'type'],
    ['player&filter=1&type=video', '4704', 'filter'],
    ['player&filter=1&type=podcast_episode', '4704', 'filter'],
  ])('refuses %s', async (query, ...expected) => expect(await refusal(query)).toEqual(expected));
});

describe('stats', () => {
  const ids = async (query: string, options?: Options): Promise<unknown> => {
    const answer = await call(`stats&${query}`, options);
    const list = answer['song'] ?? answer['album'] ?? answer['artist'];
    return Array.isArray(list) ? list.map(({ id }: { id: string }) => id) : answer;
  };
  it('answers ten unless it is said, and everything for -1', async () => {
    expect(await ids('type=song&filter=newest&limit=2')).toHaveLength(2);
    expect(await ids('type=song&filter=random&limit=-1')).toHaveLength(5);
    expect(await ids('type=song&limit=0')).toHaveLength(5);
  });
  it('is of a person, by id or name', async () => {
    expect(await ids('type=song&filter=frequent')).toEqual(['2', '1', '3']);
    expect(await ids('type=song&filter=frequent&user_id=2')).toEqual(['1', '2']);
    expect(await ids('type=song&filter=frequent&username=admin')).toEqual(['3', '2']);
    expect(await refusal('stats&type=song&filter=frequent&username=nobody')).toEqual(['4704', 'username']);
    expect(await refusal('stats&type=song&filter=frequent&user_id=99')).toEqual(['4704', 'user_id']);
  });
  it('thins out and reorders a page, and adds nothing to it', async () => {
    expect(await ids('type=song&filter=frequent&limit=2&sort=id,ASC')).toEqual(['1', '2']);
    expect(await ids('type=song&filter=frequent&limit=2&cond=catalog,1')).toEqual(['2', '1']);
    expect(await ids('type=song&filter=frequent&limit=1&cond=id,3')).toEqual([]);
    // Versions before 6 do not have them.
    expect(await ids('type=song&filter=frequent&limit=2&sort=id,ASC', { version: '5.5.6' })).toEqual(['2', '1']);
  });
  it('falls back to chance for an unknown order', async () =>
    expect((await ids('type=album&filter=loudest&limit=-1')) as string[]).toHaveLength(4));
  it.each([
    ['stats', '4710', 'system'],
    ['stats&type=tape', '4710', 'type'],
  ])('refuses %s', async (query, ...expected) => expect(await refusal(query)).toEqual(expected));
});

describe('get_similar', () => {
  it.each([
    ['get_similar&type=song', '4710', 'system'],
    ['get_similar&filter=1', '4710', 'system'],
    ['get_similar&type=album&filter=1', '4710', 'type'],
    ['get_similar&type=song&filter=999', '4704', 'filter'],
    ['get_similar&type=artist&filter=%27', '4704', 'filter'],
  ])('refuses %s', async (query, ...expected) => expect(await refusal(query)).toEqual(expected));
  it('pages after it has chosen', async () => {
    const all = (await call('get_similar&type=song&filter=1'))['song'] as { id: string }[];
    const page = await call('get_similar&type=song&filter=1&offset=1&limit=1');
    expect((page['song'] as { id: string }[]).map(({ id }) => id)).toEqual(all.slice(1, 2).map(({ id }) => id));
    expect(page['total_count']).toBe(all.length);
  });
});

describe('download', () => {
  it('wants a type before version 8', async () => {
    const statusOf = async (version: string) =>
      (
        await gateway.app.inject({
          url: `/server/json.server.php?version=${version}&action=download&id=999`,
          headers: { authorization: `Bearer ${testAccounts.admin.token}` },
        })
      ).statusCode;
    expect([await statusOf('6.0.0'), await statusOf('8.0.0')]).toEqual([400, 404]);
  });
});
