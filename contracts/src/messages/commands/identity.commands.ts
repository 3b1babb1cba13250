import { z } from 'zod';
import { defineCommand } from '../define.js';
import { accessLevel } from '../events/user.events.js';
import { userId } from '../ids.js';
import { keyScope, keyScopes } from '../key-scopes.js';
import { epochMs } from '../track.js';

/** A mail address, as far as its form tells. */
export const emailAddress = z
  .string()
  .trim()
  .max(255)
  .regex(/^[^\s@\p{C}]+@[^\s@\p{C}]+$/u);
const password = z.string().min(1).max(1024);
/** Password digest that clients of the native API send in place of a password. */
export const passwordSha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/i)
  .toLowerCase();
/** Identity at a provider: a keyed digest of issuer and subject, and the issuer's address. */
const externalIdentity = z.object({ identityDigest: z.string().regex(/^[0-9a-f]{64}$/), issuer: z.string().min(1).max(1024) });
const username = z.string().trim().min(1).max(128);

/**
 * Creates an account. Passwords and keys travel in this message only; the log keeps them sealed. The login password comes as itself or as its
 * SHA-256.
 */
export const registerUser = defineCommand(
  'identity',
  'register-user',
  z.object({
    username,
    password: password.optional(),
    passwordSha256: passwordSha256.optional(),
    apiKey: z.string().min(8).max(1024).optional(),
    compatPassword: password.optional(),
    access: accessLevel,
    fullName: z.string().max(255).optional(),
    email: emailAddress.optional(),
    fullNamePublic: z.boolean().default(false),
    disabled: z.boolean().default(false),
    /** By whom the account can be logged in to from the beginning. @throws Rejection `user.identity-taken` */
    identity: externalIdentity.optional(),
  }),
  z.object({ userId }),
);

/** Issues an API key and answers its text once; `key` presets it. Without `scopes` it has every scope, without `expiresAtMs` it does not expire. */
export const issueApiKey = defineCommand(
  'identity',
  'issue-api-key',
  z.object({
    userId,
    name: z.string().max(128).default('default'),
    key: z.string().min(8).max(1024).optional(),
    scopes: z.array(keyScope).min(1).max(keyScopes.length).optional(),
    expiresAtMs: epochMs.optional(),
  }),
  z.object({ keyId: z.string(), key: z.string() }),
);
/** Calls an API key otherwise; it stays the same key. @throws Rejection `input.invalid`, subject `keyId`, for a key that is not there */
export const renameApiKey = defineCommand(
  'identity',
  'rename-api-key',
  z.object({ userId, keyId: z.string(), name: z.string().trim().min(1).max(128) }),
  z.object({}),
);
export const revokeApiKey = defineCommand('identity', 'revoke-api-key', z.object({ userId, keyId: z.string() }), z.object({}));
/**
 * Changes of an account, all or none; what is not named stays. An empty text takes a part of the profile away, a bit rate of 0 lifts the limit.
 * `resetApiKey` replaces the key named `default` and leaves the others, `resetStreamToken` makes another stream token.
 * @throws Rejection `user.not-found`, `user.name-taken`, `user.email-taken`, `user.last-administrator`, `input.invalid` for a name with control characters
 */
export const changeUser = defineCommand(
  'identity',
  'change-user',
  z.object({
    userId,
    username: username.optional(),
    fullName: z.string().max(255).optional(),
    email: emailAddress.or(z.literal('')).optional(),
    website: z.string().max(255).optional(),
    city: z.string().max(255).optional(),
    state: z.string().max(255).optional(),
    fullNamePublic: z.boolean().optional(),
    access: accessLevel.optional(),
    disabled: z.boolean().optional(),
    maxBitrateBps: z.int().min(0).max(100_000_000).optional(),
    password: password.optional(),
    passwordSha256: passwordSha256.optional(),
    compatPassword: password.optional(),
    resetApiKey: z.boolean().default(false),
    resetStreamToken: z.boolean().default(false),
  }),
  z.object({}),
);

/**
 * Deletes an account for good: frees its name and address, destroys the key of its personal data, ends its sessions. Doing it again changes nothing.
 * @throws Rejection `user.not-found`, `user.last-administrator`
 */
export const deleteUser = defineCommand('identity', 'delete-user', z.object({ userId }), z.object({}));

/**
 * Lets an account be logged in to by way of an identity provider. Linking it again changes nothing.
 * @throws Rejection `user.not-found`, `user.identity-taken` when it opens another account
 */
export const linkIdentity = defineCommand('identity', 'link-identity', externalIdentity.extend({ userId }), z.object({}));
/** Unlinks an identity; it is free afterwards. */
export const unlinkIdentity = defineCommand(
  'identity',
  'unlink-identity',
  externalIdentity.pick({ identityDigest: true }).extend({ userId }),
  z.object({}),
);

/** The picture of an account, which the sender has put into the art store. */
export const setAvatar = defineCommand(
  'identity',
  'set-avatar',
  z.object({
    userId,
    artHash: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .nullable(),
  }),
  z.object({}),
);

/**
 * Makes an account for somebody who asks for one. It begins disabled where the address has to be confirmed or an administrator has to agree.
 * @throws Rejection `feature.disabled`, `user.name-taken`, `user.email-taken`
 */
export const signUp = defineCommand(
  'identity',
  'sign-up',
  z.object({ username, passwordSha256, email: emailAddress, fullName: z.string().max(255).optional() }),
  z.object({ awaiting: z.enum(['confirmation', 'approval']).nullable() }),
);

/** Confirms the address of an account with a mailed token. @throws Rejection `input.invalid` for one that is unknown, used or too old */
export const confirmEmail = defineCommand(
  'identity',
  'confirm-email',
  z.object({ token: z.string().max(128) }),
  z.object({ awaiting: z.enum(['approval']).nullable() }),
);

/**
 * Asks for another password: `proof` is SHA-256 in hex of the name followed by that of the address, or the token of a mail that an earlier asking led
 * to. Answers the same whether or not there is such an account or token. @throws Rejection `feature.disabled` when no mail can be sent
 */
export const recoverPassword = defineCommand('identity', 'recover-password', z.object({ proof: z.string().max(128) }), z.object({}));
