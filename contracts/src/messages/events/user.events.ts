import { z } from 'zod';
import { defineEvent, type EventOf } from '../define.js';
import { userId } from '../ids.js';
import { epochMs } from '../track.js';

/** Access levels by their numbers on the wire. */
export const accessLevel = z.union([z.literal(5), z.literal(25), z.literal(50), z.literal(75), z.literal(100)]);
export type AccessLevel = z.infer<typeof accessLevel>;

/** Personal data under the user's own key: `v1.<iv>.<ciphertext>.<tag>`, base64url. Unreadable once the key is destroyed. */
export const sealedForUser = z.string().startsWith('v1.');
/** A secret under the key derived from the server's secret, same form. */
export const sealedForServer = z.string().startsWith('v1.');

/** Content of `sealedProfile`. */
export const userProfile = z.object({
  username: z.string().min(1),
  fullName: z.string().optional(),
  email: z.string().optional(),
  website: z.string().optional(),
  city: z.string().optional(),
  state: z.string().optional(),
});
export type UserProfile = z.infer<typeof userProfile>;

export const userRegistered = defineEvent(
  'UserRegistered',
  z.object({
    userId,
    sealedProfile: sealedForUser,
    access: accessLevel,
    fullNamePublic: z.boolean(),
    /** Condition for the account, which begins disabled, to be enabled; absent for one that is enabled at once. */
    awaiting: z.enum(['confirmation', 'approval']).optional(),
  }),
);
export const userProfileChanged = defineEvent(
  'UserProfileChanged',
  z.object({ userId, sealedProfile: sealedForUser, fullNamePublic: z.boolean() }),
);
export const userAccessChanged = defineEvent('UserAccessChanged', z.object({ userId, access: accessLevel }));
export const userDisabled = defineEvent('UserDisabled', z.object({ userId }));
export const userEnabled = defineEvent('UserEnabled', z.object({ userId }));

/** The highest bit rate at which media are sent to a user, bit/s; null = no limit. */
export const userBitrateLimited = defineEvent('UserBitrateLimited', z.object({ userId, maxBitrateBps: z.int().positive().nullable() }));

/**
 * An account is gone for good: its name and address are free, its key is destroyed, so that nobody can read its profile in the log any more.
 * The number is never given again.
 */
export const userDeleted = defineEvent('UserDeleted', z.object({ userId }));

/** A token that was sent to an account's address: looked up by its SHA-256, used once, and sealed for the service that sends the mail. */
const mailedToken = { userId, tokenSha256: z.string(), sealedToken: sealedForServer, expiresAtMs: epochMs };

/** An account signed up; its address has to be confirmed. */
export const emailConfirmationRequested = defineEvent('EmailConfirmationRequested', z.object(mailedToken));
/** The token came back. The account still waits for an administrator when `awaitsApproval` says so. */
export const emailConfirmed = defineEvent('EmailConfirmed', z.object({ userId, awaitsApproval: z.boolean() }));
/** A password reset was requested with name and address. Nothing has changed yet. */
export const passwordResetRequested = defineEvent('PasswordResetRequested', z.object({ ...mailedToken, requestedAtMs: epochMs }));

/**
 * A new login password: SHA-256 for the handshake (sealed), and an argon2id hash of that SHA-256 for the web (sealed again, so that a log leak
 * holds no hash). Sessions that were opened before are over.
 */
export const userPasswordSet = defineEvent(
  'UserPasswordSet',
  z.object({ userId, sealedSha256: sealedForServer, sealedArgon2id: sealedForServer }),
);

/** The recoverable password of the compatibility API. */
export const compatPasswordSet = defineEvent('CompatPasswordSet', z.object({ userId, sealedPassword: sealedForServer }));

