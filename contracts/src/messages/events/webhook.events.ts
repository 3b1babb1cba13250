import { z } from 'zod';
import { defineEvent, type EventOf } from '../define.js';
import { userId } from '../ids.js';
import { publicEventPattern } from '../public-events.js';
import { epochMs } from '../track.js';
import { sealedForServer } from './user.events.js';

/** Number of a webhook. */
export const webhookId = z.int().positive().brand<'WebhookId'>();
export type WebhookId = z.infer<typeof webhookId>;

const webhook = { webhookId };

/** Positions of the logs, by context, after which a webhook is notified. */
const positions = z.record(z.string(), z.int().nonnegative());

/** Longest name of a webhook, in characters. */
export const MAX_WEBHOOK_NAME = 100;

/** Reason why a webhook is disabled: by an operator, because its receiver answered that it is gone, or because deliveries failed for too long. */
export const webhookEnd = z.enum(['operator', 'gone', 'failing']);

/**
 * From now on a server elsewhere is told of events of these kinds. Its address, which may hold a secret, and the secret that what it is told is signed with are
 * sealed; the host stands open, for lists.
 */
export const webhookAdded = defineEvent(
  'WebhookAdded',
  z.object({
    ...webhook,
    name: z.string().max(MAX_WEBHOOK_NAME),
    host: z.string(),
    sealedUrl: sealedForServer,
    sealedSecret: sealedForServer,
    patterns: z.array(publicEventPattern).min(1),
    /** Account with whose rights it sees; null: an operator's. */
    userId: userId.nullable(),
    after: positions,
    createdAtMs: epochMs,
  }),
);
/** The webhook is enabled again, for events after these positions. */
export const webhookEnabled = defineEvent('WebhookEnabled', z.object({ ...webhook, after: positions }));
/** The webhook is disabled; it is never notified of what happens until it is enabled again. */
export const webhookDisabled = defineEvent('WebhookDisabled', z.object({ ...webhook, reason: webhookEnd }));
/** It is gone. */
export const webhookRemoved = defineEvent('WebhookRemoved', z.object(webhook));

export type WebhookEvent = EventOf<typeof webhookAdded | typeof webhookEnabled | typeof webhookDisabled | typeof webhookRemoved>;
