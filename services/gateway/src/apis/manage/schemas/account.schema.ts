import { accessLevel, emailAddress, rolePreferences, userId, type AccountRole } from '@continuo/contracts';
import { z } from 'zod';
import type { Auth } from '../../../auth/auth.js';
import type { PreferenceSnapshot } from '../../../preferences/index.js';
import type { ManagedAccount } from '../../../reads/people/managed-accounts.reads.js';
import { id } from './ids.js';
import { time, timeText, timeTextOrNull } from './times.js';

const roleNames = Object.keys(rolePreferences) as AccountRole[];
const MAX_TEXT = 255;
const LEAST_PASSWORD = 8;
const text = z
  .string()
  .max(MAX_TEXT)
  // oxlint-disable-next-line no-control-regex -- not every program that reads the API's documents knows \p{…}
  .regex(/^[^\u0000-\u001f\u007f-\u009f]*$/u);

/** A user name: not all digits, which would be read as a number. */
export const username = z
  .string()
  .trim()
  .min(1)
  .max(128)
  .regex(/^(?!\d+$)\P{C}*$/u);

/** A new password. */
export const newPassword = z.string().min(LEAST_PASSWORD).max(1024);

/** Changes of a profile; an empty text takes something away. */
export const profileChange = z.strictObject({
  fullName: text,
  fullNamePublic: z.boolean(),
  website: text.regex(/^(?:https?:\/\/.+)?$/),
  city: text,
  state: text,
  email: emailAddress.or(z.literal('')),
});

/** Access level by its number. */
export const level = accessLevel.meta({ description: '5 guest, 25 user, 50 content manager, 75 catalog manager, 100 administrator' });

/** Roles that an account was given or lost, whatever its level. */
export const roles = z
  .strictObject(Object.fromEntries(roleNames.map((role) => [role, z.boolean()])) as Record<AccountRole, z.ZodBoolean>)
  .partial()
  .meta({ id: 'AccountRoles' });

/** Roles of an account by its own preferences. */
const rolesOf = (accountId: number, preferences: Pick<PreferenceSnapshot, 'own'>): z.output<typeof roles> =>
  Object.fromEntries(
    roleNames.flatMap((role) => {
      const own = preferences.own(accountId, rolePreferences[role]);
      return own === undefined ? [] : [[role, own === '1']];
    }),
  );

/** Schema of an account. */
export const account = z
  .object({
    id,
    username: z.string(),
    fullName: z.string().nullable(),
    fullNamePublic: z.boolean(),
    email: z.string().nullable(),
    website: z.string().nullable(),
    city: z.string().nullable(),
    state: z.string().nullable(),
    level,
    disabled: z.boolean(),
    awaiting: z.enum(['confirmation', 'approval']).nullable().meta({ description: 'What an account that signed up waits for' }),
    maxBitrateBps: z.int().nullable().meta({ description: 'Highest bit rate at which it is sent media; null: any' }),
    catalogGroupId: id.nullable().meta({ description: 'Group whose catalogs it sees; null: all catalogs' }),
    hasStreamToken: z.boolean(),
    keyCount: z.int(),
    roles: roles.meta({ description: 'Roles that were given to it or taken from it; others follow its level' }),
    avatarHash: z.string().nullable().meta({ description: 'SHA-256 of its picture; null when it has none' }),
    createdAt: time,
    lastSeenAt: time.nullable().meta({ description: 'To the minute; not part of the ETag' }),
  })
  .meta({ id: 'Account' });

/** An account as it is answered. */
export const accountView = (
  view: ManagedAccount,
  { lastSeenAtMs, preferences }: { readonly lastSeenAtMs: Auth['lastSeenAtMs']; readonly preferences: Pick<PreferenceSnapshot, 'own'> },
): z.output<typeof account> => ({
  id: view.id,
  username: view.username,
  fullName: view.fullName,
  fullNamePublic: view.fullNamePublic,
  email: view.email,
  website: view.website,
  city: view.city,
  state: view.state,
  level: accessLevel.parse(view.access),
  disabled: view.disabled,
  awaiting: view.awaiting,
  maxBitrateBps: view.maxBitrateBps,
  catalogGroupId: view.catalogGroupId,
  hasStreamToken: view.hasStreamToken,
  keyCount: view.keyCount,
  roles: rolesOf(view.id, preferences),
  avatarHash: view.avatarHash,
  createdAt: timeText(view.createdAtMs),
  lastSeenAt: timeTextOrNull(lastSeenAtMs(userId.parse(view.id))),
});
