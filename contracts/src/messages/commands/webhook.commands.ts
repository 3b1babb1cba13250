import { z } from 'zod';
import { defineCommand } from '../define.js';
import { MAX_WEBHOOK_NAME, webhookEnd, webhookId } from '../events/webhook.events.js';
import { userId } from '../ids.js';
import { publicEventPattern } from '../public-events.js';

/** Secrets as the Standard Webhooks convention writes them: 24 to 64 bytes in base64. */
export const webhookSecret = z.string().regex(/^whsec_(?:[A-Za-z0-9+/]{4}){8,21}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, {
  error: 'must be whsec_ and 24 to 64 bytes in base64',
});

/**
 * Has a server elsewhere told of events; answers the number, and the secret that is made up when none is given, which is shown this once. Refused as
 * `input.invalid` when the address has no form that requests may go to, as `input.too-large` when there are too many webhooks, as `user.not-found` for an
 * account that is not there.
 */
export const addWebhook = defineCommand(
  'social',
  'add-webhook',
  z.object({
    url: z.string().min(1).max(2048),
    patterns: z.array(publicEventPattern).min(1).max(100),
    userId: userId.nullable().default(null),
    name: z.string().trim().max(MAX_WEBHOOK_NAME).default(''),
    secret: webhookSecret.optional(),
  }),
  z.object({ webhookId, secret: z.string() }),
);

/** Removes a webhook with what waits for it. Refused as `webhook.not-found`. */
export const removeWebhook = defineCommand('social', 'remove-webhook', z.object({ webhookId }), z.object({}));

/** Enables a webhook again, for events from now on. Refused as `webhook.not-found`. */
export const enableWebhook = defineCommand('social', 'enable-webhook', z.object({ webhookId }), z.object({}));

/** Tells a webhook nothing more. Refused as `webhook.not-found`. */
export const disableWebhook = defineCommand(
  'social',
  'disable-webhook',
  z.object({ webhookId, reason: webhookEnd.default('operator') }),
  z.object({}),
);

/** Sends a webhook an event of the type `webhook.tested` at once, whether it is enabled or not, and answers what became of it. Refused as `webhook.not-found`. */
export const testWebhook = defineCommand(
  'social',
  'test-webhook',
  z.object({ webhookId }),
  z.object({
    /** HTTP status of the answer; null when there was none. */
    status: z.int().nullable(),
    /** Why there was no answer. */
    fault: z.string().nullable(),
    durationMs: z.number(),
  }),
);
