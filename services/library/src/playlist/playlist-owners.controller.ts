import { decision, HandlesEvents, type AggregateRunner, type EventStore, type RecordedOf } from '@continuo/chassis';
import { playlistId, userDeleted } from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import { sql, type Kysely } from 'kysely';
import { untilProjected } from '../identity/until-projected.js';
import { AGGREGATES, DATABASE, EVENT_STORE } from '../tokens.js';
import { playlist } from './playlist.decider.js';

/** Sees to playlists whose owner or collaborator is gone. */
@Controller()
export class PlaylistOwnersController {
  constructor(
    @Inject(AGGREGATES) private readonly aggregates: AggregateRunner,
    @Inject(DATABASE) private readonly db: Kysely<unknown>,
    @Inject(EVENT_STORE) private readonly store: Pick<EventStore, 'lastPosition'>,
  ) {}

  /** Takes a deleted account out of all lists: those that others could see go to the system, those of its own alone go with it. */
  @HandlesEvents('identity', 'forget-list-owners', [userDeleted], { startFrom: 'all', aggregates: ['user'] })
  async forgetUser({ data, id, actor, correlationId, at }: RecordedOf<typeof userDeleted>): Promise<void> {
    const { userId } = data;
    // A list that was made a moment before the account went must be found, too.
    await untilProjected(this.db, this.store, 'library-playlists');
    const { rows } = await sql<{ id: number }>`
      select id from library.playlist where owner_id = ${userId} union select id from library.playlist where collaborator_ids @> array[${userId}::bigint]`.execute(
      this.db,
    );
    for (const row of rows) {
      const command = { type: 'forget-user', playlistId: playlistId.parse(row.id), userId } as const;
      await this.aggregates.run([decision(playlist, row.id, command)], { actor, correlationId, causationId: id, at });
    }
  }
}
