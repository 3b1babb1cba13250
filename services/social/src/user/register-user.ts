import { decision, type AggregateRunner, type DecisionMeta, type Handled } from '@continuo/chassis';
import { Rejection, userNameReserved, type DomainEvent, type registerUser, type UserId } from '@continuo/contracts';
import type { z } from 'zod';
import type { AccountSecrets } from './account-secrets.js';
import { user, type UserCommand } from './user.decider.js';
import type { UserIds } from './user-ids.js';
import { userName } from './user-name.decider.js';

/** What registering an account needs. */
export interface RegistrationTools {
  readonly aggregates: AggregateRunner;
  readonly secrets: AccountSecrets;
  readonly userIds: UserIds;
}

/** The registration itself, parsed. */
export type Registration = z.output<typeof registerUser.schema>;

/** How many taken numbers are stepped over before giving up; they only occur while a lost read model is being rebuilt. */
const ID_TRIES = 25;

/**
 * Registers an account under the next free number.
 * @throws Rejection `user.name-taken`, `input.invalid` for a name with control characters, `unavailable` when no free number was found
 */
export const register = async (tools: RegistrationTools, data: Registration, meta: DecisionMeta): Promise<Handled<{ userId: number }>> => {
  for (let attempt = 1; attempt <= ID_TRIES; attempt += 1) {
    const userId = await tools.userIds.next();
    try {
      return await registerAs(tools, userId, data, meta);
    } catch (error) {
      if (!(error instanceof Rejection) || error.code !== 'conflict') throw error;
      await tools.userIds.catchUp();
    }
  }
  throw new Rejection('unavailable', 'the accounts are being rebuilt; try again shortly');
};

/**
 * Registers an account under a given number, in one batch with the reservation of its name.
 * @throws Rejection `user.name-taken`, `input.invalid`, `conflict` when the number is taken
 */
export const registerAs = async (
  { aggregates, secrets }: RegistrationTools,
  userId: UserId,
  data: Registration,
  meta: DecisionMeta,
): Promise<Handled<{ userId: number }>> => {
  checkUsername(data.username);
  const nameDigest = secrets.nameDigest(data.username);
  const command = await registerCommand(secrets, userId, data, meta);
  const { position, events } = await aggregates.run(
    [decision(userName, nameDigest, { type: 'reserve', userId, nameDigest }), decision(user, userId, command)],
    meta,
  );
  const registered = reservedFor(events) ?? userId;
  if (registered === userId || !position) return { result: { userId }, positions: position ? [position] : [] };
  // A retry: its first try got another number, and what to wait for is that account's events, which follow the reservation.
  const { position: last } = await aggregates.load(user, registered);
  return { result: { userId: registered }, positions: [{ ...position, position: Math.max(last, position.position) }] };
};

const registerCommand = async (secrets: AccountSecrets, userId: UserId, data: Registration, meta: DecisionMeta): Promise<UserCommand> => {
  const { username, fullName, email, password, compatPassword, apiKey } = data;
  const profile = { username, ...(fullName === undefined ? {} : { fullName }), ...(email === undefined ? {} : { email }) };
  const request = { userId, commandId: meta.commandId ?? meta.correlationId, name: 'default', atMs: meta.at, key: apiKey };
  return {
    type: 'register',
    userId,
    sealedProfile: await secrets.sealProfile(userId, profile),
    access: data.access,
    fullNamePublic: data.fullNamePublic,
    ...(password === undefined ? {} : { password: await secrets.sealPassword(password) }),
    ...(compatPassword === undefined ? {} : { sealedCompatPassword: secrets.sealCompatPassword(compatPassword) }),
    ...(apiKey === undefined ? {} : { apiKey: secrets.apiKey(request).kept }),
  };
};

/** The account that the events name: on a retried command the one of the first try, which had another number. */
const reservedFor = (events: readonly (readonly DomainEvent[])[]): UserId | undefined => {
  const reserved = events.flat().find((event) => event.type === userNameReserved.type);
  return reserved ? userNameReserved.schema.parse(reserved.data).userId : undefined;
};

const checkUsername = (username: string): void => {
  if (/\p{C}/u.test(username)) throw new Rejection('input.invalid', 'a user name cannot hold control characters', 'username');
};
