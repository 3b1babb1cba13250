import {
  customPreferenceCategories,
  MAX_PREFERENCE_LENGTH,
  definePreference,
  preferenceName,
  preferenceText,
  preferenceTypes,
  preferenceValue,
  removePreference,
  setPreference,
  type AccessLevel,
  type BuiltInPreference,
  type CommandDefinition,
  type PreferenceDefinition,
} from '@continuo/contracts';
import { z } from 'zod';
import { requireLevel } from '../../../../auth/index.js';
import { runCommand } from '../../../../server/commands.js';
import { SERVER_USER, type PreferenceSnapshot } from '../../../../preferences/index.js';
import { badValue, notFound, oneOf } from '../../errors/native-fault.js';
import { methodsUsing, type CallerCall } from '../../method.js';
import type { Named } from '../../named-object.js';
import { preferenceObject, type NativePreference } from '../../objects/preference.object.js';
import { flag, named, required } from '../../params.js';
import { heldList, objectResult, success, type NativeResult } from '../../result.js';
import { apiVersions } from '../../versions/policy.js';
import type { HasPreferences } from '../../../../preferences/preferences.js';
import type { HasCommands, HasConfig } from '../../../../server/needs.js';

type Services = HasCommands & HasConfig & HasPreferences;
const { method, methodWithLookup } = methodsUsing<Services>();

const ADMINISTRATOR = 100;
/** Longest part of a rejected value in an error. */
const SHOWN = 100;

const single = (view: NativePreference): NativeResult => objectResult(preferenceObject, view, view.definition.id, { counted: false });

/** A preference with the caller's value, or the server's for user 0. */
const readAs = (
  call: CallerCall<unknown, Services>,
  snapshot: PreferenceSnapshot,
  definition: PreferenceDefinition,
  userId: number,
): NativePreference => ({
  definition,
  value: snapshot.valueOf(userId, definition),
  hasAccess: definition.isReadOnly !== true && call.context.caller.account.access >= definition.level,
});

/** True for a preference of the server only. */
const isOfServer = ({ category }: PreferenceDefinition): boolean => category === 'system';

const userPreferences = async (call: CallerCall<unknown, Services>): Promise<NativeResult> => {
  const snapshot = await call.services.preferences.current();
  const own = snapshot.definitions.filter((definition) => !isOfServer(definition));
  return heldList(
    preferenceObject,
    own.map((definition) => readAs(call, snapshot, definition, call.context.caller.account.id)),
  );
};

const userPreference = async (call: CallerCall<Named, Services>): Promise<NativeResult> => {
  const snapshot = await call.services.preferences.current();
  const definition = snapshot.named(call.params.filter);
  if (!definition || isOfServer(definition)) throw notFound('filter', call.params.filter.slice(0, SHOWN));
  return single(readAs(call, snapshot, definition, call.context.caller.account.id));
};

const systemPreferences = async (call: CallerCall<unknown, Services>): Promise<NativeResult> => {
  const snapshot = await call.services.preferences.current();
  return heldList(
    preferenceObject,
    snapshot.definitions.map((definition) => readAs(call, snapshot, definition, SERVER_USER)),
  );
};

const systemPreference = async (call: CallerCall<Named, Services>): Promise<NativeResult> => {
  const snapshot = await call.services.preferences.current();
  const definition = snapshot.named(call.params.filter);
  if (!definition) throw notFound('filter', call.params.filter.slice(0, SHOWN));
  return single(readAs(call, snapshot, definition, SERVER_USER));
};

/** Rule for values of a preference. */
const ruleOf = ({ type, values }: Pick<PreferenceDefinition, 'type' | 'values'>): string => {
  if (values) return oneOf(values);
  const forms = {
    boolean: 'be 0 or 1',
    integer: 'be a whole number',
    string: `have ${MAX_PREFERENCE_LENGTH} characters at most`,
    special: 'be a word',
  };
  return `must ${forms[type]}`;
};

/** Sends a command and waits until the snapshot has its result. */
const change = async <S extends z.ZodType, R extends z.ZodType>(
  { services, context }: CallerCall<unknown, Services>,
  command: CommandDefinition<S, R>,
  data: z.input<S>,
): Promise<z.output<R>> => {
  const result = await runCommand(services, context, command, data);
  services.preferences.noteChange();
  return result;
};

