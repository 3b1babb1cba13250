import { randomToken } from './random-token.js';
import type { ServerSecret } from './key-ring.js';
import { signer } from './signer.js';

const PURPOSE = 'operator-tokens/v1';
const LIFETIME_MS = 60_000;
/** Clocks of the machine that asks and of the one that answers may differ by so much. */
const CLOCK_SKEW_MS = 60_000;
const FORM = /^operator-(?<expires>[a-z0-9]{1,12})-[0-9a-f]{32}-(?<mark>[0-9a-f]{64})$/;

/** Signs a token for whoever holds the server's secret: it opens the management API for a minute. */
export const signOperatorToken = (secret: ServerSecret, nowMs: number): string => {
  const body = `operator-${(nowMs + LIFETIME_MS).toString(36)}-${randomToken()}`;
  return `${body}-${signer(secret, PURPOSE).mark(body)}`;
};

/** Returns a check: true for a token of {@link signOperatorToken} that is not over; false for any other text. */
export const operatorTokenCheck = (secret: ServerSecret, now: () => number): ((token: string) => boolean) => {
  const { isMark } = signer(secret, PURPOSE);
  return (token) => {
    const { expires = '', mark = '' } = FORM.exec(token)?.groups ?? {};
    if (mark === '' || !isMark(token.slice(0, -mark.length - 1), mark)) return false;
    const leftMs = Number.parseInt(expires, 36) - now();
    return leftMs > -CLOCK_SKEW_MS && leftMs <= LIFETIME_MS + CLOCK_SKEW_MS;
  };
};
