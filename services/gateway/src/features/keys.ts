import { hasScope, issueApiKey, Rejection, userId, type KeyScope } from '@continuo/contracts';
import type { HasReadModel } from '../reads/database/database.js';
import { managedKeyById, type ManagedKey } from '../reads/people/managed-accounts.reads.js';
import { runAndAwaitReadModel } from '../server/commands.js';
import type { HasClock, HasCommands, HasConfig } from '../server/needs.js';
import type { CallerContext } from '../server/requests/request-context.js';

/** Terms of a key to issue. */
export interface WantedKey {
  readonly accountId: number;
  readonly name: string;
  /** Every scope of the caller when absent. */
  readonly scopes?: readonly KeyScope[] | undefined;
  /** Epoch milliseconds. */
  readonly expiresAtMs?: number | undefined;
}

/** A key that was just issued, with its text. */
export interface IssuedKey extends ManagedKey {
  readonly key: string;
}

/** @throws Rejection `access.scope` for scopes that the caller's own key does not have */
const grantable = ({ caller: { scopes: own } }: CallerContext, wanted: readonly KeyScope[] | undefined): KeyScope[] | undefined => {
  const granted = wanted ?? own;
  if (granted?.some((scope) => !hasScope(own, scope)) === true)
    throw new Rejection('access.scope', 'a key cannot grant scopes that it does not have', 'scopes');
  return granted && [...granted];
};

/**
 * Issues an API key. A caller whose own key has a list of scopes grants no others, and no later end.
 * @throws Rejection `access.scope`, `account.full`, `user.not-found`; `input.invalid` for an end that is past
 */
export const issueKey = async (
  services: HasReadModel & HasCommands & HasConfig & HasClock,
  context: CallerContext,
  { accountId, name, scopes: wanted, expiresAtMs }: WantedKey,
): Promise<IssuedKey> => {
  const scopes = grantable(context, wanted);
  if (expiresAtMs !== undefined && expiresAtMs <= services.now())
    throw new Rejection('input.invalid', 'a key has to end in the future', 'expiresAt');
  const data = {
    userId: userId.parse(accountId),
    name,
    ...(scopes ? { scopes } : {}),
    ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
  };
  const { keyId, key } = await runAndAwaitReadModel(services, context, { command: issueApiKey }, data);
  const issued = await managedKeyById(services.db, keyId);
  if (!issued) throw new Rejection('unavailable', 'the key is issued and will be shown soon');
  return { ...issued, key };
};
