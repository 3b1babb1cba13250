import { playableType, type AnnotatedKind } from '@continuo/contracts';
import { sql, type RawBuilder } from 'kysely';
import type { ReadDatabase } from './database.js';
import type { Viewer } from './viewer.js';

/** What users say of a thing. */
export interface Annotations {
  /** When the viewer made it a favourite, epoch milliseconds; null when it is none. */
  readonly flaggedAtMs: number | null;
  /** The viewer's rating, 1 to 5; null when there is none. */
  readonly rating: number | null;
  /** Mean of everybody's ratings with at most two decimals; null when nobody rated it. */
  readonly averageRating: number | null;
  /** Where the viewer's latest bookmark stands in it, milliseconds; null when there is none. */
  readonly bookmarkMs: number | null;
}

/** A thing of which nobody says anything. */
export const UNANNOTATED: Annotations = { flaggedAtMs: null, rating: null, averageRating: null, bookmarkMs: null };

const playable: ReadonlySet<AnnotatedKind> = new Set(playableType.options);

/** Of several bookmarks in the same thing the latest. */
const latestBookmarks = (viewer: Viewer, kind: AnnotatedKind): RawBuilder<unknown> => sql`union all
  select 'bookmarkMs', json_agg(object_id), json_agg(position_ms) from (
    select distinct on (object_id) object_id, position_ms from playback.bookmark
    where user_id = ${viewer.userId} and object_type = ${kind} and object_id = any((select ids from wanted)::int[])
    order by object_id, changed_at_ms desc, id desc) b`;

/** One fact about all things that have it; null when none has. */
interface AnnotationRow {
  readonly what: keyof Annotations;
  readonly ids: readonly number[] | null;
  readonly facts: readonly number[] | null;
}

/**
 * What the viewer and all users say of some things of one kind: one statement whatever their number, to be run beside the one that reads the things. Whoever asks has
 * decided already which of them the viewer may see.
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
    with wanted as materialized (select ${Array.from(ids)}::int[] as ids)
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
