import type { ReadDatabase } from './database.js';
import { sql } from 'kysely';

/** Whether anything is being scanned, and how many songs the library holds. */
export interface ScanState {
  readonly scanning: boolean;
  readonly songCount: number;
}

/** The state of all scans together. */
export const scanState = async (db: ReadDatabase): Promise<ScanState> => {
  const [running, songs] = await Promise.all([
    db.selectFrom('ingestion.scan').select('id').where('state', 'in', ['queued', 'running']).limit(1).executeTakeFirst(),
    db
      .selectFrom('library.counter')
      .select(sql<number>`coalesce(sum(total), 0)::float8`.as('total'))
      .where('kind', '=', 'song')
      .where('catalog_id', '<>', 0)
      .executeTakeFirst(),
  ]);
  return { scanning: running !== undefined, songCount: songs?.total ?? 0 };
};
