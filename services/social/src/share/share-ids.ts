import { commandIds, type CommandIds } from '@continuo/chassis';
import { shareId, type ShareId, type UserId } from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';

/** The numbers of shares. */
export interface ShareIds extends CommandIds {
  /** The shares of an account, as the read model knows them. */
  ofUser(userId: UserId): Promise<readonly ShareId[]>;
}

/** Migration that makes the registry of numbers. */
export const shareIdMigration = {
  name: '20260102-share-ids',
  statements: [
    'create sequence share_id_seq',
    `create table share_id (command_id text primary key, id integer not null default nextval('share_id_seq'))`,
  ],
} as const;

/** Numbers from a Postgres sequence, kept by command. */
export const postgresShareIds = (db: Kysely<unknown>): ShareIds => ({
  ...commandIds(db, { table: 'social.share_id', sequence: 'social.share_id_seq', seen: 'social.share' }),
  ofUser: async (userId) => {
    const { rows } = await sql<{ id: number }>`select id from social.share where user_id = ${userId} order by id`.execute(db);
    return rows.map(({ id }) => shareId.parse(id));
  },
});
