import type { Annotations } from '../../reads/annotations.reads.js';
import { rowsOf, type FieldRow } from '../../render/index.js';
import type { NativeContext } from './context.js';

/**
 * The fields that tell what users say of a thing, in their order: `flag`, `preciserating`, `rating`, `averagerating`. Version 3 has no `flag` and writes 0 where nobody
 * rated; `averageUnset` is what it writes for the average (versions.md section 7.5).
 */
export const annotationRows = <T>(get: (source: T) => Annotations, averageUnset: 0 | null = 0): FieldRow<T, NativeContext>[] => {
  const of = rowsOf<T, NativeContext>();
  const rating = (source: T): number | null => get(source).rating;
  const average = (source: T): number | null => get(source).averageRating;
  return [
    of.bool('flag', (source) => get(source).flaggedAtMs !== null, { since: 4 }),
    of.num('preciserating', rating, { since: 4, until: 5 }),
    of.num('rating', rating, { since: 4 }),
    of.num('averagerating', average, { since: 4 }),
    of.num('preciserating', (source) => rating(source) ?? 0, { until: 3 }),
    of.num('rating', (source) => rating(source) ?? 0, { until: 3 }),
    of.num('averagerating', (source) => average(source) ?? averageUnset, { until: 3 }),
  ];
};
