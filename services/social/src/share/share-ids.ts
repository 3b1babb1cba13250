import { shareId, type ShareId, type UserId } from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';

/** Gives shares their numbers. */
export interface ShareIds {
  /** The number of the share that a command makes: the same for every try of it, on whatever replica. */
  of(commandId: string): Promise<ShareId>;
  /** Another number for the command, behind every share that the read model knows; asked for when the first turned out to be taken. */
  another(commandId: string): Promise<ShareId>;
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
export const postgresShareIds = (db: Kysely<unknown>): ShareIds => {
  const single = ({ rows }: { readonly rows: readonly { readonly id: number }[] }): ShareId => shareId.parse(rows[0]?.id);
  return {
    of: async (commandId) =>
      single(
        await sql<{ id: number }>`insert into social.share_id (command_id) values (${commandId})
          on conflict (command_id) do update set id = share_id.id returning id`.execute(db),
      ),
    another: async (commandId) => {
      await sql`select setval('social.share_id_seq', seen.id)
        from (select max(id) as id from social.share) as seen, social.share_id_seq as current
        where seen.id > current.last_value`.execute(db);
      return single(
        await sql<{ id: number }>`update social.share_id set id = nextval('social.share_id_seq')
          where command_id = ${commandId} returning id`.execute(db),
      );
    },
    ofUser: async (userId) => {
      const { rows } = await sql<{ id: number }>`select id from social.share where user_id = ${userId} order by id`.execute(db);
      return rows.map(({ id }) => shareId.parse(id));
    },
  };
};
