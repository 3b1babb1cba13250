import { signer, type ServerSecret } from '@continuo/chassis';
import { userId as userIdSchema, type UserId } from '@continuo/contracts';
import type { RequestParams } from '../auth.js';

/**
 * Signs the addresses that players on the server are given (localplay). The signature covers every parameter: an address plays exactly what it was made for, for
 * the account that queued it, within what that account may see at that moment.
 */
export interface PlayerUrls {
  /** The `ssid` of an address with these other parameters. The same text all through an hour. */
  sign(userId: UserId, params: Readonly<Record<string, string>>): string;
  /** For whom an address plays; undefined when it was not made here, was changed or is over. */
  check(ssid: string, params: RequestParams): UserId | undefined;
  /** True for an address that was made here, be it over: it tells what an entry of a player's queue is. */
  isOurs(ssid: string, params: RequestParams): boolean;
}

const HOUR_MS = 3_600_000;
/** Queues stand for long, and what is in them opens one thing each. */
const LIFETIME_HOURS = 30 * 24;
const FORM = /^l-(?<user>[1-9]\d{0,15})-(?<hour>[a-z0-9]{1,8})-(?<mark>[0-9a-f]{40})$/;

/** Everything but the token itself, in an order of its own. */
const textOf = (params: RequestParams): string =>
  JSON.stringify(
    Object.entries(params)
      .filter(([name]) => name !== 'ssid')
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );

/** Signs under a key derived from the server's secret; every gateway checks every other's. */
export const playerUrls = (secret: ServerSecret, now: () => number): PlayerUrls => {
  const { mark: markOf, isMark } = signer(secret, 'player-urls/v1', 40);
  const signed = (start: string, params: RequestParams): string => `${start}\n${textOf(params)}`;
  const read = (ssid: string, params: RequestParams): { readonly user: string; readonly hour: string } | undefined => {
    const { user = '', hour = '', mark } = FORM.exec(ssid)?.groups ?? {};
    return mark !== undefined && isMark(signed(`l-${user}-${hour}`, params), mark) ? { user, hour } : undefined;
  };
  return {
    sign: (userId, params) => {
      const start = `l-${userId}-${(Math.floor(now() / HOUR_MS) + LIFETIME_HOURS).toString(36)}`;
      return `${start}-${markOf(signed(start, params))}`;
    },
    check: (ssid, params) => {
      const parts = read(ssid, params);
      if (!parts || Number.parseInt(parts.hour, 36) * HOUR_MS <= now()) return undefined;
      const userId = userIdSchema.safeParse(Number(parts.user));
      return userId.success ? userId.data : undefined;
    },
    isOurs: (ssid, params) => read(ssid, params) !== undefined,
  };
};
