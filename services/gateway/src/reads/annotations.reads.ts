import type { AnnotatedKind } from '@continuo/contracts';
import { sql } from 'kysely';
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
}

/** A thing of which nobody says anything. */
export const UNANNOTATED: Annotations = { flaggedAtMs: null, rating: null, averageRating: null };

interface AnnotationRow {
  readonly what: keyof Annotations;
  readonly id: number;
  readonly value: number;
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
  const { rows } = await sql<AnnotationRow>`
    with wanted as materialized (select ${Array.from(ids)}::int[] as ids)
    select 'flaggedAtMs' as what, object_id as id, flagged_at_ms::float8 as value from social.user_flag
      where user_id = ${viewer.userId} and kind = ${kind} and object_id = any((select ids from wanted)::int[])
    union all
    select 'rating', object_id, rating::float8 from social.rating
      where user_id = ${viewer.userId} and kind = ${kind} and object_id = any((select ids from wanted)::int[])
    union all
    select 'averageRating', object_id, round(rating_sum::numeric / rating_count, 2)::float8 from social.rating_average
      where kind = ${kind} and object_id = any((select ids from wanted)::int[])`.execute(db);
  if (rows.length === 0) return () => UNANNOTATED;
  const known = new Map<number, { -readonly [K in keyof Annotations]: Annotations[K] }>();
  for (const { what, id, value } of rows) {
    let annotations = known.get(id);
    if (!annotations) known.set(id, (annotations = { flaggedAtMs: null, rating: null, averageRating: null }));
    annotations[what] = value;
  }
  return (id) => known.get(id) ?? UNANNOTATED;
};
