import { sql } from 'kysely';
import type { ReadDatabase } from './database.js';
import { inOrder } from './songs.reads.js';
import { inVisibleCatalogs, type Viewer } from './viewer.js';

/** A catalog with the time of its latest finished scan. */
export interface CatalogView {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly gatherTypes: string;
  readonly path: string;
  readonly enabled: boolean;
  readonly renamePattern: string | null;
  readonly sortPattern: string | null;
  readonly addedAtMs: number;
  readonly songCount: number;
  /** Epoch milliseconds; null when no scan of it has finished. */
  readonly lastScanAtMs: number | null;
}

const lastScan = sql<
  number | null
>`(select max(sc.finished_at_ms) from ingestion.scan sc where sc.catalog_id = c.id and sc.state = 'finished')`;

/** Catalogs by id, in the order of the ids; those that may not be seen are left out. */
export const catalogsByIds = async (db: ReadDatabase, ids: ArrayLike<number>, viewer: Viewer): Promise<CatalogView[]> => {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('library.catalog as c')
    .select(['c.id', 'c.name', 'c.type', 'c.gather_types as gatherTypes', 'c.path', 'c.enabled', 'c.added_at_ms as addedAtMs'])
    .select([
      'c.rename_pattern as renamePattern',
      'c.sort_pattern as sortPattern',
      'c.song_count as songCount',
      lastScan.as('lastScanAtMs'),
    ])
    .where(sql<boolean>`c.id = any(${Array.from(ids)}::int[])`)
    .where(inVisibleCatalogs(viewer, sql`c.id`))
    .execute();
  return inOrder(ids, rows);
};
