import type { CommandClient } from '@continuo/chassis';
import { definePreference, removePreference, setPreference, type CommandDefinition } from '@continuo/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { seedFixtureLibrary } from '../../../test/library/fixture-library.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { nativePreferences } from '../../../test/api-facts/api-facts.js';
import { seedTestAccounts, startTestGateway, TEST_NOW_MS, testAccounts, type TestGateway } from '../../../test/servers/test-gateway.js';

let model: TestReadModel;
let gateway: TestGateway;
const sent: { subject: string; data: unknown }[] = [];

/** Writes what commands would have led to. */
const commands: CommandClient = {
  send: async (command: CommandDefinition, data: unknown) => {
    sent.push({ subject: command.subject, data });
    return { result: { preferenceId: 1000 } as never, positions: [] };
  },
};

beforeAll(async () => {
  model = await testReadModel();
  const song = (album: string, year: number, originalYear?: number) => ({
    title: `Song of ${album}`,
    album,
    artists: ['Somebody'],
    year,
    folder: album,
    fileName: '1.flac',
    ...(originalYear && { albumDoc: { originalDate: `${originalYear}-01-01` } }),
  });
  await seedFixtureLibrary(model.write, [song('Aria', 2010, 1990), song('Brass', 2001), song('Chords', 2005)]);
  await model.write.updateTable('library.album').set({ original_year: 1990 }).where('name', '=', 'Aria').execute();
  await seedTestAccounts(model.write);
  gateway = await startTestGateway(model.read, { commands });
});
afterAll(async () => {
  await gateway.stop();
  await model.close();
});

const { admin, listener } = testAccounts;
const ids = {
  download: 1,
  api_enable_3: 10,
  api_enable_4: 11,
  api_enable_5: 12,
  api_enable_6: 13,
  api_enable_8: 14,
  api_force_version: 15,
  subsonic_legacy: 16,
  album_sort: 30,
  use_original_year: 32,
  allow_personal_info_now: 40,
  popular_threshold: 50,
  stats_threshold: 51,
  share_expire: 80,
  allow_stream: 120,
};
const keep = async (userId: number, values: Partial<Record<keyof typeof ids, string>>): Promise<void> => {
  const rows = Object.entries(values).map(([name, value]) => ({ user_id: userId, preference_id: ids[name as keyof typeof ids], value }));
  await model.write.insertInto('social.user_preference').values(rows).execute();
  gateway.services.preferences.noteChange();
};

beforeEach(async () => {
  sent.length = 0;
  await model.write.deleteFrom('social.user_preference').execute();
  gateway.services.preferences.noteChange();
});

type Answer = Record<string, unknown>;
const call = async (query: string, as: { readonly token?: string; readonly version?: string } = {}): Promise<Answer> => {
  const { token = testAccounts.listener.token, version = '8.0.0' } = as;
  const answer = await gateway.app.inject({
    url: `/server/json.server.php?version=${version}&${query}`,
    headers: { authorization: `Bearer ${token}` },
  });
  expect(answer.statusCode).toBe(200);
  return answer.json<Answer>();
};
const errorOf = async (query: string, options = {}): Promise<unknown[]> => {
  const { error } = (await call(query, options)) as { error?: Answer };
  return [error?.['errorCode'], error?.['errorType'], error?.['errorMessage']];
};

/** Names of the preferences that clients ask for. */
const askedPreferences = (list: string): readonly string[] => nativePreferences.find(({ name }) => name === list)?.preferences ?? [];

