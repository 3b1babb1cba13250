import type { Annotations } from '../../reads/annotations.reads.js';
import { isoDate } from '../dates.js';
import { fieldsOf, OPEN, type CompatField } from './fields.js';

/**
 * What users say of a thing: the caller's own pair and the mean of all. The types of the schema have them in different places and not all of each; what is not said is
 * left out (compat facts, sections 3 and 6).
 */
export const annotationFields = <T>(get: (source: T) => Annotations) => {
  const fields = fieldsOf<T>();
  const userRating = (marks = {}): CompatField<T> => fields.num('userRating', (source) => get(source).rating ?? undefined, marks);
  return {
    userRating: userRating(),
    /** For albums by their tags, of which the legacy form knows no rating. */
    openUserRating: userRating(OPEN),
    averageRating: fields.num('averageRating', (source) => get(source).averageRating ?? undefined),
    /** Where the caller stopped in it, in milliseconds. */
    bookmarkPosition: fields.num('bookmarkPosition', (source) => get(source).bookmarkMs ?? undefined),
    starred: fields.text('starred', (source) => isoDate(get(source).flaggedAtMs)),
  };
};
