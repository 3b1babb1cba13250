import { rawQuery, type ProjectedQuery } from '@continuo/chassis';
import type { CatalogEvent } from '@continuo/contracts';
import { sql } from 'kysely';
import { countFolders } from './folder-queries.js';
import type { Handle } from './handle.js';
import { deleteRelations, deleteSongsOf } from './song-queries.js';

type CatalogAddedData = Extract<CatalogEvent, { type: 'CatalogAdded' }>['data'];

/** The row of a new catalog. `at` is epoch milliseconds. */
export const addCatalog = (data: CatalogAddedData, at: number, db: Handle): ProjectedQuery[] => [
  rawQuery(
    sql`insert into catalog (id, name, type, gather_types, path, connection, rename_pattern, sort_pattern, added_at_ms)
        values (${data.catalogId}, ${data.name}, ${data.type}, ${data.gatherTypes}, ${data.path},
          ${data.connection ? JSON.stringify(data.connection) : null}, ${data.renamePattern}, ${data.sortPattern}, ${at})`,
    db,
  ),
  rawQuery(
    sql`insert into counter as t (kind, catalog_id, max_id) values ('catalog', 0, ${data.catalogId})
        on conflict (kind, catalog_id) do update set max_id = greatest(t.max_id, excluded.max_id)`,
    db,
  ),
];

/** Takes everything of a catalog away; albums and artists that lose their last song keep their rows for their ids' sake. `at` is epoch milliseconds. */
export const removeCatalog = (catalogId: number, at: number, db: Handle): ProjectedQuery[] => [
  countFolders(-1, sql`select id from folder where catalog_id = ${catalogId}`, db),
  ...[
    deleteSongsOf(catalogId, at),
    deleteRelations(sql`select id from song where catalog_id = ${catalogId}`),
    sql`delete from song where catalog_id = ${catalogId}`,
    sql`delete from file where folder_id in (select id from folder where catalog_id = ${catalogId})`,
    sql`delete from folder where catalog_id = ${catalogId}`,
    sql`delete from catalog where id = ${catalogId}`,
  ].map((statement) => rawQuery(statement, db)),
];
