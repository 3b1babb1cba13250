import type { Migration } from '@continuo/chassis';
import { Rejection } from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';

/** How many taken numbers are stepped over before giving up; they only occur after a loss of the database. */
const ID_TRIES = 25;

/** Kinds of things that people make, each with a published table of its name, whose numbers count up from 1. */
export const madeKinds = ['playlist', 'smartlist', 'collection'] as const;
/** One of {@link madeKinds}. */
export type MadeKind = (typeof madeKinds)[number];

/** Makes the registry of numbers of things that people make. A kind that comes later gets its sequence by a migration of its own. */
export const madeIdMigrations: readonly Migration[] = [
  {
    name: '2026-11-21-made-ids',
    statements: [
      'create table made_id (kind text not null, command_id text not null, id bigint not null, primary key (kind, command_id))',
      'create sequence playlist_made_id as bigint',
    ],
  },
  { name: '2026-11-21-made-smartlist-ids', statements: ['create sequence smartlist_made_id as bigint'] },
  { name: '2026-11-21-made-collection-ids', statements: ['create sequence collection_made_id as bigint'] },
];

const sequenceOf = (kind: MadeKind): string => `library.${kind}_made_id`;

/** The number that a command makes: the same for every try of it, on whatever replica. */
const given = async (db: Kysely<unknown>, kind: MadeKind, commandId: string): Promise<number> => {
  const { rows } = await sql<{ id: number }>`
    insert into library.made_id (kind, command_id, id) values (${kind}, ${commandId}, nextval(${sequenceOf(kind)}::regclass))
    on conflict (kind, command_id) do update set id = made_id.id returning id`.execute(db);
  return rows[0]?.id ?? 0;
};

/** Another number for the command, behind all that the read model knows. */
const another = async (db: Kysely<unknown>, kind: MadeKind, commandId: string): Promise<number> => {
  await sql`select setval(${sequenceOf(kind)}::regclass, seen.id)
    from (select max(id) as id from ${sql.table(`library.${kind}`)}) as seen, ${sql.table(sequenceOf(kind))} as current
    where seen.id > current.last_value`.execute(db);
  const { rows } = await sql<{ id: number }>`
    update library.made_id set id = nextval(${sequenceOf(kind)}::regclass) where kind = ${kind} and command_id = ${commandId} returning id`.execute(
    db,
  );
  return rows[0]?.id ?? 0;
};

/**
 * Makes a thing under a fresh number. `make` decides on an aggregate of that number and refuses with `conflict` when it is taken; then it is tried with the
 * next one.
 * @throws Rejection of `make`; `unavailable` when many numbers in a row are taken
 */
export const underFreshId = async <T>(
  db: Kysely<unknown>,
  { kind, commandId }: { readonly kind: MadeKind; readonly commandId: string },
  make: (id: number) => Promise<T>,
): Promise<T> => {
  let id = await given(db, kind, commandId);
  for (let attempt = 1; attempt <= ID_TRIES; attempt += 1) {
    try {
      return await make(id);
    } catch (error) {
      if (!(error instanceof Rejection) || error.code !== 'conflict') throw error;
      id = await another(db, kind, commandId);
    }
  }
  throw new Rejection('unavailable', 'the lists are being rebuilt; try again shortly');
};
