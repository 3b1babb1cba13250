import type { ProjectedQuery, Projection } from '@continuo/chassis';
import {
  annotationEvents,
  objectFlagged,
  objectRated,
  objectUnflagged,
  type AnnotationEvent,
  type RatingAverageTable,
  type RatingTable,
  type RatingVersionTable,
  type RecordedEvent,
  type UserFlagTable,
} from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';
import { rowBatches } from '../row-batches.js';

interface Tables {
  rating: RatingTable;
  rating_average: RatingAverageTable;
  rating_version: RatingVersionTable;
  user_flag: UserFlagTable;
}

const ddl = [
  `create table rating (
    user_id integer not null,
    kind text not null,
    object_id integer not null,
    rating integer not null,
    rated_at_ms bigint not null,
    primary key (user_id, kind, object_id)
  )`,
  // A user's ratings of a kind, best first, and what everybody says of one thing.
  'create index rating_by_value on rating (user_id, kind, rating desc, rated_at_ms desc, object_id)',
  'create index rating_by_object on rating (kind, object_id)',
  `create table rating_average (
    kind text not null,
    object_id integer not null,
    rating_count integer not null,
    rating_sum integer not null,
    primary key (kind, object_id)
  )`,
  // Best first. A row whose ratings are all taken back stands for a moment, until the same batch removes it: hence nullif.
  `create index rating_average_by_value on rating_average (kind, (rating_sum::float8 / nullif(rating_count, 0)) desc, rating_count desc, object_id)`,
  'create table rating_version (kind text primary key, position bigint not null)',
  `create table user_flag (
    user_id integer not null,
    kind text not null,
    object_id integer not null,
    flagged_at_ms bigint not null,
    primary key (user_id, kind, object_id)
  )`,
  'create index user_flag_by_time on user_flag (user_id, kind, flagged_at_ms desc, object_id desc)',
  'create index user_flag_by_object on user_flag (kind, object_id)',
];

interface Key {
  readonly user_id: number;
  readonly kind: string;
  readonly object_id: number;
}
interface RatingChange extends Key {
  /** 0 when the rating was taken back. */
  readonly rating: number;
  readonly rated_at_ms: number;
}
interface FlagChange extends Key {
  /** Null when the favourite was taken off. */
  readonly flagged_at_ms: number | null;
}

/** Net changes of a batch: of several events about the same thing the last one counts. */
const net = (events: readonly RecordedEvent[]): { ratings: RatingChange[]; flags: FlagChange[] } => {
  const ratings = new Map<string, RatingChange>();
  const flags = new Map<string, FlagChange>();
  for (const event of events as readonly (RecordedEvent<AnnotationEvent> & AnnotationEvent)[]) {
    if (event.type !== objectRated.type && event.type !== objectFlagged.type && event.type !== objectUnflagged.type) continue;
    const { userId, kind, objectId } = event.data;
    const key = { user_id: userId, kind, object_id: objectId };
    const name = `${userId}/${kind}/${objectId}`;
    if (event.type === objectRated.type) ratings.set(name, { ...key, rating: event.data.rating, rated_at_ms: event.at });
    else flags.set(name, { ...key, flagged_at_ms: event.type === objectFlagged.type ? event.data.flaggedAtMs : null });
  }
  return { ratings: [...ratings.values()], flags: [...flags.values()] };
};

/**
 * Averages change by the difference between what the batch says and what stood before, so that they need no look at other users' ratings; they must come before
 * the ratings themselves. The difference over a batch is the sum of the differences of its events, wherever the log is cut.
 */
const ratingQueries = (changes: readonly RatingChange[], db: Kysely<Tables>): ProjectedQuery[] => [
  ...rowBatches(
    changes,
    db,
    (json) => sql`insert into rating_average as t (kind, object_id, rating_count, rating_sum)
      select n.kind, n.object_id, sum((n.rating > 0)::int - (o.rating is not null)::int), sum(n.rating - coalesce(o.rating, 0))
      from json_populate_recordset(null::rating, ${json}) n
      left join rating o on o.user_id = n.user_id and o.kind = n.kind and o.object_id = n.object_id
      where n.rating <> coalesce(o.rating, 0) group by n.kind, n.object_id
      on conflict (kind, object_id) do update
        set rating_count = t.rating_count + excluded.rating_count, rating_sum = t.rating_sum + excluded.rating_sum`,
  ),
  ...rowBatches(
    changes.filter((change) => change.rating === 0),
    db,
    (json) => sql`delete from rating t using json_populate_recordset(null::rating, ${json}) n
      where t.user_id = n.user_id and t.kind = n.kind and t.object_id = n.object_id`,
  ),
  ...rowBatches(
    changes.filter((change) => change.rating > 0),
    db,
    (json) => sql`insert into rating select * from json_populate_recordset(null::rating, ${json})
      on conflict (user_id, kind, object_id) do update set rating = excluded.rating, rated_at_ms = excluded.rated_at_ms`,
  ),
  ...rowBatches(
    changes,
    db,
    (json) => sql`delete from rating_average t using json_populate_recordset(null::rating, ${json}) n
      where t.kind = n.kind and t.object_id = n.object_id and t.rating_count = 0`,
  ),
];

/** The latest rating of each kind in the batch. */
const versionsOf = (events: readonly RecordedEvent[]): RatingVersionTable[] => {
  const latest = new Map<RatingVersionTable['kind'], number>();
  for (const event of events as readonly (RecordedEvent<AnnotationEvent> & AnnotationEvent)[])
    if (event.type === objectRated.type) latest.set(event.data.kind, event.position);
  return [...latest].map(([kind, position]) => ({ kind, position }));
};

const versionQueries = (events: readonly RecordedEvent[], db: Kysely<Tables>): ProjectedQuery[] =>
  versionsOf(events).map((row) =>
    db
      .insertInto('rating_version')
      .values(row)
      .onConflict((conflict) => conflict.column('kind').doUpdateSet({ position: row.position })),
  );

const flagQueries = (changes: readonly FlagChange[], db: Kysely<Tables>): ProjectedQuery[] => [
  ...rowBatches(
    changes.filter((change) => change.flagged_at_ms === null),
    db,
    (json) => sql`delete from user_flag t using json_populate_recordset(null::user_flag, ${json}) n
      where t.user_id = n.user_id and t.kind = n.kind and t.object_id = n.object_id`,
  ),
  ...rowBatches(
    changes.filter((change) => change.flagged_at_ms !== null),
    db,
    (json) => sql`insert into user_flag select * from json_populate_recordset(null::user_flag, ${json})
      on conflict (user_id, kind, object_id) do update set flagged_at_ms = excluded.flagged_at_ms`,
  ),
];

/** Ratings, their averages and favourites of the read model. */
export const annotationsProjection: Projection<Tables> = {
  name: 'social-annotations',
  version: 2,
  context: 'social',
  publishedSchema: 'social',
  publishes: ['rating', 'rating_average', 'rating_version', 'user_flag'],
  ddl,
  handles: annotationEvents.map(({ type }) => type),
  project: (events, db) => {
    const { ratings, flags } = net(events);
    return [...ratingQueries(ratings, db), ...versionQueries(events, db), ...flagQueries(flags, db)];
  },
};
