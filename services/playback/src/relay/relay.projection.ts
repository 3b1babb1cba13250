import { projectEach, type Projection } from '@continuo/chassis';
import type { RelayEvent, RelayLinkTable } from '@continuo/contracts';

interface Tables {
  relay_link: RelayLinkTable;
}

const ddl = [
  `create table relay_link (
    user_id integer not null,
    service text not null,
    run integer not null,
    host text not null,
    sealed_address text,
    sealed_credential text not null,
    sealed_name text not null,
    enabled boolean not null,
    after_position bigint not null,
    since_ms bigint not null,
    linked_at_ms bigint not null,
    changed_at_ms bigint not null,
    primary key (user_id, service)
  )`,
];

/** Projects the links of accounts with scrobble services; one that was unlinked has no row. */
export const relayProjection: Projection<Tables> = {
  name: 'playback-relay',
  version: 1,
  context: 'playback',
  publishedSchema: 'playback',
  publishes: ['relay_link'],
  ddl,
  ...projectEach<RelayEvent, Tables>({
    RelayLinked: ({ data, at }, db) => {
      const row = {
        run: data.run,
        host: data.host,
        sealed_address: data.sealedAddress,
        sealed_credential: data.sealedCredential,
        sealed_name: data.sealedName,
        enabled: true,
        after_position: data.afterPosition,
        since_ms: data.sinceMs,
        linked_at_ms: data.linkedAtMs,
        changed_at_ms: at,
      };
      const insert = db.insertInto('relay_link').values({ user_id: data.userId, service: data.service, ...row });
      return [insert.onConflict((conflict) => conflict.columns(['user_id', 'service']).doUpdateSet(row))];
    },
    RelayRefused: ({ data, at }, db) => [
      db
        .updateTable('relay_link')
        .set({ enabled: false, changed_at_ms: at })
        .where('user_id', '=', data.userId)
        .where('service', '=', data.service),
    ],
    RelayUnlinked: ({ data }, db) => [db.deleteFrom('relay_link').where('user_id', '=', data.userId).where('service', '=', data.service)],
  }),
};
