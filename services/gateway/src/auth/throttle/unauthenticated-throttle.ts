import { sha256Hex } from '@continuo/chassis';
import type { UnauthenticatedAction } from '../auth.js';
import type { FailureCounters } from './login-throttle.js';
import { tooManyCalls } from './too-many.js';

/** Call of an unauthenticated client. */
export interface UnauthenticatedCall {
  readonly act: UnauthenticatedAction;
  readonly address: string;
  /** Subject of the call, such as the account whose password is lost. */
  readonly about?: string;
}

/** Limits of unauthenticated clients. */
export interface UnauthenticatedLimits {
  readonly windowMs: number;
  readonly callsPerAddress: number;
}

/** Rate-limits sign-ups and lost-password requests. */
export interface UnauthenticatedThrottle {
  /** @throws Rejection `auth.throttled` when there were too many already; such calls are not counted */
  count(call: UnauthenticatedCall): Promise<void>;
}

/** Calls about one subject from all addresses: fewer than from one address, which a household may share. */
const PER_THING = 5;

/** Creates the throttle on the counters of failed logins, under its own keys. */
export const unauthenticatedThrottle = (
  counters: FailureCounters,
  { windowMs, callsPerAddress }: UnauthenticatedLimits,
  now: () => number,
): UnauthenticatedThrottle => {
  const remainingMs = (key: string, limit: number): number => {
    const counted = counters.peek(key);
    return counted && counted.count >= limit ? Math.max(0, counted.firstAtMs + windowMs - now()) : 0;
  };
  return {
    count: async ({ act, address, about }) => {
      const byAddress = `s.${sha256Hex(`${act} ${address}`)}`;
      const byThing = about === undefined ? undefined : `t.${sha256Hex(`${act} ${about}`)}`;
      const delayMs = Math.max(remainingMs(byAddress, callsPerAddress), byThing === undefined ? 0 : remainingMs(byThing, PER_THING));
      if (delayMs > 0) throw tooManyCalls(delayMs);
      await Promise.all([counters.add(byAddress), byThing === undefined ? undefined : counters.add(byThing)]);
    },
  };
};
