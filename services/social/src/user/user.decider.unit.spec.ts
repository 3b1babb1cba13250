import { specFor } from '@continuo/chassis/testkit';
import {
  administratorDismissed,
  administratorNamed,
  apiKeyIssued,
  apiKeyRevoked,
  compatPasswordSet,
  emailConfirmationRequested,
  emailConfirmed,
  passwordResetRequested,
  userAccessChanged,
  userBitrateLimited,
  userDeleted,
  userDisabled,
  userEmailReleased,
  userEmailReserved,
  userEnabled,
  userId as id,
  userNameReleased,
  userNameReserved,
  userPasswordSet,
  userRegistered,
} from '@continuo/contracts';
import { describe, it } from 'vitest';
import { administrators } from './administrators.decider.js';
import { userEmail } from './user-email.decider.js';
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
    given([]).when({ type: 'change', userId, disabled: true }).thenRejected('user.not-found');
    given([]).when({ type: 'change', userId, password }).thenRejected('user.not-found');
  });

  it('sets passwords', () => {
    given([registered])
      .when({ type: 'change', userId, password })
      .then([userPasswordSet({ userId, ...password })]);
    given([registered])
      .when({ type: 'change', userId, sealedCompatPassword: sealed })
      .then([compatPasswordSet({ userId, sealedPassword: sealed })]);
  });

  it('issues a key once and revokes it once', () => {
    const issued = apiKeyIssued({ userId, ...apiKey });
    const revoked = apiKeyRevoked({ userId, keyId: 'k1' });
    given([registered]).when({ type: 'issue-api-key', userId, apiKey }).then([issued]);
    const another = { ...apiKey, keyId: 'k9', name: 'another' };
    given([registered, issued]).when({ type: 'issue-api-key', userId, apiKey: another, most: 1 }).thenRejected('account.full');
    given([registered, issued, revoked])
      .when({ type: 'issue-api-key', userId, apiKey: another, most: 1 })
      .then([apiKeyIssued({ userId, ...another })]);
    given([registered, issued]).when({ type: 'issue-api-key', userId, apiKey }).then([]);
    given([registered, issued]).when({ type: 'revoke-api-key', userId, keyId: 'k1' }).then([revoked]);
    given([registered, issued, revoked]).when({ type: 'revoke-api-key', userId, keyId: 'k1' }).then([]);
    given([registered]).when({ type: 'revoke-api-key', userId, keyId: 'toString' }).thenRejected('input.invalid');
  });

  it('disables and enables, saying nothing when it is so already', () => {
    const disabled = userDisabled({ userId });
    given([registered]).when({ type: 'change', userId, disabled: true }).then([disabled]);
    given([registered, disabled]).when({ type: 'change', userId, disabled: true }).then([]);
    given([registered, disabled])
      .when({ type: 'change', userId, disabled: false })
      .then([userEnabled({ userId })]);
    given([registered]).when({ type: 'change', userId, disabled: false }).then([]);
  });

  it('changes only what differs, all in one', () => {
    given([registered]).when({ type: 'change', userId, access: 25, disabled: false, maxBitrateBps: null }).then([]);
    given([registered])
      .when({ type: 'change', userId, access: 75, disabled: true, maxBitrateBps: 128_000 })
      .then([userAccessChanged({ userId, access: 75 }), userDisabled({ userId }), userBitrateLimited({ userId, maxBitrateBps: 128_000 })]);
  });

  it('refuses a change that was worked out from a past state', () => {
    given([registered])
      .when({ type: 'change', userId, revision: 1, access: 50 })
      .then([userAccessChanged({ userId, access: 50 })]);
    given([registered, userAccessChanged({ userId, access: 50 })])
      .when({ type: 'change', userId, revision: 1, access: 75 })
      .thenRejected('conflict');
  });

  it('replaces the key of the same name, and no other', () => {
    const named = { ...apiKey, keyId: 'k2', name: 'phone' };
    const next = { ...apiKey, keyId: 'k3' };
    given([registered, apiKeyIssued({ userId, ...apiKey }), apiKeyIssued({ userId, ...named })])
      .when({ type: 'change', userId, apiKey: next })
      .then([apiKeyRevoked({ userId, keyId: 'k1' }), apiKeyIssued({ userId, ...next })]);
  });

  it('is gone for good once deleted', () => {
    const deleted = userDeleted({ userId });
    given([registered]).when({ type: 'delete', userId }).then([deleted]);
    given([registered, deleted]).when({ type: 'delete', userId }).then([]);
    given([registered, deleted]).when({ type: 'change', userId, access: 100 }).thenRejected('user.not-found');
    given([registered, deleted])
      .when({ type: 'register', ...profile })
      .thenRejected('conflict');
  });
});

