import { commandIds, type CommandIds, type Migration } from '@continuo/chassis';
import type { Kysely } from 'kysely';

/** Kinds of things that people make, each with a published table of its name, whose numbers count up from 1. */
export const userContentKinds = ['playlist', 'smartlist', 'collection', 'live_stream'] as const;
/** One of {@link userContentKinds}. */
export type UserContentKind = (typeof userContentKinds)[number];

/** Makes the registry of numbers of things that people make. A kind that comes later gets its sequence by a migration of its own. */
export const userContentIdMigrations: readonly Migration[] = [
  {
    name: '2026-11-21-made-ids',
    statements: [
      'create table made_id (kind text not null, command_id text not null, id bigint not null, primary key (kind, command_id))',
      'create sequence playlist_made_id as bigint',
    ],
  },
  { name: '2026-11-21-made-smartlist-ids', statements: ['create sequence smartlist_made_id as bigint'] },
  { name: '2026-11-21-made-collection-ids', statements: ['create sequence collection_made_id as bigint'] },
  { name: '2026-11-21-made-live-stream-ids', statements: ['create sequence live_stream_made_id as bigint'] },
];

/** The numbers of a kind of thing: from a Postgres sequence, kept by command. */
export const userContentIds = (db: Kysely<unknown>, kind: UserContentKind): CommandIds =>
  commandIds(db, { table: 'library.made_id', kind, sequence: `library.${kind}_made_id`, seen: `library.${kind}` });
