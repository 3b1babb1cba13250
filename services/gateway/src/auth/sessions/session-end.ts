import type { StoredAccount } from '../credentials/credential-snapshot.js';
import type { SessionRecord } from './session-store.js';

/** True for a session whose ground is gone: the API key that opened it was revoked, or the password that opened it has been set anew since. */
export const sessionIsOver = ({ keys, passwordSetAtMs }: StoredAccount, { apiKeyId, openedAtMs = 0 }: SessionRecord): boolean =>
  apiKeyId === undefined ? openedAtMs < (passwordSetAtMs ?? 0) : !keys.some(({ keyId }) => keyId === apiKeyId);
