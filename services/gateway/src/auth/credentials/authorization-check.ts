import { LEAST_LEVEL } from '../access-rules.js';
import type { Auth, Caller } from '../auth.js';
import type { CredentialSnapshot, StoredAccount } from './credential-snapshot.js';
import type { Identities } from './identities.js';
import { sessionIsOver } from '../sessions/session-end.js';

/** A text that changes when any password of the account is set. */
const passwordsOf = ({ passwordSetAtMs, sealedPasswordSha256, sealedCompatPassword }: StoredAccount): string =>
  JSON.stringify([passwordSetAtMs, sealedPasswordSha256, sealedCompatPassword]);

const hasGround = (identities: Identities, stored: StoredAccount, caller: Caller, passwords: string): boolean => {
  if (caller.sessionKey !== undefined) {
    const session = identities.parts.sessions.peek(caller.sessionKey);
    return session !== undefined && !sessionIsOver(stored, session);
  }
  if (caller.apiKeyId !== undefined) return stored.keys.some(({ keyId }) => keyId === caller.apiKeyId);
  return passwordsOf(stored) === passwords;
};

/** Returns a check whether a caller's credential is still valid, for long-lived answers. The check does not extend the session and reads only memory. */
export const authorizationCheck =
  (identities: Identities): Auth['authorizationCheckOf'] =>
  async (caller) => {
    const { id } = caller.account;
    const passwordsIn = (snapshot: CredentialSnapshot): string => {
      const stored = snapshot.userById(id);
      return stored ? passwordsOf(stored) : '';
    };
    const passwords = passwordsIn(await identities.snapshot());
    return async () => {
      const snapshot = await identities.snapshot();
      const stored = identities.enabled(snapshot, id);
      if (!stored || !hasGround(identities, stored, caller, passwords)) return false;
      return identities.admits(snapshot, { use: 'rpc', address: caller.address, userId: id, level: LEAST_LEVEL });
    };
  };
