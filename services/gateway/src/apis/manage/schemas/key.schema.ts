import { keyScope, type KeyScope } from '@continuo/contracts';
import { z } from 'zod';
import type { Auth } from '../../../auth/auth.js';
import type { ManagedKey } from '../../../reads/people/managed-accounts.reads.js';
import { id } from './ids.js';
import { time, timeText, timeTextOrNull } from './times.js';

const MAX_NAME = 128;
/** Name of a key. */
export const keyName = z.string().trim().min(1).max(MAX_NAME);

const fields = {
  id: z.string(),
  accountId: id,
  name: z.string(),
  scopes: z.array(keyScope).nullable().meta({ description: 'Null: every scope' }),
  createdAt: time,
  expiresAt: time.nullable().meta({ description: 'Null: it does not expire' }),
  lastUsedAt: time.nullable().meta({ description: 'To the minute; not part of the ETag' }),
};

/** Schema of an API key. */
export const apiKey = z.object(fields).meta({ id: 'ApiKey' });

/** Schema of an API key that was just issued. */
export const issuedKey = z
  .object({ ...fields, key: z.string().meta({ description: 'Its text, answered once' }) })
  .meta({ id: 'IssuedApiKey' });

/** Terms of a new key. */
export const newKeyFields = {
  name: keyName,
  scopes: z.array(keyScope).min(1).optional().meta({ description: 'Every scope of the caller when absent' }),
  expiresAt: time.optional().meta({ description: 'From then on the key opens nothing; it does not expire when absent' }),
};

/** Parameters of a path that ends in the id of a key. */
export const keyPath = z.strictObject({ id: z.string().regex(/^[a-z0-9]{1,64}$/) });

/** Cursor of lists of keys. */
export const keyCursor = z.object({ createdAtMs: z.number(), id: z.string() });

/** A key as it is answered. */
export const keyView = (view: ManagedKey, auth: Pick<Auth, 'keyLastUsedAtMs'>): z.output<typeof apiKey> => ({
  id: view.id,
  accountId: view.accountId,
  name: view.name,
  scopes: view.scopes as KeyScope[] | null,
  createdAt: timeText(view.createdAtMs),
  expiresAt: timeTextOrNull(view.expiresAtMs),
  lastUsedAt: timeTextOrNull(auth.keyLastUsedAtMs(view.id)),
});
