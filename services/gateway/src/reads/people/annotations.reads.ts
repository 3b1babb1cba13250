import { playableType, type AnnotatedKind } from '@continuo/contracts';
import { sql, type RawBuilder } from 'kysely';
import type { ReadDatabase } from '../database/database.js';
import { idArray } from '../database/id-condition.js';
import type { Viewer } from '../visibility/viewer.js';

/** Ratings, favourites and bookmark of a thing. */
export interface Annotations {
  /** When the viewer made it a favourite, epoch milliseconds; null when it is none. */
  readonly flaggedAtMs: number | null;
  /** The viewer's rating, 1 to 5; null when there is none. */
  readonly rating: number | null;
  /** Mean of everybody's ratings with at most two decimals; null when nobody rated it. */
  readonly averageRating: number | null;
  /** Position of the viewer's latest bookmark, milliseconds; null when there is none. */
  readonly bookmarkMs: number | null;
}

/** A thing of which nobody says anything. */
export const UNANNOTATED: Annotations = { flaggedAtMs: null, rating: null, averageRating: null, bookmarkMs: null };

const playable: ReadonlySet<AnnotatedKind> = new Set(playableType.options);

/** The viewer's bookmarks in things of a kind. */
const ownBookmarks = (viewer: Viewer, kind: AnnotatedKind): RawBuilder<unknown> =>
  sql`playback.bookmark where user_id = ${viewer.userId} and object_type = ${kind}`;

/** Of several bookmarks in the same thing the latest. */
const latestBookmarks = (viewer: Viewer, kind: AnnotatedKind): RawBuilder<unknown> => sql`union all
  select 'bookmarkMs', json_agg(object_id), json_agg(position_ms) from (
    select distinct on (object_id) object_id, position_ms from ${ownBookmarks(viewer, kind)} and object_id = any((select ids from wanted)::int[])
    order by object_id, changed_at_ms desc, id desc) b`;

/** Up to so many things are read together with their annotations, in one statement; those of more are read beside them, each kind of annotation at once. */
export const ANNOTATED_AT_ONCE = 100;

/** The annotations of the thing of a row, as four columns of a statement that reads few rows. The statement decides which things the viewer may see. */
export const annotationColumns = (viewer: Viewer, kind: AnnotatedKind, id: RawBuilder<number>) => {
  const own = sql`user_id = ${viewer.userId} and kind = ${kind} and object_id = ${id}`;
  const bookmark = sql<
    number | null
  >`(select position_ms from ${ownBookmarks(viewer, kind)} and object_id = ${id} order by changed_at_ms desc, id desc limit 1)`;
  return [
    sql<number | null>`(select flagged_at_ms from social.user_flag where ${own})`.as('flaggedAtMs'),
    sql<number | null>`(select rating from social.rating where ${own})`.as('rating'),
    sql<number | null>`(select round(rating_sum::numeric / rating_count, 2)::float8 from social.rating_average
      where kind = ${kind} and object_id = ${id})`.as('averageRating'),
    (playable.has(kind) ? bookmark : sql<number | null>`null::bigint`).as('bookmarkMs'),
  ] as const;
};

/** The annotations of a row with {@link annotationColumns}. */
export const annotationsIn = ({ flaggedAtMs, rating, averageRating, bookmarkMs }: Annotations): Annotations =>
  flaggedAtMs === null && rating === null && averageRating === null && bookmarkMs === null
    ? UNANNOTATED
    : { flaggedAtMs, rating, averageRating, bookmarkMs };

/** One fact about all things that have it; null when none has. */
interface AnnotationRow {
  readonly what: keyof Annotations;
  readonly ids: readonly number[] | null;
  readonly facts: readonly number[] | null;
}

/**
 * Reads the annotations of some things of one kind in one statement, to be run beside the one that reads the things. The caller has
 * checked which of them the viewer may see.
 */
export const annotationsOf = async (
  db: ReadDatabase,
  viewer: Viewer,
  kind: AnnotatedKind,
  ids: ArrayLike<number>,
): Promise<(id: number) => Annotations> => {
  if (ids.length === 0) return () => UNANNOTATED;
  // Arrays as JSON are read several times faster than so many rows.
  const { rows } = await sql<AnnotationRow>`
    with wanted as materialized (select ${idArray(ids)} as ids)
    select 'flaggedAtMs' as what, json_agg(object_id) as ids, json_agg(flagged_at_ms) as facts from social.user_flag
      where user_id = ${viewer.userId} and kind = ${kind} and object_id = any((select ids from wanted)::int[])
    union all
    select 'rating', json_agg(object_id), json_agg(rating) from social.rating
      where user_id = ${viewer.userId} and kind = ${kind} and object_id = any((select ids from wanted)::int[])
    union all
    select 'averageRating', json_agg(object_id), json_agg(round(rating_sum::numeric / rating_count, 2)) from social.rating_average
      where kind = ${kind} and object_id = any((select ids from wanted)::int[])
    ${playable.has(kind) ? latestBookmarks(viewer, kind) : sql``}`.execute(db);
  const known = new Map<number, { -readonly [K in keyof Annotations]: Annotations[K] }>();
  for (const { what, ids: having, facts } of rows)
    having?.forEach((id, index) => {
      let annotations = known.get(id);
      if (!annotations) known.set(id, (annotations = { ...UNANNOTATED }));
      annotations[what] = facts?.[index] ?? null;
    });
  return (id) => known.get(id) ?? UNANNOTATED;
};
