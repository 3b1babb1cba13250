import {
  definePreference,
  deleteUser,
  FIRST_CUSTOM_PREFERENCE,
  registerUser,
  removePreference,
  setPreference,
  setUserPreferences,
  userId,
} from '@continuo/contracts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { z } from 'zod';
import { RunningSocial } from '../../test/running-social.js';

let social: RunningSocial;

const [ada, bob] = [userId.parse(1), userId.parse(2)];
const ALBUM_SORT = 30;
const SHARE_EXPIRE = 80;

beforeAll(async () => {
  social = await RunningSocial.start();
});
afterAll(() => social.stop());

const set = (name: string, value: string, holder: z.input<typeof setPreference.schema>['holder']) =>
  social.send(setPreference, { name, value, holder });
const values = (preferenceId: number) =>
  social.db
    .selectFrom('social.user_preference')
    .select(['user_id', 'value'])
    .where('preference_id', '=', preferenceId)
    .orderBy('user_id')
    .execute();

describe('values', () => {
  it('are an account’s own, the server’s, or everybody’s', async () => {
    await set('album_sort', 'name_asc', { userId: ada });
    await set('album_sort', 'year_asc', { userId: bob });
    await set('album_sort', 'year_desc', 'default');
    expect(await values(ALBUM_SORT)).toEqual([
      { user_id: 0, value: 'year_desc' },
      { user_id: 1, value: 'name_asc' },
      { user_id: 2, value: 'year_asc' },
    ]);
    await set('album_sort', 'name_desc', 'everybody');
    expect(await values(ALBUM_SORT)).toEqual([{ user_id: 0, value: 'name_desc' }]);
    // What an account had set before is no reason to ignore that it sets it again.
    await set('album_sort', 'name_asc', { userId: ada });
    expect(await values(ALBUM_SORT)).toContainEqual({ user_id: 1, value: 'name_asc' });
  });

  it('are set several at a time, all or none', async () => {
    const several = (...given: [string, string][]) =>
      social.send(setUserPreferences, { userId: ada, values: given.map(([name, value]) => ({ name, value })) });
    await several(['allow_stream', 'false'], ['allow_podcast', '1']);
    expect([await values(120), await values(124)]).toEqual([[{ user_id: 1, value: '0' }], [{ user_id: 1, value: '1' }]]);
    await expect(several(['allow_comment', '0'], ['allow_stream', 'perhaps'])).rejects.toMatchObject({ code: 'input.invalid' });
    await expect(several(['allow_comment', '0'], ['share_expire', '3'])).rejects.toMatchObject({ code: 'input.invalid' });
    expect(await values(122)).toEqual([]);
  });

  it('of the system are the server’s, whoever sets them', async () => {
    await set('share_expire', ' 14', { userId: ada });
    expect(await values(SHARE_EXPIRE)).toEqual([{ user_id: 0, value: '14' }]);
  });

  it.each([
    ['album_sort', 'by_colour'],
    ['api_enable_5', 'perhaps'],
    ['share_expire', 'a week'],
    ['api_hidden_playlists', 'a\0b'],
    ['api_hidden_playlists', 'x'.repeat(100_000)],
    ['api_hidden_playlists', 'x'.repeat(250_000)],
  ])('of %s do not fit', async (name, value) => {
    await expect(set(name, value, { userId: ada })).rejects.toMatchObject({ code: 'input.invalid' });
  });

  it('are of preferences that there are', async () => {
    await expect(set('nothing', '1', 'default')).rejects.toMatchObject({ code: 'preference.not-found', subject: 'nothing' });
    await expect(set('__proto__', '1', 'default')).rejects.toMatchObject({ code: 'preference.not-found' });
  });

  it('of one account survive many writes at once to two replicas', async () => {
    const words = Array.from({ length: 20 }, (_, n) => `word ${n}`);
    const outcomes = await Promise.allSettled(words.map((word) => set('api_hidden_playlists', word, { userId: bob })));
    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
    const [kept] = await values(17);
    expect(words).toContain(kept?.value);
  });
});

describe('preferences of operators', () => {
  const colour = { name: 'colour', type: 'string', category: 'interface', default: 'blue', level: 25 } as const;

  it('are made once, valued, and removed with their values', async () => {
    const { preferenceId } = await social.send(definePreference, colour);
    expect(preferenceId).toBe(FIRST_CUSTOM_PREFERENCE);
    await expect(social.send(definePreference, colour)).rejects.toMatchObject({ code: 'preference.name-taken', subject: 'colour' });
    await expect(social.send(definePreference, { ...colour, name: 'share' })).rejects.toMatchObject({ code: 'preference.name-taken' });
    await set('colour', 'grün', { userId: ada });
    expect(await values(preferenceId)).toEqual([{ user_id: 1, value: 'grün' }]);
    expect(await social.db.selectFrom('social.preference').selectAll().execute()).toMatchObject([
      { id: preferenceId, name: 'colour', description: '', level: 25, subcategory: null, default_value: 'blue' },
    ]);
    await social.send(removePreference, { name: 'colour' });
    expect(await values(preferenceId)).toEqual([]);
    expect(await social.db.selectFrom('social.preference').selectAll().execute()).toEqual([]);
    await expect(set('colour', 'red', { userId: ada })).rejects.toMatchObject({ code: 'preference.not-found' });
    await expect(social.send(removePreference, { name: 'colour' })).rejects.toMatchObject({ code: 'preference.not-found' });
    expect((await social.send(definePreference, colour)).preferenceId).toBe(preferenceId + 1);
    expect(await values(preferenceId + 1)).toEqual([]);
  });

  it('are not those of the server', async () => {
    await expect(social.send(removePreference, { name: 'album_sort' })).rejects.toMatchObject({ code: 'preference.built-in' });
  });
});

it('go with their account', async () => {
  const { userId: id } = await social.send(registerUser, { username: 'leaving', access: 25 });
  await set('album_sort', 'name_asc', { userId: userId.parse(id) });
  expect(await values(ALBUM_SORT)).toContainEqual({ user_id: id, value: 'name_asc' });
  await social.send(deleteUser, { userId: userId.parse(id) });
  await vi.waitFor(async () => expect(await values(ALBUM_SORT)).not.toContainEqual(expect.objectContaining({ user_id: id })), {
    timeout: 10_000,
  });
});

it('rebuilds to the same tables', async () => {
  const report = await social.verifyRebuild('social-preferences');
  expect(report.differing).toEqual([]);
  expect(report.position).toBe(await social.deps.eventStore.lastPosition('social'));
});
