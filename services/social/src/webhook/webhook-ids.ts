import { commandIds, type CommandIds } from '@continuo/chassis';
import type { Kysely } from 'kysely';

/** Migration that makes the registry of webhooks' numbers. */
export const webhookIdMigration = {
  name: '20261121-webhook-ids',
  statements: [
    'create sequence webhook_id_seq',
    `create table webhook_id (command_id text primary key, id integer not null default nextval('webhook_id_seq'))`,
  ],
} as const;

/** The numbers of webhooks: from a Postgres sequence, kept by command. */
export const postgresWebhookIds = (db: Kysely<unknown>): CommandIds =>
  commandIds(db, { table: 'social.webhook_id', sequence: 'social.webhook_id_seq', seen: 'social.webhook' });
