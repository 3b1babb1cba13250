import {
  builtInPreferences,
  type BuiltInPreference,
  type PreferenceDefinition,
  type PreferenceTable,
  type UserPreferenceTable,
} from '@continuo/contracts';

/** The rows that a snapshot is made of. */
export interface PreferenceRows {
  readonly custom: readonly PreferenceTable[];
  readonly values: readonly UserPreferenceTable[];
}

/** Defaults that the settings of this server replace. */
export type PreferenceDefaults = Readonly<Partial<Record<BuiltInPreference, string>>>;

/** Stands for the server where an account's id is expected. */
export const SERVER_USER = 0;

/** Every preference and value at one moment. */
export interface PreferenceSnapshot {
  /** All preferences: the server's own and those of operators. */
  readonly definitions: readonly PreferenceDefinition[];
  named(name: string): PreferenceDefinition | undefined;
  /** What holds for an account: its own value, else the server's, else the default. User 0 is the server. */
  valueOf(userId: number, preference: PreferenceDefinition): string;
  /** The same for one of the server's own preferences by name. */
  of(userId: number, name: BuiltInPreference): string;
  /** True when the value is not the default: the account or the server has set it. */
  isSet(userId: number, name: BuiltInPreference): boolean;
  /** True where a switch is on for an account. */
  isOn(userId: number, name: BuiltInPreference): boolean;
  /** The whole number that holds for an account. */
  numberOf(userId: number, name: BuiltInPreference): number;
}

const definitionOf = (row: PreferenceTable): PreferenceDefinition => ({
  id: row.id,
  name: row.name,
  description: row.description,
  level: row.level,
  type: row.type,
  category: row.category,
  subcategory: row.subcategory,
  default: row.default_value,
});

/** The order of lists: by subcategory, those without one first, then by description. */
const inOrder = (a: PreferenceDefinition, b: PreferenceDefinition): number =>
  (a.subcategory ?? '').localeCompare(b.subcategory ?? '', 'en') || a.description.localeCompare(b.description, 'en') || a.id - b.id;

/** Indexes the rows. Values of preferences that are gone count for nothing. */
export const preferenceSnapshot = ({ custom, values }: PreferenceRows, defaults: PreferenceDefaults = {}): PreferenceSnapshot => {
  const builtIns = builtInPreferences.map((one): PreferenceDefinition => ({ ...one, default: defaults[one.name] ?? one.default }));
  const definitions = [...builtIns, ...custom.map(definitionOf)].toSorted(inOrder);
  const byName = new Map(definitions.map((one) => [one.name, one]));
  const byUser = new Map<number, Map<number, string>>();
  for (const row of values) {
    const own = byUser.get(row.user_id) ?? new Map<number, string>();
    own.set(row.preference_id, row.value);
    byUser.set(row.user_id, own);
  }
  const ofServer = byUser.get(SERVER_USER);
  const chosen = (userId: number, { id, category }: PreferenceDefinition): string | undefined =>
    (category === 'system' ? undefined : byUser.get(userId)?.get(id)) ?? ofServer?.get(id);
  const valueOf: PreferenceSnapshot['valueOf'] = (userId, one) => chosen(userId, one) ?? one.default;
  const of: PreferenceSnapshot['of'] = (userId, name) => valueOf(userId, byName.get(name) as PreferenceDefinition);
  return {
    definitions,
    named: (name) => byName.get(name),
    valueOf,
    of,
    isSet: (userId, name) => chosen(userId, byName.get(name) as PreferenceDefinition) !== undefined,
    isOn: (userId, name) => of(userId, name) === '1',
    numberOf: (userId, name) => Number(of(userId, name)),
  };
};
