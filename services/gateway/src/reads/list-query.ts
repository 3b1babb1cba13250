import type { RawBuilder, SqlBool } from 'kysely';
import type { Viewer } from './viewer.js';

/** The kinds of thing that can be listed. */
export type ListKind = 'song' | 'album' | 'artist' | 'genre' | 'catalog' | 'user';

/** One condition on a list: the name of a filter row and its text. Unknown names do not restrict anything (browse.md). */
export interface Condition {
  readonly name: string;
  readonly value: string;
}

/** The order of a list: the name of a sort row and a direction. */
export interface SortOrder {
  readonly name: string;
  readonly descending: boolean;
}

/** What is wanted: all of these conditions, in this order. */
export interface ListQuery {
  readonly kind: ListKind;
  readonly where: readonly Condition[];
  readonly sort: SortOrder;
}

/** One filter of a kind: the SQL condition that its text means. */
export interface FilterRow {
  /** True when the answer depends on more than the catalogue (plays, the caller), so that it must not be kept. */
  readonly volatile?: boolean;
  /** Undefined when the text says nothing, which restricts nothing. */
  readonly where: (value: string, viewer: Viewer) => RawBuilder<SqlBool> | undefined;
}

/** One order of a kind: columns in order of weight; the id always comes last, so that the order is total. */
export interface SortRow {
  readonly volatile?: boolean;
  readonly columns: readonly RawBuilder<unknown>[];
}

/** How one kind is listed. Names come from these tables and values are bound: nothing of a request reaches the SQL text. */
export interface ListDefinition {
  readonly kind: ListKind;
  /** The `from` part; `t` is the alias of the listed rows. */
  readonly from: RawBuilder<unknown>;
  /** What belongs to every list of the kind, visibility included. */
  readonly base: (viewer: Viewer) => RawBuilder<SqlBool>;
  readonly filters: Readonly<Record<string, FilterRow>>;
  readonly sorts: Readonly<Record<string, SortRow>>;
  /** Joins that a sort needs, by sort name. */
  readonly joins?: Readonly<Record<string, RawBuilder<unknown>>>;
  /** True when nothing tells the lists of this kind have changed, so that none is kept. */
  readonly volatile?: boolean;
}
