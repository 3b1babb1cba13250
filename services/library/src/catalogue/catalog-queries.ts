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

/** Writes the changed terms of a catalog. */
export const changeCatalog = (data: Extract<CatalogEvent, { type: 'CatalogChanged' }>['data'], db: Handle): ProjectedQuery[] => {
  const { catalogId, name, enabled, renamePattern, sortPattern, watched, scanSchedule, connection } = data;
  const set = [
    name === undefined ? undefined : sql`name = ${name}`,
    enabled === undefined ? undefined : sql`enabled = ${enabled}`,
    renamePattern === undefined ? undefined : sql`rename_pattern = ${renamePattern}`,
    sortPattern === undefined ? undefined : sql`sort_pattern = ${sortPattern}`,
    watched === undefined ? undefined : sql`watched = ${watched}`,
    scanSchedule === undefined ? undefined : sql`scan_schedule = ${scanSchedule}`,
    connection === undefined ? undefined : sql`connection = ${JSON.stringify(connection)}`,
  ].filter((one) => one !== undefined);
  return set.length === 0 ? [] : [rawQuery(sql`update catalog set ${sql.join(set)} where id = ${catalogId}`, db)];
};

/** The folder in which the files of a catalog lie now. */
export const moveCatalog = ({ catalogId, path }: Extract<CatalogEvent, { type: 'CatalogMoved' }>['data'], db: Handle): ProjectedQuery[] => [
  rawQuery(sql`update catalog set path = ${path} where id = ${catalogId}`, db),
];

/** Deletes everything of a catalog; albums and artists that lose their last song keep their rows for their ids' sake. `at` is epoch milliseconds. */
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
