import { flag, whole } from '@continuo/chassis';
import { z } from 'zod';

/** Settings of authentication, to be spread into the gateway's own. Names carry their units. */
export const authSettings = {
  /** Lifetime of a session after its last use; 0 = unlimited. */
  SESSION_LENGTH_S: z.coerce.number().int().min(0).max(31_536_000).default(3600),
  /** Whether the access list is asked. Off, the API is closed and only streams and the web are open. */
  ACCESS_CONTROL: flag(true),
  /** Failed logins are counted over this time, and refused for the rest of it once there are too many. */
  LOGIN_WINDOW_S: z.coerce.number().int().min(1).max(86_400).default(300),
  /** Failed logins of one account, from anywhere, before further ones are refused. */
  LOGIN_FAILURES_PER_ACCOUNT: whole(1, 10),
  /** Failed logins from one address, to any account, before further ones are refused. */
  LOGIN_FAILURES_PER_ADDRESS: whole(1, 50),
  /** Longest duration of a login to the web page, even while it is used. */
  WEB_SESSION_MAX_HOURS: z.coerce.number().min(0.1).max(8760).default(168),
  /** Sign-ups, confirmations and lost-password requests that one address may make within that time. */
  STRANGER_CALLS_PER_ADDRESS: whole(1, 10),
  /** Another secret than `CONTINUO_SECRET` under which the command line may prove that it is the operator's; the standalone makes one up at each start. Empty: none. */
  OPERATOR_SECRET: z.string().min(32).or(z.literal('')).default(''),
  /** Whether the compatibility API takes salted tokens (`t` and `s`). */
  COMPAT_TOKEN_LOGIN: flag(true),
  /** Whether the compatibility API takes passwords in clear (`p`). */
  COMPAT_PASSWORD_LOGIN: flag(true),
} as const;

/** The settings as {@link authSettings} parses them, and the proxies, which the web server needs too. */
export type AuthSettings = { readonly [K in keyof typeof authSettings]: z.output<(typeof authSettings)[K]> } & {
  /** Addresses or networks of proxies whose `X-Forwarded-For` is believed. */
  readonly TRUSTED_PROXIES: readonly string[];
};
