/** Webhooks that there are. Published by the social service in the schema `social`; `sealed_*` open with the server's secret only. */
export interface WebhookTable {
  id: number;
  name: string;
  host: string;
  sealed_url: string;
  sealed_secret: string;
  /** Types, families or everything. */
  patterns: string[];
  /** Account with whose rights it sees; null: an operator's. */
  user_id: number | null;
  enabled: boolean;
  /** Why it is not enabled. */
  ended_by: 'operator' | 'gone' | 'failing' | null;
  /** Counts how often it was enabled, from 1. */
  run: number;
  /** JSON text: positions of the logs by context, behind which this run began. */
  after: string;
  created_at_ms: number;
  changed_at_ms: number;
}

/** Deliveries, one row for each event that a webhook was or is to be sent. Kept for a while, and not part of the log. */
export interface WebhookDeliveryTable {
  webhook_id: number;
  event_id: string;
  type: string;
  outcome: 'delivered' | 'waiting' | 'dead' | 'refused';
  attempts: number;
  /** Of the last answer; null when there was none. */
  status: number | null;
  fault: string | null;
  /** JSON that was sent; null for deliveries of before that was kept. */
  payload: string | null;
  /** Beginning of the last answer's body; null when there was none. */
  answer: string | null;
  duration_ms: number;
  first_at_ms: number;
  last_at_ms: number;
  /** When it is tried again. */
  next_at_ms: number | null;
}
