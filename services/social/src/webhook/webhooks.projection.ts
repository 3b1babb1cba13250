import { projectEach, type Projection } from '@continuo/chassis';
import type { WebhookEvent, WebhookTable } from '@continuo/contracts';
import { sql } from 'kysely';

interface Tables {
  webhook: WebhookTable;
}

const ddl = [
  `create table webhook (
    id integer primary key,
    name text not null,
    host text not null,
    sealed_url text not null,
    sealed_secret text not null,
    patterns text[] not null,
    user_id integer,
    enabled boolean not null,
    ended_by text,
    run integer not null,
    after text not null,
    created_at_ms bigint not null,
    changed_at_ms bigint not null
  )`,
];

/** The webhooks of the read model; one that was removed has no row. */
export const webhooksProjection: Projection<Tables> = {
  name: 'social-webhooks',
  version: 1,
  context: 'social',
  publishedSchema: 'social',
  publishes: ['webhook'],
  ddl,
  ...projectEach<WebhookEvent, Tables>({
    WebhookAdded: ({ data }, db) => {
      const row = {
        name: data.name,
        host: data.host,
        sealed_url: data.sealedUrl,
        sealed_secret: data.sealedSecret,
        patterns: data.patterns,
        user_id: data.userId,
        enabled: true,
        ended_by: null,
        run: 1,
        after: JSON.stringify(data.after),
        created_at_ms: data.createdAtMs,
        changed_at_ms: data.createdAtMs,
      };
      const insert = db.insertInto('webhook').values({ id: data.webhookId, ...row });
      return [insert.onConflict((conflict) => conflict.column('id').doUpdateSet(row))];
    },
    WebhookEnabled: ({ data, at }, db) => [
      db
        .updateTable('webhook')
        .set({ enabled: true, ended_by: null, run: sql`run + 1`, after: JSON.stringify(data.after), changed_at_ms: at })
        .where('id', '=', data.webhookId),
    ],
    WebhookDisabled: ({ data, at }, db) => [
      db.updateTable('webhook').set({ enabled: false, ended_by: data.reason, changed_at_ms: at }).where('id', '=', data.webhookId),
    ],
    WebhookRemoved: ({ data }, db) => [db.deleteFrom('webhook').where('id', '=', data.webhookId)],
  }),
};
