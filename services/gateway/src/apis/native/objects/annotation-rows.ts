import type { Annotations } from '../../../reads/people/annotations.reads.js';
import { nativeRows, type NativeRow } from './native-object.js';

/**
 * Fields of ratings and favourites, in order: `flag`, `preciserating`, `rating`, `averagerating`. Version 3 has no `flag` and writes 0 for
 * unrated objects and `averageUnset` for a missing average.
 */
export const annotationRows = <T>(get: (source: T) => Annotations, averageUnset: 0 | null = 0): NativeRow<T>[] => {
  const of = nativeRows<T>();
  const rating = (source: T): number | null => get(source).rating;
  const average = (source: T): number | null => get(source).averageRating;
  return [
    of.bool('flag', (source) => get(source).flaggedAtMs !== null, { since: 4 }),
    of.num('preciserating', rating, { since: 4, until: 5, nullable: true }),
    of.int('rating', rating, { since: 4, nullable: true }),
    of.num('averagerating', average, { since: 4, nullable: true }),
    of.num('preciserating', (source) => rating(source) ?? 0, { until: 3 }),
    of.int('rating', (source) => rating(source) ?? 0, { until: 3 }),
    of.num('averagerating', (source) => average(source) ?? averageUnset, { until: 3, nullable: true }),
  ];
};
