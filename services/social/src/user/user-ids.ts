import { userId, type UserId } from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';

/** The account made at the first start. Its number is fixed, so that of several replicas only one can make it. */
export const FIRST_USER_ID = userId.parse(1);

/** Hands out numbers for new accounts. */
export interface UserIds {
  next(): Promise<UserId>;
  /** Moves past every account that the read model knows; called when a number turned out to be taken, as after a loss of the database. */
  catchUp(): Promise<void>;
}

/** Migration that makes the sequence; it starts behind {@link FIRST_USER_ID}. */
export const userIdMigration = { name: '20260101-user-ids', statements: ['create sequence user_id_seq start with 2'] } as const;

/** Numbers from a Postgres sequence. */
export const postgresUserIds = (db: Kysely<unknown>): UserIds => ({
  next: async () => {
    const { rows } = await sql<{ id: string | number }>`select nextval('social.user_id_seq') as id`.execute(db);
    return userId.parse(Number(rows[0]?.id));
  },
  catchUp: async () => {
    await sql`select setval('social.user_id_seq', seen.id)
      from (select max(id) as id from social."user") as seen, social.user_id_seq as current
      where seen.id > current.last_value`.execute(db);
  },
});