describe('reading', () => {
  it('shows an account its own values, else the server’s, else the default', async () => {
    await keep(0, { album_sort: 'year_asc', share_expire: '30' });
    expect(await call('action=user_preference&filter=album_sort')).toMatchObject({ value: 'year_asc', has_access: true });
    await keep(listener.id, { album_sort: 'name_desc' });
    expect(await call('action=user_preference&filter=album_sort')).toMatchObject({ id: '30', value: 'name_desc' });
    expect(await call('action=user_preference&filter=album_sort', { token: admin.token })).toMatchObject({ value: 'year_asc' });
    expect(await call('action=system_preference&filter=album_sort', { token: admin.token })).toMatchObject({ value: 'year_asc' });
    expect(await call('action=system_preference&filter=share_expire', { token: admin.token })).toMatchObject({ value: '30' });
    expect(await call('action=user_preference&filter=hide_search')).toMatchObject({ value: '0' });
  });

  it('lists what an account has, and for administrators what the server has as well', async () => {
    const own = (await call('action=user_preferences')) as { preference: Answer[] };
    const all = (await call('action=system_preferences', { token: admin.token })) as { preference: Answer[] };
    expect(own.preference.map(({ name }) => name)).not.toContain('share_expire');
    expect(all.preference.length).toBeGreaterThan(own.preference.length);
    expect(own.preference.find(({ name }) => name === 'download')).toMatchObject({ level: 100, has_access: false });
    expect(await errorOf('action=system_preferences')).toEqual(['4742', 'account', 'Require: 100']);
  });

  it('tells what the server does, by preferences that nobody sets', async () => {
    const valueOf = async (name: string): Promise<unknown> => {
      const { value, has_access: hasAccess } = await call(`action=system_preference&filter=${name}`, { token: admin.token });
      return [value, hasAccess];
    };
    expect(await valueOf('webdav_backend')).toEqual(['0', false]);
    expect(await valueOf('subsonic_backend')).toEqual(['1', false]);
    expect(await valueOf('allow_video')).toEqual(['1', false]);
    const edit = 'action=preference_edit&filter=webdav_backend&value=1';
    expect(await errorOf(edit, { token: admin.token })).toEqual([
      '4710',
      'filter',
      'Bad Request: filter must be a preference that can be set, was webdav_backend',
    ]);
    expect(sent).toEqual([]);
    await keep(listener.id, { allow_stream: '0' });
    expect(await call('action=user_preference&filter=allow_stream_playback')).toMatchObject({ value: '0' });
    expect(await call('action=user_preference&filter=allow_stream_playback', { token: admin.token })).toMatchObject({ value: '1' });
  });

  it('has what clients of web interfaces ask for, and shows no preference of operators that took its name before', async () => {
    const custom = { id: 1000, name: 'show_lyrics', description: '', level: 25, type: 'string', category: 'interface' } as const;
    await model.write
      .insertInto('social.preference')
      .values({ ...custom, subcategory: null, default_value: 'blue' })
      .execute();
    gateway.services.preferences.noteChange();
    const { preference: own } = (await call('action=user_preferences')) as { preference: Answer[] };
    const asked = askedPreferences('user');
    expect(asked.filter((name) => own.every((one) => one['name'] !== name))).toEqual([]);
    expect(own.filter(({ name }) => name === 'show_lyrics')).toMatchObject([{ value: '0' }]);
    const { preference: all } = (await call('action=system_preferences', { token: admin.token })) as { preference: Answer[] };
    // Which list is the base of votes is told by `demo_base_playlist`.
    expect(askedPreferences('system').filter((name) => all.every((one) => one['name'] !== name))).toEqual(['demo_use_search']);
    await model.write.deleteFrom('social.preference').execute();
  });

  it('knows no other names', async () => {
    expect(await errorOf('action=user_preference&filter=nothing')).toEqual(['4704', 'filter', 'Not Found: nothing']);
    expect(await errorOf('action=user_preference&filter=share_expire')).toEqual(['4704', 'filter', 'Not Found: share_expire']);
    expect(await errorOf('action=user_preference')).toEqual(['4710', 'system', 'Bad Request: filter is missing']);
    expect((await errorOf('action=user_preference&filter=x%00y'))[0]).toBe('4710');
  });
});

