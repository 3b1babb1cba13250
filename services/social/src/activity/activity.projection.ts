import type { ProjectedQuery, Projection } from '@continuo/chassis';
import {
  annotationEvents,
  followEvents,
  objectFlagged,
  objectRated,
  objectUnflagged,
  userFollowed,
  userUnfollowed,
  type ActivityTable,
  type AnnotationEvent,
  type FollowEvent,
  type FollowTable,
  type RecordedEvent,
} from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';
import { rowBatches } from '../row-batches.js';

interface Tables {
  follow: FollowTable;
  activity: ActivityTable;
}

const ddl = [
  `create table follow (
    user_id integer not null,
    followed_id integer not null,
    followed_at_ms bigint not null,
    primary key (user_id, followed_id)
  )`,
  'create index follow_by_followed on follow (followed_id, followed_at_ms desc, user_id)',
  `create table activity (
    id bigint not null,
    user_id integer not null,
    action text not null,
    kind text not null,
    object_id integer not null,
    at_ms bigint not null,
    primary key (user_id, action, kind, object_id)
  )`,
  // Timelines: of each user the newest.
  'create index activity_by_user on activity (user_id, at_ms desc, id desc)',
];

/** Change of one entry by a batch; null for one that is taken back. */
interface Change extends Pick<ActivityTable, 'id' | 'user_id' | 'action' | 'kind' | 'object_id'> {
  readonly at_ms: number | null;
}

type Known = AnnotationEvent | FollowEvent;

const annotated = ({ userId, kind, objectId }: AnnotationEvent['data']): Omit<Change, 'id' | 'action' | 'at_ms'> => ({
  user_id: userId,
  kind,
  object_id: objectId,
});
const followed = ({ userId, followedId }: FollowEvent['data']): Omit<Change, 'id' | 'action' | 'at_ms'> => ({
  user_id: userId,
  kind: 'user',
  object_id: followedId,
});

/** Change of an entry by an event; undefined for other events of the stream. */
const changeOf = (event: RecordedEvent<Known> & Known): Change | undefined => {
  const id = event.position;
  switch (event.type) {
    case objectRated.type:
      return { id, action: 'rating', ...annotated(event.data), at_ms: event.data.rating === 0 ? null : event.at };
    case objectFlagged.type:
      return { id, action: 'userflag', ...annotated(event.data), at_ms: event.data.flaggedAtMs };
    case objectUnflagged.type:
      return { id, action: 'userflag', ...annotated(event.data), at_ms: null };
    case userFollowed.type:
      return { id, action: 'follow', ...followed(event.data), at_ms: event.at };
    case userUnfollowed.type:
      return { id, action: 'follow', ...followed(event.data), at_ms: null };
    default:
      return undefined;
  }
};

/** Net changes of a batch: of several events about the same entry the last one counts. */
const net = (events: readonly RecordedEvent[]): Change[] => {
  const changes = new Map<string, Change>();
  for (const event of events as readonly (RecordedEvent<Known> & Known)[]) {
    const change = changeOf(event);
    if (change) changes.set(`${change.user_id}/${change.action}/${change.kind}/${change.object_id}`, change);
  }
  return [...changes.values()];
};

const activityQueries = (changes: readonly Change[], db: Kysely<Tables>): ProjectedQuery[] => [
  ...rowBatches(
    changes.filter((change) => change.at_ms === null),
    db,
    (json) => sql`delete from activity t using json_populate_recordset(null::activity, ${json}) n
      where t.user_id = n.user_id and t.action = n.action and t.kind = n.kind and t.object_id = n.object_id`,
  ),
  ...rowBatches(
    changes.filter((change) => change.at_ms !== null),
    db,
    (json) => sql`insert into activity select * from json_populate_recordset(null::activity, ${json})
      on conflict (user_id, action, kind, object_id) do update set id = excluded.id, at_ms = excluded.at_ms`,
  ),
];

const followQueries = (changes: readonly Change[], db: Kysely<Tables>): ProjectedQuery[] => {
  const rows = changes.map(({ user_id, object_id, at_ms }) => ({ user_id, followed_id: object_id, followed_at_ms: at_ms }));
  return [
    ...rowBatches(
      rows.filter((row) => row.followed_at_ms === null),
      db,
      (json) => sql`delete from follow t using json_populate_recordset(null::follow, ${json}) n
        where t.user_id = n.user_id and t.followed_id = n.followed_id`,
    ),
    ...rowBatches(
      rows.filter((row) => row.followed_at_ms !== null),
      db,
      (json) => sql`insert into follow select * from json_populate_recordset(null::follow, ${json})
        on conflict (user_id, followed_id) do update set followed_at_ms = excluded.followed_at_ms`,
    ),
  ];
};

/** Projects follows, and recent activities that still hold. */
export const activityProjection: Projection<Tables> = {
  name: 'social-activity',
  version: 1,
  context: 'social',
  publishedSchema: 'social',
  publishes: ['follow', 'activity'],
  ddl,
  handles: [...annotationEvents, ...followEvents].map(({ type }) => type),
  project: (events, db) => {
    const changes = net(events);
    const aboutFollowing = changes.filter((change) => change.action === 'follow');
    return [...activityQueries(changes, db), ...followQueries(aboutFollowing, db)];
  },
};
