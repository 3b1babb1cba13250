import { specFor } from '@continuo/chassis/testkit';
import {
  apiKeyIssued,
  apiKeyRevoked,
  compatPasswordSet,
  userDisabled,
  userEnabled,
  userId as id,
  userNameReleased,
  userNameReserved,
  userPasswordSet,
  userRegistered,
} from '@continuo/contracts';
import { describe, it } from 'vitest';
import { userName } from './user-name.decider.js';
import { user } from './user.decider.js';

const userId = id.parse(7);
const other = id.parse(8);
const sealed = 'v1.a.b.c';
const profile = { userId, sealedProfile: sealed, access: 25 as const, fullNamePublic: false };
const password = { sealedSha256: sealed, sealedArgon2id: sealed };
const apiKey = { keyId: 'k1', name: 'default', sha256: 'ab', sealedKey: sealed, issuedAtMs: 1 };
const registered = userRegistered(profile);

describe('user', () => {
  const { given } = specFor(user);

  it('registers with whatever credentials come along', () => {
    given([])
      .when({ type: 'register', ...profile })
      .then([registered]);
    given([])
      .when({ type: 'register', ...profile, password, sealedCompatPassword: sealed, apiKey })
      .then([
        registered,
        userPasswordSet({ userId, ...password }),
        compatPasswordSet({ userId, sealedPassword: sealed }),
        apiKeyIssued({ userId, ...apiKey }),
      ]);
  });

  it('does not register the same id twice', () => {
    given([registered])
      .when({ type: 'register', ...profile })
      .thenRejected('conflict');
  });

  it('knows nothing of accounts that were never registered', () => {
    given([]).when({ type: 'disable', userId }).thenRejected('user.not-found');
    given([])
      .when({ type: 'set-password', userId, ...password })
      .thenRejected('user.not-found');
  });

  it('sets passwords', () => {
    given([registered])
      .when({ type: 'set-password', userId, ...password })
      .then([userPasswordSet({ userId, ...password })]);
    given([registered])
      .when({ type: 'set-compat-password', userId, sealedPassword: sealed })
      .then([compatPasswordSet({ userId, sealedPassword: sealed })]);
  });

  it('issues a key once and revokes it once', () => {
    const issued = apiKeyIssued({ userId, ...apiKey });
    const revoked = apiKeyRevoked({ userId, keyId: 'k1' });
    given([registered]).when({ type: 'issue-api-key', userId, apiKey }).then([issued]);
    given([registered, issued]).when({ type: 'issue-api-key', userId, apiKey }).then([]);
    given([registered, issued]).when({ type: 'revoke-api-key', userId, keyId: 'k1' }).then([revoked]);
    given([registered, issued, revoked]).when({ type: 'revoke-api-key', userId, keyId: 'k1' }).then([]);
    given([registered]).when({ type: 'revoke-api-key', userId, keyId: 'toString' }).thenRejected('input.invalid');
  });

  it('disables and enables, saying nothing when it is so already', () => {
    const disabled = userDisabled({ userId });
    given([registered]).when({ type: 'disable', userId }).then([disabled]);
    given([registered, disabled]).when({ type: 'disable', userId }).then([]);
    given([registered, disabled])
      .when({ type: 'enable', userId })
      .then([userEnabled({ userId })]);
    given([registered]).when({ type: 'enable', userId }).then([]);
  });
});

describe('userName', () => {
  const { given } = specFor(userName);
  const nameDigest = 'd1';
  const reserved = userNameReserved({ userId, nameDigest });
  const released = userNameReleased({ userId, nameDigest });

  it('is held by one account', () => {
    given([]).when({ type: 'reserve', userId, nameDigest }).then([reserved]);
    given([reserved]).when({ type: 'reserve', userId, nameDigest }).then([]);
    given([reserved]).when({ type: 'reserve', userId: other, nameDigest }).thenRejected('user.name-taken');
  });

  it('is free again once its holder lets go', () => {
    given([reserved]).when({ type: 'release', userId: other, nameDigest }).then([]);
    given([reserved]).when({ type: 'release', userId, nameDigest }).then([released]);
    given([reserved, released])
      .when({ type: 'reserve', userId: other, nameDigest })
      .then([userNameReserved({ userId: other, nameDigest })]);
  });
});
