import { IdSet } from '../database/id-set.js';

/** Keeps the ids that are in the set, or those that are not, in their order. */
export const filterIds = (ids: Int32Array, set: IdSet, keep: boolean): Int32Array => ids.filter((id) => set.has(id) === keep);

const joined = (first: Int32Array, second: Int32Array): Int32Array => {
  const ids = new Int32Array(first.length + second.length);
  ids.set(first);
  ids.set(second, first.length);
  return ids;
};

/**
 * Orders ids by an overlay. Ids without a value count as least and stay in the order of the ids.
 * @param ids all of them, in their own ascending order
 * @param marked ids in ascending order of their overlay values; those that are not among `ids` do not matter
 */
export const orderedByOverlay = (ids: Int32Array, marked: Int32Array, descending: boolean): Int32Array => {
  const listed = filterIds(marked, new IdSet(ids), true);
  const ascending = joined(filterIds(ids, new IdSet(listed), false), listed);
  return descending ? ascending.toReversed() : ascending;
};

/** Puts negative ids first, otherwise in the same order. */
export const negativeIdsFirst = (ids: Int32Array): Int32Array =>
  joined(
    ids.filter((id) => id < 0),
    ids.filter((id) => id >= 0),
  );
