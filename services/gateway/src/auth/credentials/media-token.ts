import { signer, type ServerSecret } from '@continuo/chassis';
import { userId as userIdSchema, type UserId } from '@continuo/contracts';
import { LRUCache } from 'lru-cache';
import { hourlyTokens, type HourlyTokens } from '../../server/hourly-tokens.js';

/** Account of a media token. */
export interface MediaTokenHolder {
  readonly userId: UserId;
  /** The API key that it was made for, if one; revoking the key voids the token. */
  readonly apiKeyId?: string | undefined;
}

/** Signs and checks tokens that open media and art and nothing else. */
export type MediaTokens = HourlyTokens<MediaTokenHolder>;

/** A token lives from two to three hours: long enough for a long programme that was started with its last minute of validity. */
const LIFETIME_HOURS = 3;
const FORM = /^m-(?<user>[1-9]\d{0,15})-(?<key>[a-z0-9]{1,64})$/;
const NO_KEY = '0';
/** Tokens of accounts and keys that have called lately, so that not every call signs. */
const KEPT_TOKENS = 1000;

/** Media tokens under a key derived from the server's secret; every gateway checks every other's. */
export const mediaTokens = (secret: ServerSecret, now: () => number): MediaTokens => {
  const { mark, isMark } = signer(secret, 'media-tokens/v1', 40);
  const marks = new LRUCache<string, string>({ max: KEPT_TOKENS, memoMethod: mark });
  return hourlyTokens<MediaTokenHolder>({ mark: (text) => marks.memo(text), isMark }, now, {
    lifetimeHours: LIFETIME_HOURS,
    write: ({ userId, apiKeyId }) => `m-${userId}-${apiKeyId ?? NO_KEY}`,
    read: (body) => {
      const { user, key } = FORM.exec(body)?.groups ?? {};
      const userId = userIdSchema.safeParse(Number(user));
      return userId.success ? { userId: userId.data, ...(key === NO_KEY ? {} : { apiKeyId: key }) } : undefined;
    },
  });
};
