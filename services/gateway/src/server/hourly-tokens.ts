import type { Signer } from '@continuo/chassis';

const HOUR_MS = 3_600_000;
const FORM = /^(?<body>.+)-(?<hour>[a-z0-9]{1,8})-(?<mark>[0-9a-f]{40})$/;

/** Signs and checks tokens that are good for some hours. */
export interface HourlyTokens<G> {
  /** The same text all through an hour, so that what a player, a browser or a cache keeps stays good. */
  sign(grant: G): string;
  /** Returns the grant of a token; undefined for a forged, changed or expired one. */
  check(token: string): G | undefined;
  /** True for a token that was made here, be it over. */
  isOurs(token: string): boolean;
}

/** How tokens of one kind are written. */
interface TokenForm<G> {
  /** Whole hours after the present one until a token ends. */
  readonly lifetimeHours: number;
  readonly write: (grant: G) => string;
  /** Reads what `write` makes of a grant; undefined for any other text. */
  readonly read: (body: string) => G | undefined;
}

/** Tokens of one kind: what is granted, the hour in which they end, and a mark of 40 digits. */
export const hourlyTokens = <G extends object>(
  { mark: markOf, isMark }: Signer,
  now: () => number,
  { lifetimeHours, write, read }: TokenForm<G>,
): HourlyTokens<G> => {
  const opened = (token: string): { readonly grant: G; readonly endsAtMs: number } | undefined => {
    const { body = '', hour = '', mark = '' } = FORM.exec(token)?.groups ?? {};
    const grant = read(body);
    return grant && isMark(`${body}-${hour}`, mark) ? { grant, endsAtMs: Number.parseInt(hour, 36) * HOUR_MS } : undefined;
  };
  return {
    sign: (grant) => {
      const body = `${write(grant)}-${(Math.floor(now() / HOUR_MS) + lifetimeHours).toString(36)}`;
      return `${body}-${markOf(body)}`;
    },
    check: (token) => {
      const found = opened(token);
      return found && found.endsAtMs > now() ? found.grant : undefined;
    },
    isOurs: (token) => opened(token) !== undefined,
  };
};
