import { OutboundError, type OutboundClient } from '@continuo/chassis';
import type { PublicEvent } from '@continuo/contracts';
import { Webhook as Signer } from 'standardwebhooks';

/** Address of a webhook, and the secret that signs its events. */
export interface WebhookTarget {
  readonly url: string;
  /** As `whsec_…`. */
  readonly secret: string;
}

/** Outcome of one delivery attempt. */
export interface Attempt {
  /** Of the answer; null when there was none. */
  readonly status: number | null;
  /** Why there was none, or none that counts. */
  readonly fault: string | null;
  /** Beginning of the body of the answer; null when there was none. */
  readonly answer: string | null;
  readonly durationMs: number;
  /** Pause that the receiver asked for, ms. */
  readonly retryAfterMs: number | null;
}

/** Options of the sender. */
export interface SenderOptions {
  readonly outbound: OutboundClient;
  readonly timeoutMs: number;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Sends an event to a receiver, once. Never throws for what the receiver does; throws the reason of `signal` when that fires. */
export type SendEvent = (target: WebhookTarget, event: PublicEvent, signal?: AbortSignal) => Promise<Attempt>;

/** An answer's body is read so far, to be able to use the connection again. */
const MAX_ANSWER_BYTES = 16 * 1024;
/** So much of it is kept for operators, bytes. */
const KEPT_ANSWER_BYTES = 2000;
const MAX_RETRY_AFTER_MS = 3_600_000;
const LEAST_ERROR = 300;

/**
 * Heads of the Standard Webhooks convention: id, time and signature of an attempt. The id is that of the event and the same in every attempt; the time is that
 * of the attempt, so that a receiver may refuse old ones.
 */
const signedHeaders = ({ secret }: WebhookTarget, id: string, body: string, nowMs: number): Record<string, string> => {
  const at = new Date(nowMs);
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(nowMs / 1000)),
    'webhook-signature': new Signer(secret).sign(id, at, body),
  };
};

/** `Retry-After` in seconds; the form with a date is for browsers. */
const retryAfter = (header: string | undefined): number | null =>
  header !== undefined && /^\d{1,6}$/.test(header) ? Math.min(Number(header) * 1000, MAX_RETRY_AFTER_MS) : null;

/** Sends by way of the checked client, follows no redirect, and takes any 2xx for a yes. */
export const webhookSender =
  ({ outbound, timeoutMs, now }: SenderOptions): SendEvent =>
  async (target, event, signal) => {
    const startedAt = performance.now();
    const took = (): number => Math.round(performance.now() - startedAt);
    const body = JSON.stringify(event);
    const request = { url: target.url, method: 'POST', body, maxRedirects: 0, timeoutMs, maxBytes: MAX_ANSWER_BYTES } as const;
    try {
      const headers = signedHeaders(target, event.id, body, now());
      const answer = await outbound.open({ ...request, headers, ...(signal ? { signal } : {}) });
      const text = await beginningOf(answer.body);
      const fault = answer.status < LEAST_ERROR ? null : `the receiver answered ${answer.status}`;
      return { status: answer.status, fault, answer: text, durationMs: took(), retryAfterMs: retryAfter(answer.headers['retry-after']) };
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return { status: null, fault: `${error.fault}: ${error.message}`, answer: null, durationMs: took(), retryAfterMs: null };
    }
  };

/** Reads a body to its end and answers how it begins. The status has said everything; a body that breaks off or does not end changes nothing. */
const beginningOf = async (body: AsyncIterable<Uint8Array>): Promise<string> => {
  const kept: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const piece of body) {
      if (bytes < KEPT_ANSWER_BYTES) kept.push(piece.subarray(0, KEPT_ANSWER_BYTES - bytes));
      bytes += piece.length;
    }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
  }
  return Buffer.concat(kept).toString('utf8');
};

/** True for an answer that says: taken. */
export const isAccepted = ({ status }: Attempt): boolean => status !== null && status >= 200 && status < LEAST_ERROR;
