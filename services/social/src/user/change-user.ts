import { decision, done, retryConflicts, type Decision, type DecisionMeta, type Handled } from '@continuo/chassis';
import { Rejection, type changeUser, type UserId, type UserProfile } from '@continuo/contracts';
import type { z } from 'zod';
import { unreadableProfile } from './account-secrets.js';
import type { AccountDependencies } from './account-dependencies.js';
import { administrators, ADMINISTRATORS_ID } from './administrators.decider.js';
import type { ChangeCommand } from './user-commands.js';
import { checkUsername } from './register-user.js';
import { user } from './user.decider.js';
import { userEmail } from './user-email.decider.js';
import { userName } from './user-name.decider.js';
import type { UserState } from './user-state.js';

/** The change as it is asked for, parsed. */
export type Change = Partial<z.output<typeof changeUser.schema>> & { readonly userId: UserId };

/** Retries of a change after somebody else has changed the account meanwhile. */
const TRIES = 5;
const ADMINISTRATOR = 100;

/** Runs what was worked out from a state of the account, and works it out anew when that state is past. */
export const onCurrentState = <T>(work: () => Promise<T>): Promise<T> => retryConflicts(TRIES, work);

const PROFILE_FIELDS = ['fullName', 'email', 'website', 'city', 'state'] as const;

/** The profile with its changes; undefined when nothing of it changes. An empty text takes a part away, but for the name. */
const changedProfile = async (
  { secrets }: AccountDependencies,
  state: UserState,
  change: Change,
): Promise<{ readonly before: UserProfile; readonly after: UserProfile } | undefined> => {
  const { username, fullNamePublic } = change;
  if (PROFILE_FIELDS.every((field) => change[field] === undefined) && username === undefined && fullNamePublic === undefined)
    return undefined;
  const before = await secrets.openProfile(change.userId, state.sealedProfile);
  if (!before) throw unreadableProfile();
  const wanted = Object.fromEntries(PROFILE_FIELDS.map((field) => [field, (change[field] ?? before[field] ?? '') || undefined]));
  const after = { ...before, ...wanted, username: username ?? before.username };
  const same = PROFILE_FIELDS.every((field) => after[field] === before[field]) && after.username === before.username;
  return same && (fullNamePublic ?? state.fullNamePublic) === state.fullNamePublic ? undefined : { before, after };
};

/** Lets go of the old address and takes hold of the new one. */
const emailDecisions = ({ secrets }: AccountDependencies, userId: UserId, before?: UserProfile, after?: UserProfile): Decision[] => {
  const [old, next] = [before?.email, after?.email].map((email) => (email === undefined ? undefined : secrets.emailDigest(email)));
  if (old === next) return [];
  return [
    ...(old === undefined ? [] : [decision(userEmail, old, { type: 'release', userId, emailDigest: old })]),
    ...(next === undefined ? [] : [decision(userEmail, next, { type: 'reserve', userId, emailDigest: next })]),
  ];
};

/** Lets go of the old name and takes hold of the new one; another spelling of the same name is no other. */
const nameDecisions = ({ secrets }: AccountDependencies, userId: UserId, before: UserProfile, after: UserProfile): Decision[] => {
  const [old, next] = [secrets.nameDigest(before.username), secrets.nameDigest(after.username)];
  if (old === next) return [];
  return [
    decision(userName, old, { type: 'release', userId, nameDigest: old }),
    decision(userName, next, { type: 'reserve', userId, nameDigest: next }),
  ];
};

const administers = ({ access, disabled }: Pick<UserState, 'access' | 'disabled'>): boolean => access === ADMINISTRATOR && !disabled;

/** Keeps the set of administrators in step with one account's level and state. */
export const administratorDecisions = async (
  { accounts }: AccountDependencies,
  userId: UserId,
  before: Pick<UserState, 'access' | 'disabled'>,
  after: Pick<UserState, 'access' | 'disabled'>,
): Promise<Decision[]> => {
  if (administers(before) === administers(after)) return [];
  const type = administers(after) ? 'name' : 'dismiss';
  return [decision(administrators, ADMINISTRATORS_ID, { type, userId, before: await accounts.administrators() })];
};

const changeCommand = async (
  { secrets }: AccountDependencies,
  change: Change,
  state: UserState,
  meta: DecisionMeta,
): Promise<Omit<ChangeCommand, 'profile'>> => {
  const { userId, access, disabled, maxBitrateBps, compatPassword } = change;
  const request = { userId, commandId: meta.commandId ?? meta.correlationId, atMs: meta.at };
  const password = await secrets.sealPassword(change);
  return {
    type: 'change',
    userId,
    revision: state.revision,
    ...(access === undefined ? {} : { access }),
    ...(disabled === undefined ? {} : { disabled }),
    ...(maxBitrateBps === undefined ? {} : { maxBitrateBps: maxBitrateBps || null }),
    ...(password === undefined ? {} : { password }),
    ...(compatPassword === undefined ? {} : { sealedCompatPassword: secrets.sealCompatPassword(compatPassword) }),
    ...(change.resetApiKey ? { apiKey: secrets.apiKey({ ...request, name: 'default' }).kept } : {}),
    ...(change.resetStreamToken ? { streamToken: secrets.streamToken(request) } : {}),
  };
};

/**
 * Changes an account, all that is asked for or nothing.
 * @throws Rejection `user.not-found`, `user.name-taken`, `user.email-taken`, `user.last-administrator`, `input.invalid` for a name with control characters,
 *   `unavailable` when the profile cannot be read
 */
export const changeAccount = (tools: AccountDependencies, change: Change, meta: DecisionMeta): Promise<Handled<Record<string, never>>> =>
  onCurrentState(async () => {
    const { userId, username } = change;
    if (username !== undefined) checkUsername(username);
    const { state } = await tools.aggregates.load(user, userId);
    if (state.status !== 'present') throw new Rejection('user.not-found', undefined, 'user');
    const profile = await changedProfile(tools, state, change);
    const command: ChangeCommand = {
      ...(await changeCommand(tools, change, state, meta)),
      ...(profile
        ? {
            profile: {
              sealedProfile: await tools.secrets.sealProfile(userId, profile.after),
              fullNamePublic: change.fullNamePublic ?? state.fullNamePublic,
            },
          }
        : {}),
    };
    const after = { access: change.access ?? state.access, disabled: change.disabled ?? state.disabled };
    const decisions = [
      decision(user, userId, command),
      ...(profile ? nameDecisions(tools, userId, profile.before, profile.after) : []),
      ...emailDecisions(tools, userId, profile?.before, profile?.after),
      ...(await administratorDecisions(tools, userId, state, after)),
    ];
    return done(tools.aggregates.run(decisions, meta));
  });