describe('writing', () => {
  it('says whose value it is', async () => {
    await call('action=preference_edit&filter=album_sort&value=name_asc');
    await call('action=preference_edit&filter=album_sort&value=name_asc&default=1', { token: admin.token });
    await call('action=preference_edit&filter=album_sort&value=name_asc&all=1', { token: admin.token });
    await call('action=preference_edit&filter=share_expire&value=3', { token: admin.token });
    // Version 5 does not know `default`.
    await call('action=preference_edit&filter=album_sort&value=name_asc&default=1', { token: admin.token, version: '5.0.0' });
    const written = sent.map(({ data }) => (data as { holder: unknown }).holder);
    expect(written).toEqual([{ userId: listener.id }, 'default', 'everybody', 'default', { userId: admin.id }]);
    expect(new Set(sent.map(({ subject }) => subject))).toEqual(new Set([setPreference.subject]));
  });

  it('looks at parameters, then at the level, then at the preference', async () => {
    expect(await errorOf('action=preference_edit&filter=nothing&all=1')).toEqual(['4710', 'system', 'Bad Request: value is missing']);
    expect(await errorOf('action=preference_edit&filter=nothing&value=1&all=1')).toEqual(['4742', 'account', 'Require: 100']);
    expect(await errorOf('action=preference_edit&filter=nothing&value=1&default=1')).toEqual(['4742', 'account', 'Require: 100']);
    expect(await errorOf('action=preference_edit&filter=nothing&value=1')).toEqual(['4704', 'filter', 'Not Found: nothing']);
    expect(await errorOf('action=preference_edit&filter=share_expire&value=1')).toEqual(['4704', 'filter', 'Not Found: share_expire']);
    expect(await errorOf('action=preference_edit&filter=download&value=0')).toEqual(['4742', 'account', 'Require: 100']);
    expect(await errorOf('action=preference_edit&filter=stats_threshold&value=0')).toEqual(['4742', 'account', 'Require: 75']);
    expect(await errorOf('action=preference_create')).toEqual(['4710', 'system', 'Bad Request: filter is missing']);
    const create = 'action=preference_create&filter=x&type=boolean&category=interface&default=0';
    expect(await errorOf(create)).toEqual(['4742', 'account', 'Require: 100']);
    expect(await errorOf('action=preference_delete')).toEqual(['4710', 'system', 'Bad Request: filter is missing']);
    expect(await errorOf('action=preference_delete&filter=album_sort')).toEqual(['4742', 'account', 'Require: 100']);
    expect(sent).toEqual([]);
  });

  it.each([
    ['type', 'filter=x&type=number&category=interface&default=0'],
    ['category', 'filter=x&type=boolean&category=system&default=0'],
    ['level', 'filter=x&type=boolean&category=interface&default=0&level=7'],
    ['filter', 'filter=a%20b&type=boolean&category=interface&default=0'],
    ['filter', `filter=${'x'.repeat(129)}&type=boolean&category=interface&default=0`],
    ['description', 'filter=x&type=boolean&category=interface&default=0&description=a%00b'],
  ])('makes none with a wrong %s', async (parameter, query) => {
    expect((await errorOf(`action=preference_create&${query}`, { token: admin.token })).slice(0, 2)).toEqual(['4710', parameter]);
  });

  it.each([
    ['api_enable_5', 'maybe'],
    ['popular_threshold', '1.5'],
    ['album_sort', 'by_colour'],
    ['api_hidden_playlists', 'x'.repeat(9000)],
  ])('gives %s no value that it cannot have', async (name, value) => {
    const [code, parameter, message] = await errorOf(`action=preference_edit&filter=${name}&value=${value}`);
    expect([code, parameter]).toEqual(['4710', 'value']);
    expect((message as string).length).toBeLessThan(200);
    expect(sent).toEqual([]);
  });

  it('makes and removes those of operators', async () => {
    await call('action=preference_create&filter=colour&type=string&category=interface&default=blue&level=25', { token: admin.token });
    await call('action=preference_delete&filter=colour', { token: admin.token });
    expect(sent).toEqual([
      {
        subject: definePreference.subject,
        data: expect.objectContaining({ name: 'colour', default: 'blue', level: 25, subcategory: null }),
      },
      { subject: removePreference.subject, data: { name: 'colour' } },
    ]);
  });
});

