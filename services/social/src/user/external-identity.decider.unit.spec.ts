import { specFor } from '@continuo/chassis/testkit';
import {
  apiKeyIssued,
  apiKeyRenamed,
  apiKeyRevoked,
  externalIdentityLinked,
  externalIdentityReleased,
  externalIdentityReserved,
  externalIdentityUnlinked,
  userId as id,
  userRegistered,
} from '@continuo/contracts';
import { describe, it } from 'vitest';
import { externalIdentity } from './external-identity.decider.js';
import { user } from './user.decider.js';

const userId = id.parse(7);
const other = id.parse(8);
const identityDigest = 'a'.repeat(64);
const identity = { identityDigest, issuer: 'https://id.example', linkedAtMs: 5 };
const registered = userRegistered({ userId, sealedProfile: 'v1.a.b.c', access: 25, fullNamePublic: false });
const apiKey = { keyId: 'k1', name: 'default', sha256: 'ab', sealedKey: 'v1.a.b.c', issuedAtMs: 1 };

describe('an identity at a provider', () => {
  const { given } = specFor(externalIdentity);
  const reserved = externalIdentityReserved({ userId, identityDigest });

  it('opens one account, until it is free again', () => {
    given([]).when({ type: 'reserve', userId, identityDigest }).then([reserved]);
    given([reserved]).when({ type: 'reserve', userId, identityDigest }).then([]);
    given([reserved]).when({ type: 'reserve', userId: other, identityDigest }).thenRejected('user.identity-taken');
    given([reserved]).when({ type: 'release', userId: other, identityDigest }).then([]);
    const released = externalIdentityReleased({ userId, identityDigest });
    given([reserved]).when({ type: 'release', userId, identityDigest }).then([released]);
    given([reserved, released])
      .when({ type: 'reserve', userId: other, identityDigest })
      .then([externalIdentityReserved({ userId: other, identityDigest })]);
  });
});

describe('an account', () => {
  const { given } = specFor(user);
  const linked = externalIdentityLinked({ userId, ...identity });

  it('is linked and unlinked once', () => {
    given([registered]).when({ type: 'link-identity', userId, identity }).then([linked]);
    given([registered, linked]).when({ type: 'link-identity', userId, identity }).then([]);
    given([registered]).when({ type: 'unlink-identity', userId, identityDigest }).then([]);
    given([registered, linked])
      .when({ type: 'unlink-identity', userId, identityDigest })
      .then([externalIdentityUnlinked({ userId, identityDigest })]);
    given([]).when({ type: 'link-identity', userId, identity }).thenRejected('user.not-found');
  });

  it('calls its live keys as it likes', () => {
    const issued = apiKeyIssued({ userId, ...apiKey });
    const rename = { type: 'rename-api-key', userId, keyId: 'k1', name: 'kitchen' } as const;
    const renamed = apiKeyRenamed({ userId, keyId: 'k1', name: 'kitchen' });
    given([registered, issued]).when(rename).then([renamed]);
    given([registered, issued, renamed]).when(rename).then([]);
    given([registered]).when(rename).thenRejected('input.invalid');
    given([registered, issued, apiKeyRevoked({ userId, keyId: 'k1' })])
      .when(rename)
      .thenRejected('input.invalid');
    // The key called `default` that the API replaces is not the one that was renamed.
    const next = { ...apiKey, keyId: 'k2' };
    given([registered, issued, renamed])
      .when({ type: 'change', userId, apiKey: next })
      .then([apiKeyIssued({ userId, ...next })]);
  });
});
