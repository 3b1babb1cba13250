import { signer, type ServerSecret } from '@continuo/chassis';
import { userId as userIdSchema, type UserId } from '@continuo/contracts';
import { LRUCache } from 'lru-cache';

/** Account of a media token. */
export interface MediaTokenHolder {
  readonly userId: UserId;
  /** The API key that it was made for, if one; revoking the key voids the token. */
  readonly apiKeyId?: string | undefined;
}

/** Signs and checks tokens that open media and art and nothing else. */
export interface MediaTokens {
  /** The same text all through an hour. */
  sign(holder: MediaTokenHolder): string;
  /** Returns the account of a token; undefined for a forged, changed or expired one. */
  check(token: string): MediaTokenHolder | undefined;
  /** True for a token that was made here, be it over. */
  isOurs(token: string): boolean;
}

const HOUR_MS = 3_600_000;
/** A token lives from two to three hours: long enough for a long programme that was started with its last minute of validity. */
const LIFETIME_HOURS = 3;
const FORM = /^m-(?<user>[1-9]\d{0,15})-(?<key>[a-z0-9]{1,64})-(?<hour>[a-z0-9]{1,8})-(?<mark>[0-9a-f]{40})$/;
const NO_KEY = '0';
/** Tokens of accounts and keys that have called lately, so that not every call signs. */
const KEPT_TOKENS = 1000;

/** Media tokens under a key derived from the server's secret; every gateway checks every other's. */
export const mediaTokens = (secret: ServerSecret, now: () => number): MediaTokens => {
  const { mark: markOf, isMark } = signer(secret, 'media-tokens/v1', 40);
  const signed = new LRUCache<string, string>({ max: KEPT_TOKENS, memoMethod: (body) => `${body}-${markOf(body)}` });
  const read = (token: string): { readonly user: string; readonly key: string; readonly hour: string } | undefined => {
    const { user = '', key = '', hour = '', mark } = FORM.exec(token)?.groups ?? {};
    return mark !== undefined && isMark(`m-${user}-${key}-${hour}`, mark) ? { user, key, hour } : undefined;
  };
  return {
    sign: ({ userId, apiKeyId }) => {
      const hour = Math.floor(now() / HOUR_MS) + LIFETIME_HOURS;
      return signed.memo(`m-${userId}-${apiKeyId ?? NO_KEY}-${hour.toString(36)}`);
    },
    check: (token) => {
      const parts = read(token);
      if (!parts) return undefined;
      const { user, key, hour } = parts;
      if (Number.parseInt(hour, 36) * HOUR_MS <= now()) return undefined;
      const userId = userIdSchema.safeParse(Number(user));
      return userId.success ? { userId: userId.data, ...(key === NO_KEY ? {} : { apiKeyId: key }) } : undefined;
    },
    isOurs: (token) => read(token) !== undefined,
  };
};
