import type { RawBuilder, SqlBool } from 'kysely';
import type { Viewer } from '../visibility/viewer.js';

/** One condition on a list: the name of a filter row and its text. Unknown names do not restrict anything. */
export interface Condition {
  readonly name: string;
  readonly value: string;
}

/** The order of a list: the name of a sort row and a direction. */
export interface SortOrder {
  readonly name: string;
  readonly descending: boolean;
}

/** Query of a list: all of these conditions, in this order. `K` are the names of the lists. */
export interface ListQuery<K extends string = string> {
  readonly kind: K;
  readonly where: readonly Condition[];
  readonly sort: SortOrder;
}

/**
 * Ids that a fact outside the catalogue marks (played, rated, favourite), ordered by that fact. Few things are marked and marks change all the
 * time, so lists of the catalogue are kept without them and marks are laid over the kept ids in memory.
 */
export interface Overlay {
  /** Names it in the cache: equal keys mean equal statements. */
  readonly key: string;
  /** A statement of one column `id`, in ascending order of the fact, then of the id. */
  readonly ids: RawBuilder<unknown>;
  /** Source of its changes. Without it the overlay is read for each list, which suits the few annotations of one caller. */
  readonly changesWith?: 'plays';
  /** True when its statement sums up or joins, so that it is worth keeping however few the marks are. */
  readonly isCostly?: boolean;
}

/** A filter by marks: only the marked, or only the others. */
export interface OverlayFilter {
  readonly overlay: Overlay;
  readonly keep: boolean;
}

/** One filter of a kind: what its text means, as a condition on rows or by marks. Undefined when the text says nothing, which restricts nothing. */
export interface FilterRow {
  /** True for a filter of the methods' own; a client that names it names an unknown one. */
  readonly own?: boolean;
  /** True when its cost is the client's choice, so that the statement gets a time limit. */
  readonly bounded?: boolean;
  readonly where?: (value: string, viewer: Viewer) => RawBuilder<SqlBool> | undefined;
  readonly overlay?: (value: string, viewer: Viewer) => OverlayFilter | undefined;
}

/**
 * One order of a kind: columns in order of weight, or marks, where what is not marked counts as least. The id always comes last and in the same
 * direction, so that the order is total and the descending order is the ascending one backwards.
 */
export interface SortRow {
  readonly columns?: (viewer: Viewer) => readonly RawBuilder<unknown>[];
  /** Joins that the columns need; they must neither add nor drop rows. */
  readonly join?: RawBuilder<unknown>;
  readonly overlay?: (viewer: Viewer) => Overlay;
}

/** Rows that a viewer may see. */
export interface ListSource {
  /** The `from` part; `t` is the alias of the rows, which have a column `id`. */
  readonly from: RawBuilder<unknown>;
  /** Condition of the rows that the viewer may see. */
  readonly visible: (viewer: Viewer) => RawBuilder<SqlBool>;
}

/** List definition of a kind. Names come from these tables and values are bound: nothing of a request reaches the SQL text. */
export interface ListDefinition extends ListSource {
  readonly filters: Readonly<Record<string, FilterRow>>;
  readonly sorts: Readonly<Record<string, SortRow>>;
  /** Conditions of every list of the kind, until a condition of the same name replaces them. */
  readonly presets?: readonly Condition[];
  /** True when things with negative numbers come first, whatever the order and its direction. */
  readonly negativeFirst?: boolean;
  /** Tie-breaker instead of the id, where ids carry a sign. */
  readonly tie?: RawBuilder<unknown>;
  /** True when lists can be asked for in random order, see {@link RANDOM}. */
  readonly shuffled?: boolean;
  /** True when nothing tells the lists of this kind have changed, so that none is kept. */
  readonly volatile?: boolean;
  /** The public spelling of an id, for lists whose ids are texts; negative numbers stand for the second kind of thing in them. */
  readonly spell?: (id: number) => string;
}

/** An order by columns that are the same for every viewer. */
export const byColumns = (...columns: readonly RawBuilder<unknown>[]): SortRow => ({ columns: () => columns });

/** The order that is another one each time; none of the kinds that know it asks the database for it. */
export const RANDOM = 'rand';

/** The filter of a name; undefined for an unknown one. */
export const filterOf = (list: ListDefinition, name: string): FilterRow | undefined =>
  Object.hasOwn(list.filters, name) ? list.filters[name] : undefined;

/** The order of a name; undefined for an unknown one. */
export const sortOf = (list: ListDefinition, name: string): SortRow | undefined =>
  Object.hasOwn(list.sorts, name) ? list.sorts[name] : undefined;

/** True for an order that lists of this kind know. */
export const knowsSort = (list: ListDefinition, name: string): boolean =>
  (name === RANDOM && list.shuffled === true) || sortOf(list, name) !== undefined;

/** Filters that take the place of others. */
const cleared: ReadonlyMap<string, readonly string[]> = new Map([
  ['no_genre', ['genre', 'tag']],
  ['no_tag', ['genre', 'tag']],
  ['regex_match', ['regex_not_match']],
  ['regex_not_match', ['regex_match']],
]);

const asClientSends = (list: ListDefinition, condition: Condition): Condition[] => {
  if (filterOf(list, condition.name)?.own === true) return [];
  // `cond` cannot carry a list of ids.
  return [condition.name === 'id' ? { name: 'id', value: '' } : condition];
};

/**
 * All conditions of a list: the kind's own, the method's, then the client's. One that comes again replaces the earlier one, some also replace those that
 * they contradict. Clients cannot name filters of the methods' own.
 */
export const conditionsOf = (list: ListDefinition, own: readonly Condition[], client: readonly Condition[]): Condition[] => {
  const byName = new Map<string, Condition>();
  const all = [...(list.presets ?? []), ...own, ...client.flatMap((condition) => asClientSends(list, condition))];
  for (const condition of all) {
    for (const name of cleared.get(condition.name) ?? []) byName.delete(name);
    byName.set(condition.name, condition);
  }
  return [...byName.values()];
};
