import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { byColumns, type FilterRow, type ListDefinition, type ListSource } from '../reads/lists/list-query.js';
import type { Children } from '../reads/library/children.reads.js';
import type { ReadDatabase } from '../reads/database/database.js';
import { flagFilter, idFilter } from '../reads/lists/text-filters.js';
import { inVisibleCatalogs, type Viewer } from '../reads/visibility/viewer.js';

/** A kind of thing: its rows and all that the APIs do with things of different kinds in one way. */
export interface Kind {
  /** Rows that a viewer may open by id. */
  readonly source?: ListSource;
  /** Things by id, in the order of the ids; those that the viewer does not see are left out. */
  readonly read?: (db: ReadDatabase, ids: ArrayLike<number>, viewer: Viewer) => Promise<readonly object[]>;
  /** Ordered lists, with their filters and orders. */
  readonly list?: ListDefinition;
  /** Names, for lists of names alone. */
  readonly names?: NameSource;
  /** Children of a thing `o`, by relation. */
  readonly children?: Readonly<Record<string, Children>>;
  /** Hash of a thing's picture: null without one, undefined when the viewer does not see the thing. */
  readonly art?: (db: ReadDatabase, id: number, viewer: Viewer) => Promise<string | null | undefined>;
  /** Feature of the server that the kind is part of. */
  readonly feature?: keyof typeof featureSettings;
}

/** Settings that switch features on, by the names of the features in error messages. */
export const featureSettings = { video: 'ALLOW_VIDEO', live_stream: 'LIVE_STREAM', podcast: 'PODCAST' } as const;

/** Rows with names. */
export interface NameSource extends ListSource {
  readonly name: RawBuilder<unknown>;
  /** Columns `prefix`, a leading article, and `basename`, the rest; both null where the name is split when it is read. */
  readonly parts: RawBuilder<unknown>;
}

/** Names that are split when they are read. */
export const splitLater = (name: RawBuilder<unknown>) => ({ name, parts: sql`null as prefix, null as basename` });

/** Names without articles. */
export const wholeName = (name: RawBuilder<unknown>) => ({ name, parts: sql`null as prefix, ${name} as basename` });

/** Rows `t` with a column `catalog_id`, visible to those who see the catalog. */
export const ofCatalogs = (from: RawBuilder<unknown>): ListSource => ({
  from,
  visible: (viewer) => inVisibleCatalogs(viewer, sql`t.catalog_id`),
});

/** Filters of lists whose rows `t` have a column `catalog_id`. */
export const catalogFilters: Readonly<Record<'catalog' | 'catalog_enabled' | 'user_catalog', FilterRow>> = {
  catalog: idFilter((id) => sql<SqlBool>`t.catalog_id = ${id}::bigint`),
  catalog_enabled: flagFilter(() => sql<SqlBool>`exists (select from library.catalog c where c.id = t.catalog_id and c.enabled)`),
  // The caller's catalogs are part of every list.
  user_catalog: flagFilter(() => sql<SqlBool>`true`),
};

/** Deleted things of visible catalogs; `deletion` orders by their time. */
export const deletedThings = (from: RawBuilder<unknown>) =>
  ({
    list: { ...ofCatalogs(from), filters: {}, sorts: { id: byColumns(), deletion: byColumns(sql`t.deleted_at_ms`) } },
  }) satisfies Kind;
