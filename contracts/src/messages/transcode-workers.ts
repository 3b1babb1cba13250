import { z } from 'zod';
import { defineQuery } from './define.js';
import { transcodeSource, transcodeTarget } from './transcode-target.js';

/**
 * Protocol by which gateways find a transcoding worker. These are queries, not commands: a gateway wants to hear every worker, then talk to the one that suits.
 *
 * 1. It asks {@link availabilityQuery} on {@link TRANSCODE_ASK_SUBJECT}; every worker answers.
 * 2. It asks {@link ticketQuery} of the worker that it chooses ({@link transcodeWorkerSubject}) and is given a {@link transcodeTicket} or a refusal.
 * 3. The bytes come over HTTP from the ticket's address, never through NATS.
 */
export const TRANSCODE_ASK_SUBJECT = 'transcode.ask';

/** Heartbeats of the workers, {@link workerHeartbeat}. */
export const TRANSCODE_HEARTBEAT_SUBJECT = 'transcode.sign';

/** Interval of the workers' heartbeats, ms. */
export const TRANSCODE_HEARTBEAT_INTERVAL_MS = 10_000;

const workerId = z.string().regex(/^[a-z0-9-]{1,64}$/, 'must be up to 64 lower-case letters, digits and dashes');

/** Subject on which one worker takes transcode requests. */
export const transcodeWorkerSubject = (id: string): string => `transcode.worker.${id}`;

/** A worker is there, or takes no more requests (`takes: false`). */
export const workerHeartbeat = z.object({ workerId, takes: z.boolean() });
export type WorkerHeartbeat = z.infer<typeof workerHeartbeat>;

/** Subject on which every worker describes itself. */
export const TRANSCODE_WORKERS_SUBJECT = 'transcode.workers';

/** Asks all workers for their slots, for what each makes, and for the size of its cache. */
export const transcodeWorkersQuery = defineQuery(
  z.object({}),
  z.object({
    workerId,
    slots: z.int(),
    slotsUsed: z.int(),
    /** Slots of these that batches may take. */
    batchSlots: z.int(),
    cacheBytes: z.number(),
    cacheCapBytes: z.number(),
    ffmpegVersion: z.string().nullable(),
    /** Why it can make nothing; null when it can. */
    problem: z.string().nullable(),
    audioEncoders: z.array(z.string()),
    making: z.array(
      z.object({
        path: z.string(),
        mime: z.string(),
        startedMsAgo: z.number(),
        writtenBytes: z.number(),
        listeners: z.int(),
        /** Accounts of those listeners whose gateway tells them; workers of a release before have none. */
        accountIds: z.array(z.int()).default([]),
      }),
    ),
  }),
);

/** Header in which a gateway tells a worker the account that listens to a transcode. */
export const TRANSCODE_ACCOUNT_HEADER = 'x-account-id';

export type TranscodeWorkerState = z.infer<(typeof transcodeWorkersQuery)['answer']>;

/** A requested transcode; `ahead`: nobody waits for it, so it gives its slot up to listeners. */
export const transcodeRequest = z.object({ source: transcodeSource, target: transcodeTarget, ahead: z.boolean().optional() });
export type TranscodeRequest = z.output<typeof transcodeRequest>;

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

/** Availability of a worker for a request. */
const workerAvailability = z.discriminatedUnion('state', [
  /** It is in its cache. */
  z.object({ state: z.literal('finished'), workerId, ticket: transcodeTicket }),
  /** It is making it. */
  z.object({ state: z.literal('growing'), workerId }),
  z.object({ state: z.literal('free'), workerId, freeSlots: z.int().positive() }),
  z.object({ state: z.literal('busy'), workerId, retryAfterSeconds: z.int().positive() }),
  /** It cannot serve this request at all; `code` of the error table says why. */
  z.object({ state: z.literal('unable'), workerId, code: z.string(), message: z.string() }),
]);
export type WorkerAvailability = z.infer<typeof workerAvailability>;
export const availabilityQuery = defineQuery(transcodeRequest, workerAvailability);

/** The ticket of the chosen worker, or its refusal. */
export const ticketQuery = defineQuery(
  transcodeRequest,
  z.discriminatedUnion('ok', [
    z.object({ ok: z.literal(true), ticket: transcodeTicket }),
    z.object({ ok: z.literal(false), code: z.string(), message: z.string(), subject: z.string().optional() }),
  ]),
);
