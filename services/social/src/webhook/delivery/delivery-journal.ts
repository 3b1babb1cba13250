import type { PublicEvent, WebhookDeliveryTable } from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';
import type { Attempt } from './webhook-sender.js';

interface Tables {
  'social.webhook_delivery': WebhookDeliveryTable;
}

/** Migration that makes the journal: what operators look at, and what keeps an event from being sent twice after a crash. */
export const deliveryJournalMigration = {
  name: '20261121-webhook-deliveries',
  statements: [
    `create table webhook_delivery (
      webhook_id integer not null,
      event_id text not null,
      type text not null,
      outcome text not null,
      attempts integer not null,
      status integer,
      fault text,
      duration_ms integer not null,
      first_at_ms bigint not null,
      last_at_ms bigint not null,
      next_at_ms bigint,
      primary key (webhook_id, event_id)
    )`,
    'create index webhook_delivery_by_time on webhook_delivery (webhook_id, last_at_ms)',
  ],
} as const;

/** Migration that keeps beside each delivery what was sent, and the beginning of the last answer. */
export const deliveryContentMigration = {
  name: '20261126-webhook-delivery-content',
  statements: ['alter table webhook_delivery add column payload text, add column answer text'],
} as const;

/** Record of a delivery attempt. */
export interface JournalEntry {
  readonly webhookId: number;
  readonly event: PublicEvent;
  readonly outcome: WebhookDeliveryTable['outcome'];
  readonly attempts: number;
  readonly attempt: Attempt;
  readonly atMs: number;
  /** When it is tried again. */
  readonly nextAtMs: number | null;
}

/** Notes how deliveries go. */
export interface DeliveryJournal {
  /** True for an event that the receiver has taken. */
  isDelivered(webhookId: number, eventId: string): Promise<boolean>;
  note(entry: JournalEntry): Promise<void>;
  /** True when the newest so many events of a webhook that came to an end were all given up. */
  lastAllDead(webhookId: number, count: number): Promise<boolean>;
  /** Forgets what is old, or more than is kept of a webhook, and everything of webhooks that are not in the list. */
  prune(keep: readonly number[], nowMs: number): Promise<void>;
}

const KEPT_MS = 30 * 24 * 3_600_000;
const KEPT_PER_WEBHOOK = 10_000;
const MAX_FAULT = 500;

/** The journal in Postgres. It is no part of the log: without it, nothing but what was delivered lately is unknown. */
export const postgresDeliveryJournal = (untyped: Kysely<unknown>): DeliveryJournal => {
  const db = untyped as Kysely<Tables>;
  return {
    isDelivered: async (webhookId, eventId) => {
      const row = await db
        .selectFrom('social.webhook_delivery')
        .select('outcome')
        .where('webhook_id', '=', webhookId)
        .where('event_id', '=', eventId)
        .executeTakeFirst();
      return row?.outcome === 'delivered';
    },
    note: async ({ webhookId, event, outcome, attempts, attempt, atMs, nextAtMs }) => {
      const row = {
        outcome,
        attempts,
        status: attempt.status,
        fault: attempt.fault?.slice(0, MAX_FAULT) ?? null,
        answer: attempt.answer?.replaceAll('\0', '') ?? null,
        duration_ms: attempt.durationMs,
        last_at_ms: atMs,
        next_at_ms: nextAtMs,
      };
      await db
        .insertInto('social.webhook_delivery')
        .values({ webhook_id: webhookId, event_id: event.id, type: event.type, payload: JSON.stringify(event), first_at_ms: atMs, ...row })
        .onConflict((conflict) => conflict.columns(['webhook_id', 'event_id']).doUpdateSet(row))
        .execute();
    },
    lastAllDead: async (webhookId, count) => {
      const rows = await db
        .selectFrom('social.webhook_delivery')
        .select('outcome')
        .where('webhook_id', '=', webhookId)
        .where('outcome', '!=', 'waiting')
        .orderBy('last_at_ms', 'desc')
        .limit(count)
        .execute();
      return rows.length === count && rows.every(({ outcome }) => outcome === 'dead');
    },
    prune: async (keep, nowMs) => {
      await sql`delete from social.webhook_delivery d
        where d.last_at_ms < ${nowMs - KEPT_MS}::bigint or not d.webhook_id = any(${[...keep]}::int[])
          or d.last_at_ms < (select o.last_at_ms from social.webhook_delivery o
            where o.webhook_id = d.webhook_id order by o.last_at_ms desc offset ${KEPT_PER_WEBHOOK} limit 1)`.execute(db);
    },
  };
};
