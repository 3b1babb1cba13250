import type { ReadDatabase } from '../database/database.js';
import { sql } from 'kysely';
import { inVisibleCatalogs, type Viewer } from '../visibility/viewer.js';

/** Whether anything is being scanned, and how many songs there are, of what a viewer may see. */
export interface ScanState {
  readonly scanning: boolean;
  readonly songCount: number;
}

/** The state of all scans of visible catalogs together. */
export const scanState = async (db: ReadDatabase, viewer: Viewer): Promise<ScanState> => {
  const [running, songs] = await Promise.all([
    db
      .selectFrom('ingestion.scan')
      .select('id')
      .where('state', 'in', ['queued', 'running'])
      .where(inVisibleCatalogs(viewer, sql`catalog_id`))
      .limit(1)
      .executeTakeFirst(),
    db
      .selectFrom('library.counter')
      .select(sql<number>`coalesce(sum(total), 0)::float8`.as('total'))
      .where('kind', '=', 'song')
      .where('catalog_id', '<>', 0)
      .where(inVisibleCatalogs(viewer, sql`catalog_id`))
      .executeTakeFirst(),
  ]);
  return { scanning: running !== undefined, songCount: songs?.total ?? 0 };
};
