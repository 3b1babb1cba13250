import { decision, isConflict, type Decision, type DecisionMeta, type Handled } from '@continuo/chassis';
import { Rejection, userNameReserved, type DomainEvent, type registerUser, type UserId } from '@continuo/contracts';
import type { z } from 'zod';
import type { AccountDependencies } from './account-dependencies.js';
import { externalIdentity } from './external-identity.decider.js';
import { administrators, ADMINISTRATORS_ID } from './administrators.decider.js';
import type { RegisterCommand } from './user-commands.js';
import { user } from './user.decider.js';
import { userEmail } from './user-email.decider.js';
import { userName } from './user-name.decider.js';

/** The registration itself, parsed; what it waits for is the handler's own decision. */
export type Registration = z.output<typeof registerUser.schema> & {
  readonly awaiting?: 'confirmation' | 'approval';
  /** Validity of the mailed token, when the address has to be confirmed, ms. */
  readonly confirmationLifetimeMs?: number;
};

/** Number of taken ids skipped before giving up; they only occur while a lost read model is being rebuilt. */
const ID_TRIES = 25;
const ADMINISTRATOR = 100;

/**
 * Registers an account under the next free number.
 * @throws Rejection `user.name-taken`, `user.email-taken`, `user.identity-taken`, `input.invalid` for a name with control characters, `unavailable` when no free number was
 *   found
 */
export const register = async (
  tools: AccountDependencies,
  data: Registration,
  meta: DecisionMeta,
): Promise<Handled<{ userId: number }>> => {
  for (let attempt = 1; attempt <= ID_TRIES; attempt += 1) {
    const userId = await tools.userIds.next();
    try {
      return await registerAs(tools, userId, data, meta);
    } catch (error) {
      if (!isConflict(error)) throw error;
      await tools.userIds.catchUp();
    }
  }
  throw new Rejection('unavailable', 'the accounts are being rebuilt; try again shortly');
};

/**
 * Registers an account under a given number, in one batch with the reservations of its name and address.
 * @throws Rejection `user.name-taken`, `user.email-taken`, `input.invalid`, `conflict` when the number is taken
 */
export const registerAs = async (
  tools: AccountDependencies,
  userId: UserId,
  data: Registration,
  meta: DecisionMeta,
): Promise<Handled<{ userId: number }>> => {
  checkUsername(data.username);
  const { aggregates } = tools;
  const decisions = [
    ...(await reservations(tools, userId, data)),
    decision(user, userId, await registerCommand(tools, userId, data, meta)),
  ];
  const { position, events } = await aggregates.run(decisions, meta);
  const registered = reservedFor(events) ?? userId;
  if (registered === userId || !position) return { result: { userId }, positions: position ? [position] : [] };
  // A retry: its first try got another number, and what to wait for is that account's events, which follow the reservation.
  const { position: last } = await aggregates.load(user, registered);
  return { result: { userId: registered }, positions: [{ ...position, position: Math.max(last, position.position) }] };
};

/** Reservations of a new account beside its number: its name, its address, its place among the administrators. */
const reservations = async ({ secrets, accounts }: AccountDependencies, userId: UserId, data: Registration): Promise<Decision[]> => {
  const nameDigest = secrets.nameDigest(data.username);
  const emailDigest = data.email === undefined ? undefined : secrets.emailDigest(data.email);
  const identityDigest = data.identity?.identityDigest;
  const isAdministrator = data.access === ADMINISTRATOR && !data.disabled && data.awaiting === undefined;
  return [
    decision(userName, nameDigest, { type: 'reserve', userId, nameDigest }),
    ...(emailDigest === undefined ? [] : [decision(userEmail, emailDigest, { type: 'reserve', userId, emailDigest })]),
    ...(identityDigest === undefined ? [] : [decision(externalIdentity, identityDigest, { type: 'reserve', userId, identityDigest })]),
    ...(isAdministrator
      ? [decision(administrators, ADMINISTRATORS_ID, { type: 'name', userId, before: await accounts.administrators() })]
      : []),
  ];
};

const registerCommand = async (
  { secrets }: AccountDependencies,
  userId: UserId,
  data: Registration,
  meta: DecisionMeta,
): Promise<RegisterCommand> => {
  const { username, fullName, email, compatPassword, apiKey, identity, disabled, awaiting, confirmationLifetimeMs } = data;
  const profile = { username, ...(fullName === undefined ? {} : { fullName }), ...(email === undefined ? {} : { email }) };
  const request = { userId, commandId: meta.commandId ?? meta.correlationId, atMs: meta.at };
  const password = await secrets.sealPassword(data);
  return {
    type: 'register',
    userId,
    sealedProfile: await secrets.sealProfile(userId, profile),
    access: data.access,
    fullNamePublic: data.fullNamePublic,
    disabled,
    ...(awaiting === undefined ? {} : { awaiting }),
    ...(confirmationLifetimeMs === undefined ? {} : { confirmation: secrets.mailedToken(request, confirmationLifetimeMs) }),
    ...(password === undefined ? {} : { password }),
    ...(compatPassword === undefined ? {} : { sealedCompatPassword: secrets.sealCompatPassword(compatPassword) }),
    ...(identity === undefined ? {} : { identity: { ...identity, linkedAtMs: meta.at } }),
    ...(apiKey === undefined ? {} : { apiKey: secrets.apiKey({ ...request, name: 'default', key: apiKey }).kept }),
  };
};

/** The account that the events name: on a retried command the one of the first try, which had another number. */
const reservedFor = (events: readonly (readonly DomainEvent[])[]): UserId | undefined => {
  const reserved = events.flat().find((event) => event.type === userNameReserved.type);
  return reserved ? userNameReserved.schema.parse(reserved.data).userId : undefined;
};

/** @throws Rejection `input.invalid` for a name with control characters */
export const checkUsername = (username: string): void => {
  if (/\p{C}/u.test(username)) throw new Rejection('input.invalid', 'a user name cannot hold control characters', 'username');
};
