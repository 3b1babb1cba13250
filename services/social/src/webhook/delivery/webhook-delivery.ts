import { AttemptFailed, isDatabaseUnavailable, RetryLater, retryPauseMs, type JobDelivery, type RetryPauses } from '@continuo/chassis';
import { matchesPattern, Rejection, type PublicEvent, type RecordedEvent, type WebhookTable } from '@continuo/contracts';
import type { Logger } from 'pino';
import { type EventNotification, mayBeNotified, type NameEvent, notificationsOf, type ResolveAudience } from '@continuo/public-events';
import type { DeliveryJournal } from './delivery-journal.js';
import type { WebhookVisibility } from './webhook-visibility.js';
import { isAccepted, type Attempt, type SendEvent, type WebhookTarget } from './webhook-sender.js';

/** Dependencies of deliveries. */
export interface DeliveryDependencies {
  readonly resolve: ResolveAudience;
  readonly name: NameEvent;
  readonly visibility: WebhookVisibility;
  readonly journal: DeliveryJournal;
  readonly send: SendEvent;
  /** Opens the address and the secret of a webhook. */
  readonly targetOf: (webhook: WebhookTable) => WebhookTarget;
  /** Ends a webhook for everybody. */
  readonly end: (webhook: WebhookTable, reason: 'gone' | 'failing', delivery: JobDelivery) => Promise<void>;
  readonly limits: RetryPauses & { readonly maxAttempts: number };
  readonly log: Logger;
  readonly now: () => number;
}

const GONE = 410;
const AWAY_MS = 2000;
/** Number of events given up in a row after which a webhook is disabled. */
const DEAD_IN_A_ROW = 3;

/**
 * Tells one webhook of one event of the log: what it wants, as far as it may. What the receiver does not take is tried again by whoever calls this; what it has
 * taken already, as the journal says, is not sent again. A receiver may get an event twice all the same, when a replica dies between the answer and the note.
 */
export class WebhookDelivery {
  constructor(private readonly tools: DeliveryDependencies) {}

  /** @throws AttemptFailed when the receiver did not accept it, RetryLater when a service of this server is unavailable, which is no fault of the receiver */
  async tell(webhook: WebhookTable, recorded: RecordedEvent, delivery: JobDelivery): Promise<void> {
    try {
      await this.tellAll(webhook, recorded, delivery);
    } catch (error) {
      const isAway = isDatabaseUnavailable(error) || (error instanceof Rejection && error.code === 'unavailable');
      throw isAway ? new RetryLater(AWAY_MS, 'a part of the server does not answer') : error;
    }
  }

  private async tellAll(webhook: WebhookTable, recorded: RecordedEvent, delivery: JobDelivery): Promise<void> {
    for (const notification of notificationsOf(recorded, this.tools.name)) {
      if (!matchesPattern(webhook.patterns, notification.event.type)) continue;
      if (!(await this.mayBeNotified(webhook, notification))) continue;
      if (await this.tools.journal.isDelivered(webhook.id, notification.event.id)) continue;
      const isOver = await this.deliver(webhook, notification.event, delivery);
      if (isOver) return;
    }
  }

  private async mayBeNotified(webhook: WebhookTable, { audience: draft }: EventNotification): Promise<boolean> {
    const { visibility, resolve } = this.tools;
    const viewer = await visibility.viewer(webhook.user_id);
    if (!viewer) return false;
    const audience = await resolve(draft, { catalogs: viewer.catalogs !== 'all' });
    const { others } = audience;
    const shown = others.are === 'doings' && (await visibility.shows(others.userId, others.unless));
    return mayBeNotified(viewer, audience, () => shown);
  }

  /** Sends an event and notes what came of it; true when the webhook is over. */
  private async deliver(webhook: WebhookTable, event: PublicEvent, delivery: JobDelivery): Promise<boolean> {
    const { send, targetOf, end } = this.tools;
    const attempt = await send(targetOf(webhook), event, delivery.signal);
    const facts = { webhookId: webhook.id, eventId: event.id, type: event.type, attempt: delivery.attempt, status: attempt.status };
    if (isAccepted(attempt)) {
      await this.note(webhook, event, delivery, { outcome: 'delivered', attempt, nextAtMs: null });
      this.tools.log.debug(facts, 'event delivered to a webhook');
      return false;
    }
    if (attempt.status === GONE) {
      await this.note(webhook, event, delivery, { outcome: 'refused', attempt, nextAtMs: null });
      this.tools.log.warn(facts, 'a webhook is gone, as its receiver says');
      await end(webhook, 'gone', delivery);
      return true;
    }
    return this.failed(webhook, event, delivery, attempt);
  }

  /** Notes a failed attempt, and throws with the pause before the webhook retry. */
  private async failed(webhook: WebhookTable, event: PublicEvent, delivery: JobDelivery, attempt: Attempt): Promise<never> {
    const { limits, journal, end, now } = this.tools;
    const delayMs = retryPauseMs(delivery.attempt, limits, attempt.retryAfterMs, Math.random());
    const isLast = delivery.attempt >= limits.maxAttempts;
    const outcome = isLast ? 'dead' : 'waiting';
    await this.note(webhook, event, delivery, { outcome, attempt, nextAtMs: isLast ? null : Math.round(now() + delayMs) });
    if (isLast && (await journal.lastAllDead(webhook.id, DEAD_IN_A_ROW))) await end(webhook, 'failing', delivery);
    throw new AttemptFailed(delayMs, `webhook ${webhook.id}: ${attempt.fault ?? 'no answer'}`);
  }

  private note(
    webhook: WebhookTable,
    event: PublicEvent,
    { attempt: attempts }: JobDelivery,
    entry: Pick<Parameters<DeliveryJournal['note']>[0], 'outcome' | 'attempt' | 'nextAtMs'>,
  ): Promise<void> {
    return this.tools.journal.note({ webhookId: webhook.id, event, attempts, atMs: this.tools.now(), ...entry });
  }
}
