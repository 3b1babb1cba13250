import { untilProjected, type EventStore } from '@continuo/chassis';
import type { UserId } from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';

/** A vote that counts. */
export interface Vote {
  readonly listId: number;
  readonly songId: number;
}

/** The votes of accounts. */
export interface VotesInView {
  /** All that the log holds at this moment. @throws Error when the read model is far behind it */
  ofUser(userId: UserId): Promise<readonly Vote[]>;
}

/** Votes from the published tables. */
export const votesInView = (db: Kysely<unknown>, store: Pick<EventStore, 'lastPosition'>): VotesInView => ({
  ofUser: async (userId) => {
    await untilProjected({ db, store }, 'playback', 'playback-democratic');
    const { rows } = await sql<Vote>`select list_id as "listId", song_id as "songId" from playback.democratic_vote
      where user_id = ${userId} order by 1, 2`.execute(db);
    return rows;
  },
});