const SWITCHES = apiVersions.map((version): BuiltInPreference => `api_enable_${version}`);
const YES = /^\s*(?:1|true|yes|on)\s*$/i;

/** Rejects switching off all API versions, since no version could switch one on again. */
const keepOneVersion = (snapshot: PreferenceSnapshot, userId: number, { filter, value }: { filter: string; value: string }): void => {
  const others = SWITCHES.filter((name) => name !== filter);
  if (others.length === SWITCHES.length || YES.test(value)) return;
  if (!others.some((name) => snapshot.isOn(userId, name)))
    throw badValue('value', value, 'must be 1: one version of the API has to stay on');
};

const editParams = z.object({ ...named, value: required, all: flag, default: flag });

/** Checks parameters, the level for values of all accounts, existence, then the preference's own level. */
const edit = async (call: CallerCall<z.output<typeof editParams>, Services>): Promise<NativeResult> => {
  const { filter, value, all } = call.params;
  const { caller } = call.context;
  const isDefault = call.params.default && call.policy.version >= 6;
  if (all || isDefault) requireLevel(caller, ADMINISTRATOR);
  const snapshot = await call.services.preferences.current();
  const definition = snapshot.named(filter);
  if (!definition || (isOfServer(definition) && caller.account.access < ADMINISTRATOR)) throw notFound('filter', filter.slice(0, SHOWN));
  requireLevel(caller, definition.level as AccessLevel);
  if (definition.isReadOnly) throw badValue('filter', filter, 'must be a preference that can be set');
  const userId = all || isDefault || isOfServer(definition) ? SERVER_USER : caller.account.id;
  keepOneVersion(snapshot, userId, call.params);
  const holder = all ? 'everybody' : userId === SERVER_USER ? 'default' : { userId: caller.account.id };
  const kept = preferenceValue(definition, value);
  if (kept === undefined) throw badValue('value', value, ruleOf(definition));
  await change(call, setPreference, { name: filter, value: kept, holder });
  const view = { definition, value: kept };
  // In version 5 only this single preference is a list under its kind.
  return call.policy.version === 5 ? heldList(preferenceObject, [view]) : single(view);
};

const LEVELS: readonly string[] = ['0', '5', '25', '50', '75', '100'];
const level = z
  .string()
  .refine((text) => LEVELS.includes(text.trim()), oneOf(LEVELS))
  .transform(Number)
  .optional();

const createParams = z.object({
  filter: preferenceName,
  type: z.enum(preferenceTypes),
  category: z.enum(customPreferenceCategories),
  default: required,
  description: preferenceText.optional(),
  level,
  subcategory: preferenceText.optional(),
});

const create = async (call: CallerCall<z.output<typeof createParams>, Services>): Promise<NativeResult> => {
  const { filter: name, default: given, subcategory, description = '', level: least = ADMINISTRATOR, type, category } = call.params;
  const value = preferenceValue({ type }, given);
  if (value === undefined) throw badValue('default', given, ruleOf({ type }));
  const preference = { name, description, level: least, type, category, subcategory: subcategory || null, default: value };
  const { preferenceId } = await change(call, definePreference, preference);
  return single({ definition: { ...preference, id: preferenceId }, value });
};

const nothing = (): Promise<void> => Promise.resolve();

/** Methods about preferences. */
export const preferenceMethods = {
  user_preferences: method({ versions: [5, 6, 8], access: 5, params: z.object({}), run: userPreferences }),
  user_preference: method({ versions: [5, 6, 8], access: 5, params: z.object(named), run: userPreference }),
  system_preferences: method({ versions: [5, 6, 8], access: ADMINISTRATOR, params: z.object({}), run: systemPreferences }),
  system_preference: method({ versions: [5, 6, 8], access: ADMINISTRATOR, params: z.object(named), run: systemPreference }),
  preference_edit: method({ versions: [5, 6, 8], access: 5, params: editParams, run: edit }),
  preference_create: methodWithLookup({ versions: [5, 6, 8], access: ADMINISTRATOR, params: createParams, look: nothing, run: create }),
  preference_delete: methodWithLookup({
    versions: [5, 6, 8],
    access: ADMINISTRATOR,
    params: z.object(named),
    look: nothing,
    run: async (call) => {
      await change(call, removePreference, { name: call.params.filter });
      return success(`Deleted: ${call.params.filter}`);
    },
  }),
};
