import type { ThingKind } from '../../lib/things.js';

/** Kinds of objects that can be favourites and have a rating. */
export type MarkedKind = Exclude<ThingKind, 'user'>;

/** An object with the marks of the account. */
export interface Marked {
  readonly id: string;
  readonly flag: boolean;
  /** 1 to 5; null for none. */
  readonly rating: number | null;
}

export type Marks = Partial<Pick<Marked, 'flag' | 'rating'>>;

const isMarked = (data: unknown): data is Marked => typeof data === 'object' && data !== null && 'id' in data && 'flag' in data;
const hasItems = (data: unknown): data is { readonly items: readonly unknown[] } =>
  typeof data === 'object' && data !== null && 'items' in data && Array.isArray(data.items) && !('flag' in data);

/** All objects in fetched data: an object, or a part of a list of objects. */
export const markedIn = (data: unknown): readonly Marked[] => (isMarked(data) ? [data] : hasItems(data) ? data.items.filter(isMarked) : []);

/** The data with other marks for some of its objects; the same data when it has none of them. */
export const withMarks = (data: unknown, marks: ReadonlyMap<string, Marks>): unknown => {
  if (!markedIn(data).some(({ id }) => marks.has(id))) return data;
  const changed = (item: unknown): unknown => (isMarked(item) ? { ...item, ...marks.get(item.id) } : item);
  return hasItems(data) ? { ...data, items: data.items.map(changed) } : changed(data);
};