describe('versions of an account', () => {
  const versionOf = async (version: string, token: string = listener.token): Promise<unknown> =>
    (await call('action=handshake', { version, token }))['api'];

  it('that are switched off move up, for this account alone', async () => {
    await keep(listener.id, { api_enable_5: '0', api_enable_6: '0' });
    expect(await versionOf('5.0.0')).toBe('8.0.0');
    expect(await versionOf('443000')).toBe('443000');
    expect(await versionOf('5.0.0', admin.token)).toBe('5.5.6');
    expect(await call('action=user_preference&filter=album_sort', { version: '6.0.0' })).toMatchObject({ id: '30' });
    expect(await call('action=user_preference&filter=album_sort', { version: '6.0.0', token: admin.token })).toMatchObject({ id: 30 });
  });

  it('are none when the newest is off', async () => {
    await keep(listener.id, { api_enable_8: '0' });
    expect((await errorOf('action=user_preferences'))[0]).toBe('4700');
    expect((await errorOf('action=handshake'))[0]).toBe('4700');
    expect(await versionOf('6.0.0')).toBe('6.9.2');
  });

  it('are all one that is forced, over REST too', async () => {
    await keep(listener.id, { api_force_version: '5', api_enable_5: '0' });
    expect(await versionOf('8.0.0')).toBe('5.5.6');
    const answer = await gateway.app.inject({
      url: '/rest/8/json/preferences/album_sort',
      headers: { authorization: `Bearer ${listener.token}` },
    });
    expect(answer.json()).toMatchObject([{ id: 30, name: 'album_sort' }]);
  });

  it('are never all off', async () => {
    await keep(listener.id, { api_enable_3: '0', api_enable_4: '0', api_enable_5: '0', api_enable_6: '0' });
    expect(await errorOf('action=preference_edit&filter=api_enable_8&value=0')).toEqual([
      '4710',
      'value',
      'Bad Request: value must be 1: one version of the API has to stay on, was 0',
    ]);
    expect(await call('action=preference_edit&filter=api_enable_8&value=1')).toMatchObject({ value: '1' });
  });
});

