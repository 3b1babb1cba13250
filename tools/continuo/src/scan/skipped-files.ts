import type { ReadModel } from '@continuo/contracts';
import type { Kysely } from 'kysely';

/** A file that a scan left out. */
export interface SkippedEntry {
  /** Relative to the catalog's root. */
  readonly path: string;
  readonly reason: string;
  readonly message: string;
}

/** The files of a catalog that scans left out, the first `limit` of them by folder and name. */
export const skippedFiles = async (
  db: Kysely<ReadModel>,
  catalogId: number,
  limit: number,
): Promise<{ total: number; files: SkippedEntry[] }> => {
  const skipped = db
    .selectFrom('library.file as f')
    .innerJoin('library.folder as d', 'd.id', 'f.folder_id')
    .where('d.catalog_id', '=', catalogId)
    .where('f.kind', '=', 'skipped');
  const { total } = await skipped.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await skipped
    .select(['d.path', 'f.name', 'f.skip_reason', 'f.skip_message'])
    .orderBy('d.path')
    .orderBy('f.name')
    .limit(Math.min(limit, total))
    .execute();
  return {
    total: total,
    files: rows.map((row) => ({
      path: row.path === '' ? row.name : `${row.path}/${row.name}`,
      reason: row.skip_reason ?? '',
      message: row.skip_message ?? '',
    })),
  };
};
