import { jsonOf, OutboundError, type OutboundClient, type OutboundRequest } from '@continuo/chassis';
import type { Submission } from '../listen.js';

/** Answer of a service: the status, headers, and the body as JSON; undefined when it is none. */
export interface RelayAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly json: unknown;
}

type Later = Extract<Submission, { kind: 'later' }>;

const MAX_ANSWER_BYTES = 256 * 1024;
const MAX_PAUSE_MS = 6 * 3_600_000;
const REDIRECT = 300;
const FAULTY = 400;
const TOO_MANY = 429;
const SERVER_FAULT = 500;

/** Sends one request; no redirect is followed, so that what proves an account never goes to another server. */
export const ask = async (
  outbound: OutboundClient,
  request: Omit<OutboundRequest, 'maxRedirects' | 'maxBytes'>,
): Promise<RelayAnswer | Later> => {
  try {
    const { status, headers, body } = await outbound.fetch({ ...request, maxRedirects: 0, maxBytes: MAX_ANSWER_BYTES });
    return { status, headers, json: jsonOf(body) };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return { kind: 'later', reason: `${error.fault}: ${error.message}` };
  }
};

/** True for what came back without an answer. */
export const isLater = (answer: RelayAnswer | Later): answer is Later => 'kind' in answer;

const secondsOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,7}(?:\.\d{1,3})?$/.test(text.trim()) ? Math.min(Number(text) * 1000, MAX_PAUSE_MS) : undefined;

/** Pause that a service asks for, by `Retry-After` in either form or by the headers of ListenBrainz, ms. */
export const pauseOf = ({ headers }: RelayAnswer, nowMs: number): number | undefined => {
  const after = headers['retry-after'];
  const date = after === undefined || /^\d/.test(after) ? Number.NaN : Date.parse(after);
  if (!Number.isNaN(date)) return Math.min(Math.max(0, date - nowMs), MAX_PAUSE_MS);
  return secondsOf(after) ?? secondsOf(headers['x-ratelimit-reset-in']);
};

/** Pause after a successful answer, by the headers of ListenBrainz: the rate limit is used up. */
export const spentPauseOf = ({ headers }: RelayAnswer): number | undefined =>
  headers['x-ratelimit-remaining']?.trim() === '0' ? secondsOf(headers['x-ratelimit-reset-in']) : undefined;

/** Fault of an answer that means the same in every protocol; undefined for one that the protocol has to judge. */
export const commonFault = (answer: RelayAnswer, nowMs: number): Later | undefined => {
  const { status } = answer;
  const retryAfterMs = pauseOf(answer, nowMs);
  if (status === TOO_MANY) return { kind: 'later', reason: 'it asks for a pause', retryAfterMs };
  if (status >= SERVER_FAULT) return { kind: 'later', reason: `it answered ${status}`, retryAfterMs, isSuspect: status === SERVER_FAULT };
  if (status >= REDIRECT && status < FAULTY)
    return { kind: 'later', reason: `it answered ${status}: redirects are not followed, the address has to be the right one` };
  return undefined;
};
