import {
  builtInPreferences,
  type BuiltInPreference,
  type PreferenceDefinition,
  type PreferenceTable,
  type UserPreferenceTable,
} from '@continuo/contracts';

/** Rows of a snapshot. */
export interface PreferenceRows {
  readonly custom: readonly PreferenceTable[];
  readonly values: readonly UserPreferenceTable[];
}

/** Defaults that settings of this server replace. */
export type PreferenceDefaults = Readonly<Partial<Record<BuiltInPreference, string>>>;

/** Account id of the server. */
export const SERVER_USER = 0;

/** All preferences and values at one moment. */
export interface PreferenceSnapshot {
  /** All preferences: the server's own and those of operators. */
  readonly definitions: readonly PreferenceDefinition[];
  named(name: string): PreferenceDefinition | undefined;
  /** Effective value for an account: its own, else the server's, else the default. User 0 is the server. */
  valueOf(userId: number, preference: PreferenceDefinition): string;
  /** Effective value of a built-in preference by name. */
  of(userId: number, name: BuiltInPreference): string;
  /** The value set for this account alone; undefined where the server's value or the default holds. */
  own(userId: number, name: BuiltInPreference): string | undefined;
  /** True when the account or the server has set a value. */
  isSet(userId: number, name: BuiltInPreference): boolean;
  /** True when a switch is on for an account. */
  isOn(userId: number, name: BuiltInPreference): boolean;
  /** Effective value as an integer. */
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

/** Sorts by subcategory, those without one first, then by description. */
const inOrder = (a: PreferenceDefinition, b: PreferenceDefinition): number =>
  (a.subcategory ?? '').localeCompare(b.subcategory ?? '', 'en') || a.description.localeCompare(b.description, 'en') || a.id - b.id;

const taken: ReadonlySet<string> = new Set(builtInPreferences.map(({ name }) => name));

/** Indexes the rows. Ignores values of deleted preferences, and custom preferences with the name of a built-in one. */
export const preferenceSnapshot = ({ custom, values }: PreferenceRows, defaults: PreferenceDefaults = {}): PreferenceSnapshot => {
  const builtIns = builtInPreferences.map((one): PreferenceDefinition => ({ ...one, default: defaults[one.name] ?? one.default }));
  const definitions = [...builtIns, ...custom.filter(({ name }) => !taken.has(name)).map(definitionOf)].toSorted(inOrder);
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
  const told = (one: PreferenceDefinition): PreferenceDefinition => (one.sameAs === undefined ? one : (byName.get(one.sameAs) ?? one));
  const valueOf: PreferenceSnapshot['valueOf'] = (userId, one) => chosen(userId, told(one)) ?? told(one).default;
  const of: PreferenceSnapshot['of'] = (userId, name) => valueOf(userId, byName.get(name) as PreferenceDefinition);
  return {
    definitions,
    named: (name) => byName.get(name),
    valueOf,
    of,
    own: (userId, name) => byUser.get(userId)?.get((byName.get(name) as PreferenceDefinition).id),
    isSet: (userId, name) => chosen(userId, byName.get(name) as PreferenceDefinition) !== undefined,
    isOn: (userId, name) => of(userId, name) === '1',
    numberOf: (userId, name) => Number(of(userId, name)),
  };
};
