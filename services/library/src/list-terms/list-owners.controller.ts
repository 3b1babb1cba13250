import {
  decision,
  HandlesEvents,
  untilProjected,
  AGGREGATES,
  DATABASE,
  EVENT_STORE,
  type AggregateRunner,
  type Decision,
  type EventStore,
  type RecordedOf,
} from '@continuo/chassis';
import { collectionId, playlistId, smartlistId, userDeleted } from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import { sql, type Kysely } from 'kysely';
import { collection } from '../collection/collection.decider.js';
import { playlist } from '../playlist/playlist.decider.js';
import { smartlist } from '../smartlist/smartlist.decider.js';

type Deleted = RecordedOf<typeof userDeleted>;

/** Lists of one kind. */
interface Lists {
  /** Published table that says whose they are. */
  readonly table: string;
  readonly projection: string;
  readonly forget: (id: number) => Decision;
}

/** Sees to lists whose owner or collaborator is gone: those that others could see go to the system, those of its own alone go with it. */
@Controller()
export class ListOwnersController {
  constructor(
    @Inject(AGGREGATES) private readonly aggregates: AggregateRunner,
    @Inject(DATABASE) private readonly db: Kysely<unknown>,
    @Inject(EVENT_STORE) private readonly store: Pick<EventStore, 'lastPosition'>,
  ) {}

  /** Takes a deleted account out of all playlists. */
  @HandlesEvents('identity', 'forget-list-owners', [userDeleted], { startFrom: 'all', aggregates: ['user'] })
  ofPlaylists(event: Deleted): Promise<void> {
    const { userId } = event.data;
    const forget = (id: number): Decision => decision(playlist, id, { type: 'forget-user', playlistId: playlistId.parse(id), userId });
    return this.forget(event, { table: 'library.playlist', projection: 'library-playlists', forget });
  }

  /** Takes a deleted account out of all smartlists. */
  @HandlesEvents('identity', 'forget-smartlist-owners', [userDeleted], { startFrom: 'all', aggregates: ['user'] })
  ofSmartlists(event: Deleted): Promise<void> {
    const { userId } = event.data;
    const forget = (id: number): Decision => decision(smartlist, id, { type: 'forget-user', smartlistId: smartlistId.parse(id), userId });
    return this.forget(event, { table: 'library.smartlist', projection: 'library-smartlists', forget });
  }

  /** Takes a deleted account out of all collections. */
  @HandlesEvents('identity', 'forget-collection-owners', [userDeleted], { startFrom: 'all', aggregates: ['user'] })
  ofCollections(event: Deleted): Promise<void> {
    const { userId } = event.data;
    const forget = (id: number): Decision =>
      decision(collection, id, { type: 'forget-user', collectionId: collectionId.parse(id), userId });
    return this.forget(event, { table: 'library.collection', projection: 'library-collections', forget });
  }

  private async forget({ data: { userId }, id, actor, correlationId, at }: Deleted, { table, projection, forget }: Lists): Promise<void> {
    // A list that was made a moment before the account went must be found, too.
    await untilProjected({ db: this.db, store: this.store }, 'library', projection);
    const lists = sql.table(table);
    const { rows } = await sql<{ id: number }>`
      select id from ${lists} where owner_id = ${userId} union select id from ${lists} where collaborator_ids @> array[${userId}::bigint]`.execute(
      this.db,
    );
    for (const row of rows) await this.aggregates.run([forget(row.id)], { actor, correlationId, causationId: id, at });
  }
}
