import { z } from 'zod';
import { defineCommand } from '../define.js';
import { accessLevel } from '../events/user.events.js';
import { userId } from '../ids.js';

/** Creates an account. Passwords and keys travel in this message only; the log keeps them sealed. */
export const registerUser = defineCommand(
  'identity',
  'register-user',
  z.object({
    username: z.string().trim().min(1).max(128),
    password: z.string().min(1).max(1024).optional(),
    apiKey: z.string().min(8).max(1024).optional(),
    compatPassword: z.string().min(1).max(1024).optional(),
    access: accessLevel,
    fullName: z.string().max(255).optional(),
    email: z.string().max(255).optional(),
    fullNamePublic: z.boolean().default(false),
  }),
  z.object({ userId }),
);

export const setPassword = defineCommand(
  'identity',
  'set-password',
  z.object({ userId, password: z.string().min(1).max(1024) }),
  z.object({}),
);
export const setCompatPassword = defineCommand(
  'identity',
  'set-compat-password',
  z.object({ userId, password: z.string().min(1).max(1024) }),
  z.object({}),
);
/** Issues an API key and answers its text once; `key` presets it. */
export const issueApiKey = defineCommand(
  'identity',
  'issue-api-key',
  z.object({
    userId,
    name: z.string().max(128).default('default'),
    key: z.string().min(8).max(1024).optional(),
  }),
  z.object({ keyId: z.string(), key: z.string() }),
);
export const revokeApiKey = defineCommand('identity', 'revoke-api-key', z.object({ userId, keyId: z.string() }), z.object({}));
export const disableUser = defineCommand('identity', 'disable-user', z.object({ userId }), z.object({}));
export const enableUser = defineCommand('identity', 'enable-user', z.object({ userId }), z.object({}));
