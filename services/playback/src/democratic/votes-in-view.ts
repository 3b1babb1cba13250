import type { UserId } from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';

/** A vote that counts. */
export interface Vote {
  readonly listId: number;
  readonly songId: number;
}

/** The votes of accounts, as the read model knows them. */
export interface VotesInView {
  ofUser(userId: UserId): Promise<readonly Vote[]>;
}

/** Votes from the published tables. */
export const votesInView = (db: Kysely<unknown>): VotesInView => ({
  ofUser: async (userId) => {
    const { rows } = await sql<Vote>`select list_id as "listId", song_id as "songId" from playback.democratic_vote
      where user_id = ${userId} order by 1, 2`.execute(db);
    return rows;
  },
});
