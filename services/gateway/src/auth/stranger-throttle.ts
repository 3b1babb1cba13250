import { sha256Hex } from '@continuo/chassis';
import type { StrangerAct } from './auth.js';
import type { FailureCounters } from './login-throttle.js';
import { tooManyCalls } from './too-many.js';

/** Something that somebody does who is not logged in. */
export interface StrangerCall {
  readonly act: StrangerAct;
  readonly address: string;
  /** What it is about, such as the account whose password is lost. */
  readonly about?: string;
}

/** Limits on what strangers do. */
export interface StrangerLimits {
  readonly windowMs: number;
  readonly callsPerAddress: number;
}

/** Slows down signing up and asking for lost passwords (threats.md rows 15 and 21). */
export interface StrangerThrottle {
  /** @throws Rejection `auth.throttled` when there were too many already; such calls are not counted */
  count(call: StrangerCall): Promise<void>;
}

/** Of one thing, wherever from: less than of one address, behind which there may be a household. */
const PER_THING = 5;

/** Counts in the counters of failed logins, under keys of its own. */
export const strangerThrottle = (
  counters: FailureCounters,
  { windowMs, callsPerAddress }: StrangerLimits,
  now: () => number,
): StrangerThrottle => {
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
