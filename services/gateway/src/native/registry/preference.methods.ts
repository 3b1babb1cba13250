import {
  customPreferenceCategories,
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
import { requireLevel } from '../../auth/index.js';
import { runCommand } from '../../commands.js';
import { SERVER_USER, type PreferenceSnapshot } from '../../preferences/index.js';
import { listMd5 } from '../../reads/id-list.js';
import { badValue, notFound } from '../errors/native-fault.js';
import { method, methodLookingFirst, type CallerCall } from '../method.js';
import { preferenceObject, type NativePreference } from '../objects/preference.object.js';
import { flag, required } from '../params.js';
import { itemsFrom, objectResult, type NativeResult } from '../result.js';
import { apiVersions } from '../versions/policy.js';

const ADMINISTRATOR = 100;
/** So much of a value that is refused is told. */
const SHOWN = 100;

const listOf = (views: readonly NativePreference[]): NativeResult => {
  const batches = (async function* () {
    yield views;
  })();
  return {
    kind: 'list',
    name: preferenceObject.kind,
    counted: false,
    list: { total: views.length, md5: listMd5(Int32Array.from(views, ({ definition }) => definition.id)) },
    items: itemsFrom(preferenceObject, batches, { isEmpty: views.length === 0, isLong: false }),
  };
};

const single = (view: NativePreference): NativeResult =>
  objectResult(preferenceObject, view, { counted: false, md5: () => listMd5(Int32Array.of(view.definition.id)) });

/** A preference as the caller reads it: of itself, or for user 0 of the server. */
const readAs = (
  call: CallerCall<unknown>,
  snapshot: PreferenceSnapshot,
  definition: PreferenceDefinition,
  userId: number,
): NativePreference => ({
  definition,
  value: snapshot.valueOf(userId, definition),
  hasAccess: call.request.caller.account.access >= definition.level,
});

/** Whether a preference is the server's alone. */
const isOfServer = ({ category }: PreferenceDefinition): boolean => category === 'system';

const userPreferences = async (call: CallerCall<unknown>): Promise<NativeResult> => {
  const snapshot = await call.services.preferences.current();
  const own = snapshot.definitions.filter((definition) => !isOfServer(definition));
  return listOf(own.map((definition) => readAs(call, snapshot, definition, call.request.caller.account.id)));
};

const userPreference = async (call: CallerCall<{ filter: string }>): Promise<NativeResult> => {
  const snapshot = await call.services.preferences.current();
  const definition = snapshot.named(call.params.filter);
  if (!definition || isOfServer(definition)) throw notFound('filter', call.params.filter.slice(0, SHOWN));
  return single(readAs(call, snapshot, definition, call.request.caller.account.id));
};

const systemPreferences = async (call: CallerCall<unknown>): Promise<NativeResult> => {
  const snapshot = await call.services.preferences.current();
  return listOf(snapshot.definitions.map((definition) => readAs(call, snapshot, definition, SERVER_USER)));
};

const systemPreference = async (call: CallerCall<{ filter: string }>): Promise<NativeResult> => {
  const snapshot = await call.services.preferences.current();
  const definition = snapshot.named(call.params.filter);
  if (!definition) throw notFound('filter', call.params.filter.slice(0, SHOWN));
  return single(readAs(call, snapshot, definition, SERVER_USER));
};

/** Sends a command and sees to it that the next snapshot shows what it did. */
const change = async <S extends z.ZodType, R extends z.ZodType>(
  { services, request }: CallerCall<unknown>,
  command: CommandDefinition<S, R>,
  data: z.input<S>,
): Promise<z.output<R>> => {
  const result = await runCommand(services, request, command, data);
  services.preferences.noteChange();
  return result;
};

const SWITCHES = apiVersions.map((version): BuiltInPreference => `api_enable_${version}`);
const YES = /^\s*(?:1|true|yes|on)\s*$/i;

/** Whoever switches all versions off could not switch one on again. */
const keepOneVersion = (snapshot: PreferenceSnapshot, userId: number, { filter, value }: { filter: string; value: string }): void => {
  const others = SWITCHES.filter((name) => name !== filter);
  if (others.length === SWITCHES.length || YES.test(value)) return;
  if (!others.some((name) => snapshot.isOn(userId, name))) throw badValue('value', `${value} (one version of the API has to stay on)`);
};

interface EditParams {
  readonly filter: string;
  readonly value: string;
  readonly all: boolean;
  readonly default: boolean;
}

/** Parameters first, then the level that everybody's values need, then whether there is such a preference, then its own level. */
const edit = async (call: CallerCall<EditParams>): Promise<NativeResult> => {
  const { filter, value, all } = call.params;
  const { caller } = call.request;
  const isDefault = call.params.default && call.policy.version >= 6;
  if (all || isDefault) requireLevel(caller, ADMINISTRATOR);
  const snapshot = await call.services.preferences.current();
  const definition = snapshot.named(filter);
  if (!definition || (isOfServer(definition) && caller.account.access < ADMINISTRATOR)) throw notFound('filter', filter.slice(0, SHOWN));
  requireLevel(caller, definition.level as AccessLevel);
  const userId = all || isDefault || isOfServer(definition) ? SERVER_USER : caller.account.id;
  keepOneVersion(snapshot, userId, call.params);
  const holder = all ? 'everybody' : userId === SERVER_USER ? 'default' : { userId: caller.account.id };
  const kept = preferenceValue(definition, value);
  if (kept === undefined) throw badValue('value', value.slice(0, SHOWN));
  await change(call, setPreference, { name: filter, value: kept, holder });
  const view = { definition, value: kept };
  // Of all answers with one preference this one alone is a list under its kind in version 5 (versions.md section 3.3).
  return call.policy.version === 5 ? listOf([view]) : single(view);
};

const LEVELS: readonly string[] = ['0', '5', '25', '50', '75', '100'];
const level = z
  .string()
  .refine((text) => LEVELS.includes(text.trim()))
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

const create = async (call: CallerCall<z.output<typeof createParams>>): Promise<NativeResult> => {
  const { filter: name, default: given, subcategory, description = '', level: least = ADMINISTRATOR, type, category } = call.params;
  const value = preferenceValue({ type }, given);
  if (value === undefined) throw badValue('default', given.slice(0, SHOWN));
  const preference = { name, description, level: least, type, category, subcategory: subcategory || null, default: value };
  const { preferenceId } = await change(call, definePreference, preference);
  return single({ definition: { ...preference, id: preferenceId }, value });
};

const byName = z.object({ filter: required });
const nothing = (): Promise<void> => Promise.resolve();

/** Methods that read, set, make and remove preferences (native README section 13). */
export const preferenceMethods = {
  user_preferences: method({ versions: [5, 6, 8], access: 5, params: z.object({}), run: userPreferences }),
  user_preference: method({ versions: [5, 6, 8], access: 5, params: byName, run: userPreference }),
  system_preferences: method({ versions: [5, 6, 8], access: ADMINISTRATOR, params: z.object({}), run: systemPreferences }),
  system_preference: method({ versions: [5, 6, 8], access: ADMINISTRATOR, params: byName, run: systemPreference }),
  preference_edit: method({
    versions: [5, 6, 8],
    access: 5,
    params: z.object({ filter: required, value: required, all: flag, default: flag }),
    run: edit,
  }),
  preference_create: methodLookingFirst({
    versions: [5, 6, 8],
    access: ADMINISTRATOR,
    params: createParams,
    look: nothing,
    run: create,
  }),
  preference_delete: methodLookingFirst({
    versions: [5, 6, 8],
    access: ADMINISTRATOR,
    params: byName,
    look: nothing,
    run: async (call) => {
      await change(call, removePreference, { name: call.params.filter });
      return { kind: 'success', message: `Deleted: ${call.params.filter}` };
    },
  }),
};