describe('what preferences change', () => {
  const albums = async (): Promise<unknown[]> =>
    ((await call('action=albums')) as { album: Answer[] }).album.map(({ name, year }) => [name, year]);

  it('is the order and the year of albums, for this account alone', async () => {
    const usual = [
      ['Aria', 2010],
      ['Brass', 2001],
      ['Chords', 2005],
    ];
    expect(await albums()).toEqual(usual);
    await keep(listener.id, { album_sort: 'year_desc' });
    expect(await albums()).toEqual([usual[0], usual[2], usual[1]]);
    await keep(listener.id, { use_original_year: '1' });
    expect(await albums()).toEqual([
      ['Chords', 2005],
      ['Brass', 2001],
      ['Aria', 1990],
    ]);
    expect(await call('action=albums&sort=name,DESC')).toMatchObject({ album: [{ name: 'Chords' }, { name: 'Brass' }, { name: 'Aria' }] });
    const others = (await call('action=albums', { token: admin.token })) as { album: Answer[] };
    expect(others.album.map(({ name, year }) => [name, year])).toEqual(usual);
  });

  it.each([
    ['getAlbumList2', { type: 'alphabeticalByName' }],
    ['search3', { query: 'Aria' }],
    ['getAlbum', { id: 'al-1' }],
  ])('is the year of albums in the compatibility API: %s', async (operation, params) => {
    const years = async (): Promise<string> => {
      const query = new URLSearchParams({ v: '1.16.1', c: 'spec', f: 'json', ...params }).toString();
      const url = `/rest/${operation}?${query}`;
      const { body } = await gateway.app.inject({ url, headers: { authorization: `Bearer ${testAccounts.listener.token}` } });
      return /"name":"Aria"[^[]*?"year":(\d+)/.exec(body)?.[1] ?? body;
    };
    expect(await years()).toBe('2010');
    await keep(listener.id, { use_original_year: '1' });
    expect(await years()).toBe('1990');
  });

  it('is how much statistics list', async () => {
    await keep(0, { popular_threshold: '2' });
    expect(await call('action=stats&type=album&filter=newest')).toMatchObject({ album: { length: 2 } });
    await keep(listener.id, { popular_threshold: '1' });
    expect(await call('action=stats&type=album&filter=newest')).toMatchObject({ album: { length: 1 } });
    expect(await call('action=stats&type=album&filter=newest&limit=3')).toMatchObject({ album: { length: 3 } });
  });

  it.each(['0', '-7', '2147483647', '-2147483647'])('is how many days statistics look back, %s of them too', async (days) => {
    await keep(listener.id, { stats_threshold: days, popular_threshold: days });
    const play = { song_id: 1, play_count: 1, skip_count: 0, last_played_at_ms: TEST_NOW_MS - 1000, last_skipped_at_ms: null };
    await model.write.deleteFrom('playback.song_plays').execute();
    await model.write.insertInto('playback.song_plays').values(play).execute();
    expect(await call('action=stats&type=song&filter=frequent')).toHaveProperty('song');
    expect(await call('action=stats&type=song&filter=newest')).toMatchObject({ song: { length: days === '2147483647' ? 3 : 1 } });
  });

  it('is whether files may be downloaded', async () => {
    await keep(listener.id, { download: '0' });
    const answer = await gateway.app.inject({
      url: '/server/json.server.php?action=download&type=song&filter=1',
      headers: { authorization: `Bearer ${listener.token}` },
    });
    expect([answer.statusCode, answer.json()]).toMatchObject([400, { error: { errorCode: '4703', errorMessage: 'Enable: download' } }]);
    const played = await gateway.app.inject({ url: `/play/index.php?ssid=${listener.token}&oid=1&action=download` });
    expect([played.statusCode, played.body]).toEqual([403, 'this account may not download\n']);
    const compat = await gateway.app.inject({
      url: '/rest/download?v=1.16.1&c=spec&f=json&id=so-1',
      headers: { authorization: `Bearer ${listener.token}` },
    });
    expect(compat.json()).toMatchObject({ 'subsonic-response': { error: { code: 50 } } });
  });

  it('is who sees what plays', async () => {
    const now = { object_type: 'song', object_id: 1, started_at_ms: TEST_NOW_MS - 1000, expires_at_ms: TEST_NOW_MS + 60_000 };
    await model.write
      .insertInto('playback.now_playing')
      .values([{ ...now, user_id: listener.id, client: 'spec' }])
      .execute();
    const seen = async (token: string) => ((await call('action=now_playing', { token })) as { now_playing: unknown[] }).now_playing.length;
    expect([await seen(admin.token), await seen(listener.token)]).toEqual([1, 1]);
    await keep(listener.id, { allow_personal_info_now: '0' });
    expect([await seen(admin.token), await seen(listener.token)]).toEqual([0, 1]);
  });

  it('is the form of the compatibility API, 1.16.1 without additions', async () => {
    const ping = async (token: string): Promise<unknown> =>
      (await gateway.app.inject({ url: '/rest/ping?v=1.16.1&c=spec&f=json', headers: { authorization: `Bearer ${token}` } })).json();
    expect(await ping(listener.token)).toMatchObject({ 'subsonic-response': { openSubsonic: true } });
    await keep(listener.id, { subsonic_legacy: '1' });
    expect(await ping(listener.token)).toEqual({ 'subsonic-response': { status: 'ok', version: '1.16.1' } });
    expect(await ping(admin.token)).toMatchObject({ 'subsonic-response': { openSubsonic: true } });
  });
});
