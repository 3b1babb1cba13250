import { webhookId, type WebhookId } from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';

/** Gives webhooks their numbers. */
export interface WebhookIds {
  /** The number of the webhook that a command adds: the same for every try of it, on whatever replica. */
  of(commandId: string): Promise<WebhookId>;
  /** Another number for the command, behind every webhook that the read model knows; asked for when the first turned out to be taken. */
  another(commandId: string): Promise<WebhookId>;
}

/** Migration that makes the registry of numbers. */
export const webhookIdMigration = {
  name: '20261121-webhook-ids',
  statements: [
    'create sequence webhook_id_seq',
    `create table webhook_id (command_id text primary key, id integer not null default nextval('webhook_id_seq'))`,
  ],
} as const;

/** Numbers from a Postgres sequence, kept by command. */
export const postgresWebhookIds = (db: Kysely<unknown>): WebhookIds => {
  const single = ({ rows }: { readonly rows: readonly { readonly id: number }[] }): WebhookId => webhookId.parse(rows[0]?.id);
  return {
    of: async (commandId) =>
      single(
        await sql<{ id: number }>`insert into social.webhook_id (command_id) values (${commandId})
          on conflict (command_id) do update set id = webhook_id.id returning id`.execute(db),
      ),
    another: async (commandId) => {
      await sql`select setval('social.webhook_id_seq', seen.id)
        from (select max(id) as id from social.webhook) as seen, social.webhook_id_seq as current
        where seen.id > current.last_value`.execute(db);
      return single(
        await sql<{ id: number }>`update social.webhook_id set id = nextval('social.webhook_id_seq')
          where command_id = ${commandId} returning id`.execute(db),
      );
    },
  };
};
