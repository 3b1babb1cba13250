import { specFor } from '@continuo/chassis/testkit';
import {
  builtInPreferences,
  FIRST_CUSTOM_PREFERENCE,
  MAX_PREFERENCE_LENGTH,
  preferenceDefined,
  preferenceName,
  preferenceRemoved,
  preferenceSet,
  preferenceSetForAll,
  preferencesForgotten,
  preferenceValue,
  userId,
} from '@continuo/contracts';
import { describe, expect, it } from 'vitest';
import { preferences, preferenceNamed, valueFor } from './preferences.decider.js';
import { userPreferences } from './user-preferences.decider.js';

const { given } = specFor(preferences);
const preference = {
  name: 'colour',
  description: 'Colour of the page',
  level: 25,
  type: 'string' as const,
  category: 'interface' as const,
  subcategory: null,
  default: 'blue',
};
const defined = preferenceDefined({ ...preference, preferenceId: FIRST_CUSTOM_PREFERENCE });
const gone = preferenceRemoved({ preferenceId: FIRST_CUSTOM_PREFERENCE });

describe('preferences', () => {
  it('numbers those of operators on and never reuses a number', () => {
    given([]).when({ type: 'define', preference }).then([defined]);
    given([defined, gone])
      .when({ type: 'define', preference })
      .then([preferenceDefined({ ...preference, preferenceId: FIRST_CUSTOM_PREFERENCE + 1 })]);
  });

  it('has every name once', () => {
    given([defined]).when({ type: 'define', preference }).thenRejected('preference.name-taken');
    given([])
      .when({ type: 'define', preference: { ...preference, name: 'album_sort' } })
      .thenRejected('preference.name-taken');
  });

  it('keeps a default that fits the type', () => {
    given([])
      .when({ type: 'define', preference: { ...preference, type: 'integer' } })
      .thenRejected('input.invalid');
    given([])
      .when({ type: 'define', preference: { ...preference, type: 'boolean', default: 'yes' } })
      .then([preferenceDefined({ ...preference, type: 'boolean', default: '1', preferenceId: FIRST_CUSTOM_PREFERENCE })]);
  });

  it('gives those that tell what the server does no value', () => {
    expect(() => valueFor(preferenceNamed({ custom: [], lastId: 0, values: {} }, 'webdav_backend'), '1')).toThrow('cannot be set');
  });

  it('has each name and number of the server’s own once, and defaults that they can have', () => {
    expect(new Set(builtInPreferences.map(({ name }) => name)).size).toBe(builtInPreferences.length);
    expect(new Set(builtInPreferences.map(({ id }) => id)).size).toBe(builtInPreferences.length);
    for (const one of builtInPreferences) expect([one.name, preferenceValue(one, one.default)]).toEqual([one.name, one.default]);
  });

  it('removes those of operators only', () => {
    given([defined]).when({ type: 'remove', name: 'colour' }).then([gone]);
    given([defined, gone]).when({ type: 'remove', name: 'colour' }).thenRejected('preference.not-found');
    given([]).when({ type: 'remove', name: 'album_sort' }).thenRejected('preference.built-in');
  });

  it('sets the server’s value once, and everybody’s whenever it is said', () => {
    const set = preferenceSet({ userId: null, preferenceId: 30, value: 'name_asc' });
    const everybody = preferenceSetForAll({ preferenceId: 30, value: 'name_asc' });
    given([]).when({ type: 'set', preferenceId: 30, value: 'name_asc' }).then([set]);
    given([set]).when({ type: 'set', preferenceId: 30, value: 'name_asc' }).then([]);
    given([everybody]).when({ type: 'set', preferenceId: 30, value: 'name_asc' }).then([]);
    given([set, everybody]).when({ type: 'set-for-all', preferenceId: 30, value: 'name_asc' }).then([everybody]);
  });

  it('forgets the value of a preference that is gone', () => {
    const set = preferenceSet({ userId: null, preferenceId: FIRST_CUSTOM_PREFERENCE, value: 'red' });
    const state = [defined, set, gone].reduce(preferences.evolve, preferences.initialState);
    expect(state).toEqual({ custom: [], lastId: FIRST_CUSTOM_PREFERENCE, values: {} });
    expect(() => preferenceNamed(state, 'colour')).toThrow('no such preference');
  });
});

describe('userPreferences', () => {
  const ada = userId.parse(7);
  const own = preferenceSet({ userId: ada, preferenceId: 30, value: 'name_asc' });
  const set = { type: 'set', userId: ada, preferenceId: 30, value: 'name_asc' } as const;
  const once = specFor(userPreferences);

  it('says what the account wants, even when it wanted it before', () => {
    once.given([]).when(set).then([own]);
    once.given([own]).when(set).then([own]);
  });

  it('forgets an account that is gone, once', () => {
    const forgotten = preferencesForgotten({ userId: ada });
    once.given([own]).when({ type: 'forget', userId: ada }).then([forgotten]);
    once.given([own, forgotten]).when({ type: 'forget', userId: ada }).then([]);
    once.given([]).when({ type: 'forget', userId: ada }).then([]);
  });
});

describe('the server’s own preferences', () => {
  it('have numbers and names of their own, and defaults that fit', () => {
    expect(new Set(builtInPreferences.map(({ id }) => id)).size).toBe(builtInPreferences.length);
    expect(new Set(builtInPreferences.map(({ name }) => name)).size).toBe(builtInPreferences.length);
    for (const one of builtInPreferences) {
      expect(one.id).toBeLessThan(FIRST_CUSTOM_PREFERENCE);
      expect(preferenceName.safeParse(one.name).success).toBe(true);
      expect(preferenceValue(one, one.default)).toBe(one.default);
    }
  });
});

describe('valueFor', () => {
  const takes = (type: 'boolean' | 'integer' | 'string' | 'special', text: string, values?: readonly string[]): string =>
    valueFor({ name: 'x', type, ...(values && { values }) }, text);

  it('spells switches and numbers in one way', () => {
    expect(['1', ' YES ', 'true', 'On', '', '0', 'no'].map((text) => takes('boolean', text))).toEqual(['1', '1', '1', '1', '0', '0', '0']);
    expect([' 07', '-3', '0'].map((text) => takes('integer', text))).toEqual(['7', '-3', '0']);
    expect(takes('special', 'b', ['a', 'b'])).toBe('b');
    expect(takes('special', 'anything')).toBe('anything');
  });

  it.each([
    ['boolean', 'maybe'],
    ['integer', ''],
    ['integer', '1.5'],
    ['integer', '9999999999'],
    ['string', 'a\0b'],
    ['string', '\ud800'],
    ['string', 'x'.repeat(MAX_PREFERENCE_LENGTH + 1)],
  ] as const)('takes no %s %j', (type, text) => {
    expect(() => takes(type, text)).toThrow(expect.objectContaining({ code: 'input.invalid', subject: 'value' }));
  });

  it('takes no word that is not among the words', () => {
    expect(() => takes('special', 'c', ['a', 'b'])).toThrow('one of a, b');
  });
});
