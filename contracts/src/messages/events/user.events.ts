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

/** What `sealedProfile` opens to. */
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
  }),
);
export const userProfileChanged = defineEvent(
  'UserProfileChanged',
  z.object({ userId, sealedProfile: sealedForUser, fullNamePublic: z.boolean() }),
);
export const userAccessChanged = defineEvent('UserAccessChanged', z.object({ userId, access: accessLevel }));
export const userDisabled = defineEvent('UserDisabled', z.object({ userId }));
export const userEnabled = defineEvent('UserEnabled', z.object({ userId }));

/** A new login password: SHA-256 for the handshake (sealed) and an argon2id hash for the web (sealed again, so that a log leak holds no hash). */
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
  }),
);
export const apiKeyRevoked = defineEvent('ApiKeyRevoked', z.object({ userId, keyId: z.string() }));

/** A user name is held by one account; `nameDigest` is a keyed digest, so that the log does not show the name. */
export const userNameReserved = defineEvent('UserNameReserved', z.object({ userId, nameDigest: z.string() }));
export const userNameReleased = defineEvent('UserNameReleased', z.object({ userId, nameDigest: z.string() }));

export const userEvents = [
  userRegistered,
  userProfileChanged,
  userAccessChanged,
  userDisabled,
  userEnabled,
  userPasswordSet,
  compatPasswordSet,
  apiKeyIssued,
  apiKeyRevoked,
] as const;
export type UserEvent = EventOf<(typeof userEvents)[number]>;
export const userNameEvents = [userNameReserved, userNameReleased] as const;
export type UserNameEvent = EventOf<(typeof userNameEvents)[number]>;