describe('a mailed token', () => {
  const { given } = specFor(user);
  const token = { tokenSha256: 'good', sealedToken: sealed, expiresAtMs: 1000 };
  const waiting = [userRegistered({ ...profile, awaiting: 'confirmation' }), userDisabled({ userId })];
  const asked = passwordResetRequested({ userId, ...token, requestedAtMs: 10 });

  it('confirms an address once, while it is good', () => {
    const sent = emailConfirmationRequested({ userId, ...token });
    const back = { type: 'confirm-email', userId, tokenSha256: 'good', nowMs: 999, awaitsApproval: false } as const;
    const confirmed = emailConfirmed({ userId, awaitsApproval: false });
    given([...waiting, sent])
      .when(back)
      .then([confirmed, userEnabled({ userId })]);
    given([...waiting, sent])
      .when({ ...back, awaitsApproval: true })
      .then([emailConfirmed({ userId, awaitsApproval: true })]);
    given([...waiting, sent, confirmed])
      .when(back)
      .thenRejected('input.invalid');
    given([...waiting, sent])
      .when({ ...back, nowMs: 1000 })
      .thenRejected('input.invalid');
    given([...waiting, sent])
      .when({ ...back, tokenSha256: 'bad' })
      .thenRejected('input.invalid');
    given(waiting).when(back).thenRejected('input.invalid');
    // Whoever disables the account meanwhile makes the token worthless, and so does whoever enables it.
    given([...waiting, sent])
      .when({ type: 'change', userId, disabled: true })
      .then([userDisabled({ userId })]);
    given([...waiting, sent, userDisabled({ userId })])
      .when(back)
      .thenRejected('input.invalid');
    given([...waiting, sent, userEnabled({ userId })])
      .when(back)
      .thenRejected('input.invalid');
  });

  it('sets a password once, while it is good', () => {
    const reset = { type: 'reset-password', userId, tokenSha256: 'good', nowMs: 999, password } as const;
    const set = userPasswordSet({ userId, ...password });
    given([registered, asked]).when(reset).then([set]);
    given([registered, asked, set]).when(reset).thenRejected('input.invalid');
    given([registered, asked])
      .when({ ...reset, nowMs: 1000 })
      .thenRejected('input.invalid');
    given([registered, asked, userDisabled({ userId })])
      .when(reset)
      .thenRejected('input.invalid');
  });

  it('is not sent again and again, nor to a disabled account', () => {
    const ask = { type: 'request-reset', userId, token, nowMs: 10, pauseMs: 100 } as const;
    given([registered]).when(ask).then([asked]);
    given([registered, asked])
      .when({ ...ask, nowMs: 109 })
      .then([]);
    given([registered, asked])
      .when({ ...ask, nowMs: 110 })
      .then([passwordResetRequested({ userId, ...token, requestedAtMs: 110 })]);
    given([registered, userDisabled({ userId })])
      .when(ask)
      .then([]);
  });
});

describe('administrators', () => {
  const { given } = specFor(administrators);
  const [one, two] = [administratorNamed({ userId }), administratorNamed({ userId: other })];

  it('are never without one', () => {
    given([one]).when({ type: 'dismiss', userId, before: [] }).thenRejected('user.last-administrator');
    given([one, two])
      .when({ type: 'dismiss', userId, before: [] })
      .then([administratorDismissed({ userId })]);
    given([one, two, administratorDismissed({ userId })])
      .when({ type: 'dismiss', userId: other, before: [] })
      .thenRejected('user.last-administrator');
    given([one]).when({ type: 'dismiss', userId: other, before: [] }).then([]);
  });

  it('that were there before anybody kept them count', () => {
    given([])
      .when({ type: 'name', userId: other, before: [userId] })
      .then([one, two]);
    given([])
      .when({ type: 'dismiss', userId, before: [userId] })
      .thenRejected('user.last-administrator');
    given([])
      .when({ type: 'dismiss', userId: other, before: [userId, other] })
      .then([one, two, administratorDismissed({ userId: other })]);
  });
});

describe('userEmail', () => {
  const { given } = specFor(userEmail);
  const emailDigest = 'd1';
  const reserved = userEmailReserved({ userId, emailDigest });

  it('is held by one account until it lets go', () => {
    given([]).when({ type: 'reserve', userId, emailDigest }).then([reserved]);
    given([reserved]).when({ type: 'reserve', userId: other, emailDigest }).thenRejected('user.email-taken');
    given([reserved]).when({ type: 'release', userId: other, emailDigest }).then([]);
    given([reserved, userEmailReleased({ userId, emailDigest })])
      .when({ type: 'reserve', userId: other, emailDigest })
      .then([userEmailReserved({ userId: other, emailDigest })]);
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
