import { z } from 'zod';
import { transcodeSource, transcodeTarget } from './transcode-target.js';

/**
 * How gateways find a transcoding worker. None of this goes through the queue group of commands: a gateway wants to hear every worker, then talk to the one that suits.
 *
 * 1. It publishes a {@link transcodeWish} on {@link TRANSCODE_ASK_SUBJECT}; every worker answers a {@link transcodeStanding}.
 * 2. It sends the same wish to the subject of the worker that it chooses ({@link transcodeWorkerSubject}) and is given a {@link transcodeTicket} or a refusal.
 * 3. The bytes come over HTTP from the ticket's address, never through NATS.
 */
export const TRANSCODE_ASK_SUBJECT = 'transcode.ask';

/** Signs of life of the workers, {@link transcodeSign}. */
export const TRANSCODE_SIGN_SUBJECT = 'transcode.sign';

/** How often each worker gives a sign of life. */
export const TRANSCODE_SIGN_INTERVAL_MS = 2000;

const workerId = z.string().regex(/^[a-z0-9-]{1,64}$/, 'must be up to 64 lower-case letters, digits and dashes');

/** Where one worker takes wishes. */
export const transcodeWorkerSubject = (id: string): string => `transcode.worker.${id}`;

/** A worker says that it is there, or that it takes no more. */
export const transcodeSign = z.object({ workerId, takes: z.boolean() });
export type TranscodeSign = z.infer<typeof transcodeSign>;

/** What somebody wants to hear or see; `ahead`: what nobody does yet, so that it is made in a place that it gives up to listeners. */
export const transcodeWish = z.object({ source: transcodeSource, target: transcodeTarget, ahead: z.boolean().optional() });
export type TranscodeWish = z.output<typeof transcodeWish>;

/** The right to fetch one transcode from one worker. */
export const transcodeTicket = z.discriminatedUnion('state', [
  z.object({
    state: z.literal('finished'),
    /** Signed, and good for a while; takes ranges. */
    url: z.url(),
    mime: z.string().min(1),
    sizeBytes: z.int().nonnegative(),
    /** Strong entity tag, with its quotes. */
    etag: z.string().min(2),
  }),
  z.object({ state: z.literal('growing'), url: z.url(), mime: z.string().min(1) }),
]);
export type TranscodeTicket = z.infer<typeof transcodeTicket>;

/** How a worker stands to a wish. */
export const transcodeStanding = z.discriminatedUnion('state', [
  /** It is in its cache. */
  z.object({ state: z.literal('finished'), workerId, ticket: transcodeTicket }),
  /** It is making it. */
  z.object({ state: z.literal('growing'), workerId }),
  z.object({ state: z.literal('free'), workerId, freeSlots: z.int().positive() }),
  z.object({ state: z.literal('busy'), workerId, retryAfterSeconds: z.int().positive() }),
  /** It cannot serve this wish at all; `code` of the error table says why. */
  z.object({ state: z.literal('unable'), workerId, code: z.string(), message: z.string() }),
]);
export type TranscodeStanding = z.infer<typeof transcodeStanding>;

/** What the chosen worker answers. */
export const transcodeAnswer = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), ticket: transcodeTicket }),
  z.object({ ok: z.literal(false), code: z.string(), message: z.string(), subject: z.string().optional() }),
]);
export type TranscodeAnswer = z.infer<typeof transcodeAnswer>;
