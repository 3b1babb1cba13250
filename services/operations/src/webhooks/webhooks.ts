import { listDeadLetters, replayDeadLetters } from '@continuo/chassis';
import type { ReadModel, WebhookDeliveryTable, WebhookTable } from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';
import { OperatorError } from '../connect/operator-error.js';
import type { Session } from '../connect/session.js';
import { webhookById } from './find-webhook.js';

/** A webhook for lists: without its address and secret, which are sealed. */
export type ListedWebhook = Pick<
  WebhookTable,
  'id' | 'name' | 'host' | 'patterns' | 'enabled' | 'ended_by' | 'user_id' | 'created_at_ms' | 'changed_at_ms'
> & { readonly username: string | null };

/** Page of webhooks by number, behind `after`. */
export const webhooks = (
  db: Kysely<ReadModel>,
  page: { readonly after?: number; readonly limit?: number } = {},
): Promise<ListedWebhook[]> => {
  const rows = db
    .selectFrom('social.webhook as w')
    .leftJoin('social.user as u', 'u.id', 'w.user_id')
    .select([
      'w.id',
      'w.name',
      'w.host',
      'w.patterns',
      'w.enabled',
      'w.ended_by',
      'w.user_id',
      'w.created_at_ms',
      'w.changed_at_ms',
      'u.username',
    ])
    .where('w.id', '>', page.after ?? 0)
    .orderBy('w.id');
  return (page.limit === undefined ? rows : rows.limit(page.limit)).execute();
};

/** Last delivery of a page: the next page begins behind it. */
export interface DeliveryMark {
  readonly lastAtMs: number;
  readonly eventId: string;
}

/** Page of the deliveries of a webhook, latest first. */
export const deliveriesOf = (
  db: Kysely<ReadModel>,
  id: number,
  { before, limit }: { readonly before?: DeliveryMark; readonly limit: number },
): Promise<WebhookDeliveryTable[]> => {
  const rows = db.selectFrom('social.webhook_delivery').selectAll().where('webhook_id', '=', id);
  const behind = before ? rows.where(sql<boolean>`(last_at_ms, event_id) < (${before.lastAtMs}, ${before.eventId})`) : rows;
  return behind.orderBy('last_at_ms', 'desc').orderBy('event_id', 'desc').limit(limit).execute();
};

/** A delivery of a webhook by its event. */
export const deliveryOf = (db: Kysely<ReadModel>, id: number, eventId: string): Promise<WebhookDeliveryTable | undefined> =>
  db.selectFrom('social.webhook_delivery').selectAll().where('webhook_id', '=', id).where('event_id', '=', eventId).executeTakeFirst();

/**
 * Sends a webhook again what was put aside for it; answers how many events.
 * @throws OperatorError when there is no such webhook, or it is off
 */
export const redeliver = async (session: Pick<Session, 'db' | 'nats'>, wanted: string): Promise<number> => {
  const { id, enabled } = await webhookById(session, wanted);
  if (!enabled)
    throw new OperatorError(`webhook ${id} is off`, `"continuo webhook enable ${id}" lets it be told again`, { kind: 'conflict' });
  const sequences: number[] = [];
  const prefix = `react.social-webhook-${id}-`;
  for await (const letter of listDeadLetters(session.nats, { subject: 'react.>' }))
    if (letter.subject.startsWith(prefix)) sequences.push(letter.sequence);
  return sequences.length === 0 ? 0 : replayDeadLetters(session.nats, { sequences });
};
