import type { Aggregate } from '@continuo/chassis';
import {
  builtInPreferences,
  FIRST_CUSTOM_PREFERENCE,
  preferenceDefined,
  preferenceRemoved,
  preferenceSet,
  preferenceSetForAll,
  preferenceValue,
  Rejection,
  type PreferenceDefinition,
  type PreferenceEvent,
} from '@continuo/contracts';

/** Preference of an operator, before it has a number. */
export type CustomPreference = Omit<PreferenceDefinition, 'id' | 'values'>;

/** Commands of the server's preferences. Values are those of {@link valueFor}. */
export type PreferencesCommand =
  | { readonly type: 'define'; readonly preference: CustomPreference }
  | { readonly type: 'remove'; readonly name: string }
  | { readonly type: 'set'; readonly preferenceId: number; readonly value: string }
  | { readonly type: 'set-for-all'; readonly preferenceId: number; readonly value: string };

/** The preferences of operators, the last number given to one, and the server's values by number. */
export interface PreferencesState {
  readonly custom: readonly PreferenceDefinition[];
  readonly lastId: number;
  readonly values: Readonly<Record<string, string>>;
}

/** More would be a store of its own, which every gateway keeps in memory. */
const MAX_CUSTOM = 1000;

const builtIns = new Map<string, PreferenceDefinition>(builtInPreferences.map((preference) => [preference.name, preference]));

const found = ({ custom }: PreferencesState, name: string): PreferenceDefinition | undefined =>
  builtIns.get(name) ?? custom.find((preference) => preference.name === name);

/**
 * The preference of a name, the server's own first.
 * @throws Rejection `preference.not-found` with the name
 */
export const preferenceNamed = (state: PreferencesState, name: string): PreferenceDefinition => {
  const preference = found(state, name);
  if (!preference) throw new Rejection('preference.not-found', undefined, name);
  return preference;
};

/**
 * A value as it is kept.
 * @throws Rejection `input.invalid`, subject `value` or the given parameter
 */
export const valueFor = (
  preference: Pick<PreferenceDefinition, 'name' | 'type' | 'values' | 'isReadOnly'>,
  given: string,
  subject = 'value',
): string => {
  if (preference.isReadOnly)
    throw new Rejection('input.invalid', `${preference.name} tells what the server does and cannot be set`, 'name');
  const value = preferenceValue(preference, given);
  if (value !== undefined) return value;
  const wanted = preference.values ? `one of ${preference.values.join(', ')}` : `a ${preference.type} of reasonable length`;
  throw new Rejection('input.invalid', `${preference.name} takes ${wanted}`, subject);
};

const define = (state: PreferencesState, preference: CustomPreference): PreferenceEvent[] => {
  if (found(state, preference.name)) throw new Rejection('preference.name-taken', undefined, preference.name);
  if (state.custom.length >= MAX_CUSTOM) throw new Rejection('input.too-large', `At most ${MAX_CUSTOM} preferences of one's own`);
  const { name, description, level, type, category, subcategory } = preference;
  const value = valueFor(preference, preference.default, 'default');
  return [preferenceDefined({ preferenceId: state.lastId + 1, name, description, level, type, category, subcategory, default: value })];
};

const decide = (state: PreferencesState, command: PreferencesCommand): readonly PreferenceEvent[] => {
  switch (command.type) {
    case 'define':
      return define(state, command.preference);
    case 'remove':
      if (builtIns.has(command.name)) throw new Rejection('preference.built-in', undefined, command.name);
      return [preferenceRemoved({ preferenceId: preferenceNamed(state, command.name).id })];
    case 'set': {
      const { preferenceId, value } = command;
      return state.values[preferenceId] === value ? [] : [preferenceSet({ userId: null, preferenceId, value })];
    }
    case 'set-for-all':
      // Accounts may have values of their own, which are not known here: said again, it takes them away again.
      return [preferenceSetForAll({ preferenceId: command.preferenceId, value: command.value })];
    default:
      return command satisfies never;
  }
};

const evolve = (state: PreferencesState, event: PreferenceEvent): PreferencesState => {
  switch (event.type) {
    case 'PreferenceDefined': {
      const { preferenceId: id, ...preference } = event.data;
      return { ...state, custom: [...state.custom, { id, ...preference }], lastId: id };
    }
    case 'PreferenceRemoved': {
      const { [String(event.data.preferenceId)]: _, ...values } = state.values;
      return { ...state, custom: state.custom.filter(({ id }) => id !== event.data.preferenceId), values };
    }
    case 'PreferenceSet':
    case 'PreferenceSetForAll':
      return { ...state, values: { ...state.values, [event.data.preferenceId]: event.data.value } };
    default:
      return state;
  }
};

/** The id of the one aggregate. */
export const PREFERENCES_ID = 1;

/** Definitions of preferences, and the server's values of them. */
export const preferences: Aggregate<PreferencesState, PreferencesCommand, PreferenceEvent> = {
  context: 'social',
  kind: 'preferences',
  initialState: { custom: [], lastId: FIRST_CUSTOM_PREFERENCE - 1, values: {} },
  decide,
  evolve,
};