/** An API key: looked up by the SHA-256 of its text, and sealed because token logins and the owner's own page need its text. */
export const apiKeyIssued = defineEvent(
  'ApiKeyIssued',
  z.object({
    userId,
    keyId: z.string(),
    name: z.string(),
    sha256: z.string(),
    sealedKey: sealedForServer,
    issuedAtMs: epochMs,
    /** Scopes of the key (`KeyScope`); absent: every scope. */
    scopes: z.array(z.string()).optional(),
    /** From then on the key opens nothing; absent: it does not expire. */
    expiresAtMs: epochMs.optional(),
  }),
);
/** An API key is called otherwise from now on. */
export const apiKeyRenamed = defineEvent('ApiKeyRenamed', z.object({ userId, keyId: z.string(), name: z.string() }));
export const apiKeyRevoked = defineEvent('ApiKeyRevoked', z.object({ userId, keyId: z.string() }));

/** A token for streaming and nothing else, in the place of the one before. */
export const streamTokenIssued = defineEvent(
  'StreamTokenIssued',
  z.object({ userId, sha256: z.string(), sealedToken: sealedForServer, issuedAtMs: epochMs }),
);

/** The picture of an account: SHA-256 of an image in the art store; null = none. */
export const userAvatarSet = defineEvent('UserAvatarSet', z.object({ userId, artHash: z.string().nullable() }));

/**
 * Identity at a provider, as a keyed digest of its issuer and subject: the log shows neither whom the account is nor under which
 * number the provider knows them.
 */
const externalIdentity = { userId, identityDigest: z.string() };

/** The account can be logged in to by way of an identity provider. `issuer` is its address, shown to the account's owner. */
export const externalIdentityLinked = defineEvent(
  'ExternalIdentityLinked',
  z.object({ ...externalIdentity, issuer: z.string(), linkedAtMs: epochMs }),
);
export const externalIdentityUnlinked = defineEvent('ExternalIdentityUnlinked', z.object(externalIdentity));

/** An identity opens one account. */
export const externalIdentityReserved = defineEvent('ExternalIdentityReserved', z.object(externalIdentity));
export const externalIdentityReleased = defineEvent('ExternalIdentityReleased', z.object(externalIdentity));

/** A user name is held by one account; `nameDigest` is a keyed digest, so that the log does not show the name. */
export const userNameReserved = defineEvent('UserNameReserved', z.object({ userId, nameDigest: z.string() }));
export const userNameReleased = defineEvent('UserNameReleased', z.object({ userId, nameDigest: z.string() }));

/** The same for mail addresses. */
export const userEmailReserved = defineEvent('UserEmailReserved', z.object({ userId, emailDigest: z.string() }));
export const userEmailReleased = defineEvent('UserEmailReleased', z.object({ userId, emailDigest: z.string() }));

/** An account became an administrator who may log in. */
export const administratorNamed = defineEvent('AdministratorNamed', z.object({ userId }));
/** An account is no administrator any more, or one that may not log in. There is always another one. */
export const administratorDismissed = defineEvent('AdministratorDismissed', z.object({ userId }));

export type UserEvent = EventOf<
  | typeof userRegistered
  | typeof userProfileChanged
  | typeof userAccessChanged
  | typeof userDisabled
  | typeof userEnabled
  | typeof userPasswordSet
  | typeof compatPasswordSet
  | typeof apiKeyIssued
  | typeof apiKeyRenamed
  | typeof apiKeyRevoked
  | typeof externalIdentityLinked
  | typeof externalIdentityUnlinked
  | typeof userBitrateLimited
  | typeof userDeleted
  | typeof emailConfirmationRequested
  | typeof emailConfirmed
  | typeof passwordResetRequested
  | typeof streamTokenIssued
  | typeof userAvatarSet
>;
export type UserNameEvent = EventOf<typeof userNameReserved | typeof userNameReleased>;
export type UserEmailEvent = EventOf<typeof userEmailReserved | typeof userEmailReleased>;
export type ExternalIdentityEvent = EventOf<typeof externalIdentityReserved | typeof externalIdentityReleased>;
export type AdministratorEvent = EventOf<typeof administratorNamed | typeof administratorDismissed>;
