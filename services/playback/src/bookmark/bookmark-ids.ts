import { bookmarkId, type BookmarkId, type UserId } from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';
import type { BookmarkKey } from './bookmark.decider.js';

/** Gives bookmarks their numbers. */
export interface BookmarkIds {
  /** The number of a bookmark: the same whenever it is asked for, on whatever replica. */
  of(key: BookmarkKey): Promise<BookmarkId>;
  /** Another number, behind every bookmark that the read model knows; asked for when the first turned out to be another bookmark's. */
  another(key: BookmarkKey): Promise<BookmarkId>;
  /** True when the user has so many bookmarks, as the read model knows them, and this is none of them. */
  isOneTooMany(key: BookmarkKey, most: number): Promise<boolean>;
  /** Every bookmark that the user ever put into a thing. */
  inObject(key: BookmarkKey): Promise<readonly BookmarkId[]>;
  /** Every bookmark that the user ever had. */
  ofUser(userId: UserId): Promise<readonly BookmarkId[]>;
}

/** Migration that makes the registry of numbers. */
export const bookmarkIdMigration = {
  name: '20260103-bookmark-ids',
  statements: [
    'create sequence bookmark_id_seq',
    `create table bookmark_id (
      user_id integer not null,
      object_type text not null,
      object_id integer not null,
      slot text not null,
      id integer not null default nextval('bookmark_id_seq'),
      primary key (user_id, object_type, object_id, slot)
    )`,
  ],
} as const;

type Rows = { readonly rows: readonly { readonly id: number }[] };
const single = ({ rows }: Rows): BookmarkId => bookmarkId.parse(rows[0]?.id);
const all = ({ rows }: Rows): BookmarkId[] => rows.map(({ id }) => bookmarkId.parse(id));

/** Numbers from a Postgres sequence, kept by what the bookmark is. After a loss of the database the read model, which comes back from the log, knows them. */
export const postgresBookmarkIds = (db: Kysely<unknown>): BookmarkIds => ({
  of: async ({ userId, objectType, objectId, slot }) =>
    single(
      await sql<{ id: number }>`insert into playback.bookmark_id (user_id, object_type, object_id, slot, id)
        values (${userId}, ${objectType}, ${objectId}, ${slot}, coalesce(
          (select max(b.id) from playback.bookmark b
            where b.user_id = ${userId} and b.object_type = ${objectType} and b.object_id = ${objectId} and b.slot = ${slot}),
          nextval('playback.bookmark_id_seq')))
        on conflict (user_id, object_type, object_id, slot) do update set id = bookmark_id.id returning id`.execute(db),
    ),
  another: async ({ userId, objectType, objectId, slot }) => {
    await sql`select setval('playback.bookmark_id_seq', seen.id)
      from (select max(id) as id from playback.bookmark) as seen, playback.bookmark_id_seq as current
      where seen.id > current.last_value`.execute(db);
    return single(
      await sql<{ id: number }>`update playback.bookmark_id set id = nextval('playback.bookmark_id_seq')
        where user_id = ${userId} and object_type = ${objectType} and object_id = ${objectId} and slot = ${slot} returning id`.execute(db),
    );
  },
  isOneTooMany: async ({ userId, objectType, objectId, slot }, most) => {
    const { rows } = await sql<{ tooMany: boolean }>`
      select (select count(*) from (select from playback.bookmark where user_id = ${userId} limit ${most}) b) >= ${most}
        and not exists (select from playback.bookmark b
          where b.user_id = ${userId} and b.object_type = ${objectType} and b.object_id = ${objectId} and b.slot = ${slot}) as "tooMany"`.execute(
      db,
    );
    return rows[0]?.tooMany === true;
  },
  inObject: async ({ userId, objectType, objectId }) =>
    all(
      await sql<{ id: number }>`select id from playback.bookmark_id
        where user_id = ${userId} and object_type = ${objectType} and object_id = ${objectId} order by id`.execute(db),
    ),
  ofUser: async (userId) =>
    all(
      await sql<{ id: number }>`select id from playback.bookmark_id where user_id = ${userId}
        union select id from playback.bookmark where user_id = ${userId} order by id`.execute(db),
    ),
});
