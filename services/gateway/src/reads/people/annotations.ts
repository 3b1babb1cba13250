import type { AnnotatedKind } from '@continuo/contracts';
import { sql, type RawBuilder } from 'kysely';
import { integerOf } from '../lists/text-filters.js';
import type { FilterRow, Overlay, SortRow } from '../lists/list-query.js';
import type { Viewer } from '../visibility/viewer.js';

/** Mapping of an annotated kind's ids to a list: unchanged, negative for the second kind of a list, or shifted for the third. */
interface Annotated {
  readonly kind: AnnotatedKind;
  readonly negative?: boolean;
  readonly offset?: number;
}

const signed = ({ negative = false, offset = 0 }: Annotated, column: RawBuilder<number>): RawBuilder<number> => {
  if (offset > 0) return sql<number>`(${column} + ${sql.lit(offset)})`;
  return negative ? sql<number>`-${column}` : column;
};

const union = (parts: readonly RawBuilder<unknown>[]): RawBuilder<unknown> => sql.join(parts, sql` union all `);

const overlay = (name: string, kinds: readonly Annotated[], viewer: Viewer, rows: RawBuilder<unknown>): Overlay => ({
  key: JSON.stringify([name, kinds, viewer.userId]),
  ids: rows,
});

/** Favourites of the caller, in the order in which they were made. */
const flagged = (kinds: readonly Annotated[], viewer: Viewer): Overlay => {
  const rows = kinds.map(
    (annotated) => sql`select ${signed(annotated, sql`f.object_id`)} as id, f.flagged_at_ms as at_ms from social.user_flag f
      where f.user_id = ${viewer.userId} and f.kind = ${annotated.kind}`,
  );
  return overlay('flagged', kinds, viewer, sql`select m.id from (${union(rows)}) m order by m.at_ms, abs(m.id), m.id desc`);
};

/** Overlay of the caller's ratings, by rating, then by time; with `rating`, only that one. */
const rated = (kinds: readonly Annotated[], viewer: Viewer, rating?: number): Overlay => {
  const only = rating === undefined ? sql`` : sql`and r.rating = ${rating}`;
  const rows = kinds.map(
    (annotated) => sql`select ${signed(annotated, sql`r.object_id`)} as id, r.rating, r.rated_at_ms as at_ms from social.rating r
      where r.user_id = ${viewer.userId} and r.kind = ${annotated.kind} ${only}`,
  );
  return overlay(
    `rated ${rating ?? ''}`,
    kinds,
    viewer,
    sql`select m.id from (${union(rows)}) m order by m.rating, m.at_ms, abs(m.id), m.id desc`,
  );
};

/** By when it was made a favourite, then by the caller's rating; never made one and unrated count as least. */
const flaggedAndRated = (kinds: readonly Annotated[], viewer: Viewer): Overlay => {
  const rows = kinds.map(
    (annotated) => sql`select ${signed(annotated, sql`coalesce(f.object_id, r.object_id)`)} as id, f.flagged_at_ms as at_ms, r.rating
      from (select object_id, flagged_at_ms from social.user_flag where user_id = ${viewer.userId} and kind = ${annotated.kind}) f
      full join (select object_id, rating from social.rating where user_id = ${viewer.userId} and kind = ${annotated.kind}) r using (object_id)`,
  );
  return overlay(
    'flagged and rated',
    kinds,
    viewer,
    sql`select m.id from (${union(rows)}) m order by m.at_ms nulls first, m.rating nulls first, abs(m.id), m.id desc`,
  );
};

/** A rating that nothing can have, so that asking for a nonsensical one finds nothing. */
const NO_SUCH_RATING = -1;
const HIGHEST_RATING = 5;
const ratingOf = (wanted: number): number => (wanted >= 1 && wanted <= HIGHEST_RATING ? wanted : NO_SUCH_RATING);

/** Filters by what the caller thinks of things: `user_flag` 0 or 1, `user_rating` 0 to 5. */
export const annotationFilters = (...kinds: readonly Annotated[]): Record<'user_flag' | 'user_rating', FilterRow> => ({
  user_flag: { overlay: (value, viewer) => ({ overlay: flagged(kinds, viewer), keep: integerOf(value) === 1 }) },
  user_rating: {
    overlay: (value, viewer) => {
      const wanted = integerOf(value);
      return wanted === 0
        ? { overlay: rated(kinds, viewer), keep: false }
        : { overlay: rated(kinds, viewer, ratingOf(wanted)), keep: true };
    },
  },
});

/** Orders by what the caller thinks of things. */
export const annotationSorts = (
  ...kinds: readonly Annotated[]
): Record<'rating' | 'user_flag' | 'userflag' | 'user_flag_rating', SortRow> => {
  const byFlag: SortRow = { overlay: (viewer) => flagged(kinds, viewer) };
  return {
    rating: { overlay: (viewer) => rated(kinds, viewer) },
    user_flag: byFlag,
    userflag: byFlag,
    user_flag_rating: { overlay: (viewer) => flaggedAndRated(kinds, viewer) },
  };
};
