import { LEAST_LEVEL } from './access-rules.js';
import type { Auth, Caller } from './auth.js';
import type { CredentialSnapshot, StoredAccount } from './credential-snapshot.js';
import type { Identities } from './identities.js';
import { sessionIsOver } from './session-end.js';
import { keyOfToken } from './session-store.js';

/** What a login by password rests on; each of them is another text once it was set anew. */
const passwordsOf = ({ passwordSetAtMs, sealedPasswordSha256, sealedCompatPassword }: StoredAccount): string =>
  JSON.stringify([passwordSetAtMs, sealedPasswordSha256, sealedCompatPassword]);

const hasGround = (identities: Identities, stored: StoredAccount, caller: Caller, passwords: string): boolean => {
  const token = caller.session?.token;
  if (token !== undefined) {
    const session = identities.parts.sessions.peek(keyOfToken(token));
    return session !== undefined && !sessionIsOver(stored, session);
  }
  if (caller.apiKeyId !== undefined) return stored.keys.some(({ keyId }) => keyId === caller.apiKeyId);
  return passwordsOf(stored) === passwords;
};

/** Whether what a caller was let in by still holds, for answers that go on for long. Asking does not let a session live on, and costs nothing. */
export const standing =
  (identities: Identities): Auth['standingOf'] =>
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
