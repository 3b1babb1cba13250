import type { Annotations } from '../../../reads/people/annotations.reads.js';
import { isoDate } from '../dates.js';
import { fieldsOf, OPEN_OPTIONAL, OPTIONAL, type CompatField } from './fields.js';

/**
 * Rating and favourite fields: the caller's own and the average. Schema types have different subsets of them; unset ones are left out.
 */
export const annotationFields = <T>(get: (source: T) => Annotations) => {
  const fields = fieldsOf<T>();
  const userRating = (marks: { readonly open?: boolean; readonly optional: true }): CompatField<T> =>
    fields.int('userRating', (source) => get(source).rating ?? undefined, marks);
  return {
    userRating: userRating(OPTIONAL),
    /** For albums by tags, which have no rating in the legacy form. */
    openUserRating: userRating(OPEN_OPTIONAL),
    averageRating: fields.num('averageRating', (source) => get(source).averageRating ?? undefined, OPTIONAL),
    /** Position of the caller's bookmark, ms. */
    bookmarkPosition: fields.int('bookmarkPosition', (source) => get(source).bookmarkMs ?? undefined, OPTIONAL),
    starred: fields.text('starred', (source) => isoDate(get(source).flaggedAtMs), OPTIONAL),
  };
};
