import { sql, type RawBuilder } from 'kysely';
import { showsActivityTo } from '../../reads/visibility/activity-privacy.js';
import { objectsThere, type SeenObject } from '../../kinds/visible-objects.reads.js';
import type { ReadDatabase } from '../../reads/database/database.js';
import type { Viewer } from '../../reads/visibility/viewer.js';

/** Activity of an account. */
export interface ActivityView {
  readonly id: number;
  readonly atMs: number;
  readonly action: string;
  readonly objectType: SeenObject['kind'];
  readonly objectId: number;
  readonly userId: number;
  readonly username: string;
}

/** Accounts of a timeline: one, or all that the viewer follows. */
export type Audience = { readonly of: 'account'; readonly userId: number } | { readonly of: 'followed' };

/** Page of a timeline. */
export interface TimelinePart {
  /** Nothing older. */
  readonly sinceMs: number;
  /** As many entries as are wanted. */
  readonly limit: number;
}

/** Table of a kind of entry, indexed by user and time. An entry's id is its position in its log times four, plus the kind's number. */
interface Source {
  readonly table: RawBuilder<unknown>;
  readonly remainder: number;
  readonly entry: RawBuilder<unknown>;
  readonly counts: RawBuilder<unknown>;
}
const KINDS_OF_IDS = 4;
const everyRow = sql`true`;
const sources: readonly Source[] = [
  { table: sql`social.activity`, remainder: 0, entry: sql`t.action, t.kind, t.object_id`, counts: everyRow },
  { table: sql`playback.play`, remainder: 1, entry: sql`'play', 'song', t.song_id`, counts: sql`not t.skipped` },
  { table: sql`social.shout`, remainder: 2, entry: sql`'shout', t.kind, t.object_id`, counts: everyRow },
];

/** The last entry that was looked at; the next ones come after it. */
type Place = Pick<ActivityView, 'atMs' | 'id'>;

const audienceOf = (audience: Audience, viewer: Viewer): RawBuilder<unknown> => {
  const whose =
    audience.of === 'account'
      ? sql`u.id = ${audience.userId}`
      : sql`u.id in (select f.followed_id from social.follow f where f.user_id = ${viewer.userId})`;
  return sql`select u.id as user_id, u.username from social."user" u where ${whose} and ${showsActivityTo(viewer)}`;
};

/**
 * The newest entries of one source. They are with those accounts whose newest entry is newest, as many accounts as entries are wanted, so that one index look-up per
 * account and a few more rows of these are all that is read, however many entries there are.
 */
const newestOf = ({ table, remainder, entry, counts }: Source, after: Place | undefined, part: TimelinePart): RawBuilder<unknown> => {
  const place = after
    ? sql`(t.at_ms, t.id) <= (${after.atMs}::bigint, ${Math.floor((after.id - remainder - 1) / KINDS_OF_IDS)}::bigint)`
    : sql`true`;
  const rows = sql`from ${table} t where t.user_id = w.user_id and ${counts} and t.at_ms >= ${part.sinceMs}::bigint and ${place}
    order by t.at_ms desc, t.id desc`;
  return sql`(
    select e.* from (
      select w.user_id, w.username, l.at_ms, l.id from who w cross join lateral (select t.at_ms, t.id ${rows} limit 1) l
      order by l.at_ms desc, l.id desc limit ${part.limit}
    ) w cross join lateral (
      select t.id * ${KINDS_OF_IDS} + ${remainder} as id, t.at_ms as "atMs", ${entry}, w.user_id as "userId", w.username ${rows} limit ${part.limit}
    ) e (id, "atMs", action, "objectType", "objectId", "userId", username)
    order by e."atMs" desc, e.id desc limit ${part.limit}
  )`;
};

/** The statement for a part of a timeline, before it is known what of it the viewer may see. */
export const timelineStatement = (
  audience: Audience,
  viewer: Viewer,
  part: TimelinePart,
  after?: Place,
): ReturnType<typeof sql<ActivityView>> =>
  sql<ActivityView>`with who as materialized (${audienceOf(audience, viewer)})
    select * from (${sql.join(
      sources.map((source) => newestOf(source, after, part)),
      sql` union all `,
    )}) e order by e."atMs" desc, e.id desc limit ${part.limit}`;

/** Entries that are looked at in one go: a few more than are wanted, since some may be about what is gone or hidden. */
const LEAST_AT_ONCE = 20;
/** The most at once, and how many are looked through beyond those that are wanted, whatever the viewer may not see of them: each look at many accounts costs a look-up for each. */
const bounds = { account: { atOnce: 2000, beyond: 20_000 }, followed: { atOnce: 200, beyond: 500 } } as const;

/**
 * A timeline, newest first: plays, favourites, ratings, follows and shouts that hold, about things that are there for the viewer. Things of hidden catalogs are
 * left out as if nobody had touched them.
 */
export const timeline = async (db: ReadDatabase, viewer: Viewer, audience: Audience, part: TimelinePart): Promise<ActivityView[]> => {
  const found: ActivityView[] = [];
  let after: Place | undefined;
  let lookedAt = 0;
  const { atOnce, beyond } = bounds[audience.of];
  while (found.length < part.limit && lookedAt < part.limit + beyond) {
    const limit = Math.min(atOnce, Math.max(LEAST_AT_ONCE, part.limit - found.length, lookedAt));
    const { rows } = await timelineStatement(audience, viewer, { ...part, limit }, after).execute(db);
    const there = await objectsThere(
      db,
      viewer,
      rows.map(({ objectType: kind, objectId }) => ({ kind, objectId })),
    );
    found.push(...rows.filter(({ objectType: kind, objectId }) => there({ kind, objectId })));
    if (rows.length < limit) break;
    after = rows.at(-1);
    lookedAt += rows.length;
  }
  return found.slice(0, part.limit);
};
