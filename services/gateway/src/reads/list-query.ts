import type { RawBuilder, SqlBool } from 'kysely';
import type { Viewer } from './viewer.js';

/** The kinds of thing that can be listed. */
export type ListKind =
  | 'song'
  | 'album'
  | 'album_disk'
  | 'artist'
  | 'genre'
  | 'label'
  | 'license'
  | 'catalog'
  | 'folder'
  | 'user'
  | 'follower'
  | 'share'
  | 'video'
  | 'live_stream'
  | 'playlist'
  | 'playlist_search'
  | 'smartlist'
  | 'podcast'
  | 'podcast_episode'
  | 'deleted_song'
  | 'deleted_video'
  | 'deleted_podcast_episode';

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

/**
 * Ids that a fact outside the catalogue marks (played, rated, favourite), ordered by that fact. Few things are marked and marks change all the
 * time, so lists of the catalogue are kept without them and marks are laid over the kept ids in memory.
 */
export interface Overlay {
  /** Names it in the cache: equal keys mean equal statements. */
  readonly key: string;
  /** A statement of one column `id`, in ascending order of the fact, then of the id. */
  readonly ids: RawBuilder<unknown>;
  /** What tells that it has changed. Without it the overlay is read for each list, which suits the few marks of one caller. */
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

/** How one kind is listed. Names come from these tables and values are bound: nothing of a request reaches the SQL text. */
export interface ListDefinition {
  readonly kind: ListKind;
  /** The `from` part; `t` is the alias of the listed rows, which have a column `id`. */
  readonly from: RawBuilder<unknown>;
  /** What belongs to every list of the kind, visibility included. */
  readonly base: (viewer: Viewer) => RawBuilder<SqlBool>;
  readonly filters: Readonly<Record<string, FilterRow>>;
  readonly sorts: Readonly<Record<string, SortRow>>;
  /** Conditions of every list of the kind, until a condition of the same name replaces them. */
  readonly presets?: readonly Condition[];
  /** True when things with negative numbers come first, whatever the order and its direction. */
  readonly negativeFirst?: boolean;
  /** What settles ties instead of the id, where ids carry a sign. */
  readonly tie?: RawBuilder<unknown>;
  /** True when nothing tells the lists of this kind have changed, so that none is kept. */
  readonly volatile?: boolean;
  /** The public spelling of an id, for lists whose ids are texts; negative numbers stand for the second kind of thing in them. */
  readonly spell?: (id: number) => string;
}

/** An order by columns that are the same for every viewer. */
export const byColumns = (...columns: readonly RawBuilder<unknown>[]): SortRow => ({ columns: () => columns });
