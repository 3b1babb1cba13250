import { projectEach, type Projection } from '@continuo/chassis';
import type { PreferenceEvent, PreferenceTable, UserPreferenceTable } from '@continuo/contracts';

interface Tables {
  preference: PreferenceTable;
  user_preference: UserPreferenceTable;
}

const ddl = [
  `create table preference (
    id integer primary key,
    name text not null,
    description text not null,
    level integer not null,
    type text not null,
    category text not null,
    subcategory text,
    default_value text not null
  )`,
  `create table user_preference (
    user_id integer not null,
    preference_id integer not null,
    value text not null,
    primary key (user_id, preference_id)
  )`,
  'create index user_preference_by_preference on user_preference (preference_id)',
];

const SERVER = 0;

/** Preferences of operators, and the values that were set: the server's under user 0. */
export const preferencesProjection: Projection<Tables> = {
  name: 'social-preferences',
  version: 1,
  context: 'social',
  publishedSchema: 'social',
  publishes: ['preference', 'user_preference'],
  ddl,
  ...projectEach<PreferenceEvent, Tables>({
    PreferenceDefined: ({ data }, db) => {
      const { preferenceId: id, default: defaultValue, ...row } = data;
      const values = { ...row, default_value: defaultValue };
      const insert = db.insertInto('preference').values({ id, ...values });
      return [insert.onConflict((conflict) => conflict.column('id').doUpdateSet(values))];
    },
    PreferenceRemoved: ({ data: { preferenceId } }, db) => [
      db.deleteFrom('user_preference').where('preference_id', '=', preferenceId),
      db.deleteFrom('preference').where('id', '=', preferenceId),
    ],
    PreferenceSet: ({ data }, db) => [
      db
        .insertInto('user_preference')
        .values({ user_id: data.userId ?? SERVER, preference_id: data.preferenceId, value: data.value })
        .onConflict((conflict) => conflict.columns(['user_id', 'preference_id']).doUpdateSet({ value: data.value })),
    ],
    PreferencesForgotten: ({ data }, db) => [db.deleteFrom('user_preference').where('user_id', '=', data.userId)],
    PreferenceSetForAll: ({ data: { preferenceId, value } }, db) => [
      db.deleteFrom('user_preference').where('preference_id', '=', preferenceId),
      db.insertInto('user_preference').values({ user_id: SERVER, preference_id: preferenceId, value }),
    ],
  }),
};
