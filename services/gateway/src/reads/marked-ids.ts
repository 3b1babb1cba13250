import { IdSet } from './id-set.js';

/** Only those ids that are in the set, or only those that are not, in their order. */
export const sifted = (ids: Int32Array, set: IdSet, keep: boolean): Int32Array => ids.filter((id) => set.has(id) === keep);

const joined = (first: Int32Array, second: Int32Array): Int32Array => {
  const ids = new Int32Array(first.length + second.length);
  ids.set(first);
  ids.set(second, first.length);
  return ids;
};

/**
 * Ids in the order of their marks. What has no mark counts as least and stands in the order of the ids.
 * @param ids all of them, in their own ascending order
 * @param marked ids in ascending order of their marks; those that are not among `ids` do not matter
 */
export const orderedByMarks = (ids: Int32Array, marked: Int32Array, descending: boolean): Int32Array => {
  const listed = sifted(marked, new IdSet(ids), true);
  const ascending = joined(sifted(ids, new IdSet(listed), false), listed);
  return descending ? ascending.toReversed() : ascending;
};

/** The same order, negative ids first. */
export const negativeIdsFirst = (ids: Int32Array): Int32Array =>
  joined(
    ids.filter((id) => id < 0),
    ids.filter((id) => id >= 0),
  );
