/** Types of preference values. `special` is one of a fixed set of words. */
export const preferenceTypes = ['boolean', 'integer', 'string', 'special'] as const;
export type PreferenceType = (typeof preferenceTypes)[number];

/** Categories that preferences of operators may have (methods.json, `preference_create`). */
export const customPreferenceCategories = ['interface', 'internal', 'options', 'playlist', 'plugins', 'streaming'] as const;
/** Every category. Those of `system` belong to the server: accounts have no value of their own. */
export const preferenceCategories = [...customPreferenceCategories, 'system'] as const;
export type PreferenceCategory = (typeof preferenceCategories)[number];

/** The longest value of a preference, in UTF-16 code units. */
export const MAX_PREFERENCE_LENGTH = 8192;

/** Definition of a preference, without its values. */
export interface PreferenceDefinition {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  /** Least access level that may change it. */
  readonly level: number;
  readonly type: PreferenceType;
  readonly category: PreferenceCategory;
  readonly subcategory: string | null;
  /** The value as long as nobody has set one. */
  readonly default: string;
  /** The words of a `special` one; absent where any text will do. */
  readonly values?: readonly string[];
  /** True for one that reports what the server does: nobody can set it. */
  readonly isReadOnly?: boolean;
  /** The preference whose value a read-only one reports. */
  readonly sameAs?: string;
}
