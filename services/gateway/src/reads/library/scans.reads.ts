import type { ScanTable } from '@continuo/contracts';
import { sql } from 'kysely';
import type { ReadDatabase } from '../database/database.js';
import { inVisibleCatalogs, type Viewer } from '../visibility/viewer.js';

/** A scan, with the number of songs that its catalog had so far. */
export interface ScanView extends ScanTable {
  readonly known_songs: number | null;
}

const scans = (db: ReadDatabase, viewer: Viewer) =>
  db
    .selectFrom('ingestion.scan as s')
    .leftJoin('library.catalog as c', 'c.id', 's.catalog_id')
    .selectAll('s')
    .select('c.song_count as known_songs')
    .where(inVisibleCatalogs(viewer, sql`s.catalog_id`));

/** Where a page of scans begins: after the scan that was requested then. */
export interface ScanCursor {
  readonly requestedAtMs: number;
  readonly id: string;
}

/** Which scans are listed. */
export interface ScanFilter {
  readonly catalogId?: number | undefined;
  readonly states?: readonly ScanTable['state'][] | undefined;
  readonly after?: ScanCursor | undefined;
  readonly limit: number;
}

/** Scans of visible catalogs, the latest first. */
export const latestScans = (db: ReadDatabase, viewer: Viewer, { catalogId, states, after, limit }: ScanFilter): Promise<ScanView[]> =>
  scans(db, viewer)
    .$if(catalogId !== undefined, (query) => query.where('s.catalog_id', '=', catalogId ?? 0))
    .$if(states !== undefined, (query) => query.where('s.state', 'in', [...(states ?? [])]))
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(s.requested_at_ms, s.id) < (${after?.requestedAtMs ?? 0}::bigint, ${after?.id ?? ''}::text)`),
    )
    .orderBy('s.requested_at_ms', 'desc')
    .orderBy('s.id', 'desc')
    .limit(limit)
    .execute();

/** A scan of a visible catalog. */
export const scanById = (db: ReadDatabase, viewer: Viewer, id: string): Promise<ScanView | undefined> =>
  scans(db, viewer).where('s.id', '=', id).executeTakeFirst();

/** A file that scans left out. */
export interface SkippedFileView {
  /** Folder relative to the catalog's root. */
  readonly folder: string;
  readonly name: string;
  readonly reason: string;
  readonly message: string;
}

/** Files of a catalog that scans left out, by folder and name; `contains` in their path or in the reason, in any case. */
export const skippedFilesAfter = (
  db: ReadDatabase,
  catalogId: number,
  {
    after,
    contains = '',
    limit,
  }: {
    readonly after?: readonly [folder: string, name: string] | undefined;
    readonly contains?: string | undefined;
    readonly limit: number;
  },
): Promise<SkippedFileView[]> =>
  db
    .selectFrom('library.file as f')
    .innerJoin('library.folder as d', 'd.id', 'f.folder_id')
    .select(['d.path as folder', 'f.name'])
    .select([sql<string>`coalesce(f.skip_reason, '')`.as('reason'), sql<string>`coalesce(f.skip_message, '')`.as('message')])
    .where('d.catalog_id', '=', catalogId)
    .where('f.kind', '=', 'skipped')
    .$if(contains !== '', (query) =>
      query.where(
        sql<boolean>`strpos(lower(concat(d.path, '/', f.name, ' ', f.skip_reason, ': ', f.skip_message)), lower(${contains}::text)) > 0`,
      ),
    )
    .$if(after !== undefined, (query) => query.where(sql<boolean>`(d.path, f.name) > (${after?.[0] ?? ''}, ${after?.[1] ?? ''})`))
    .orderBy('d.path')
    .orderBy('f.name')
    .limit(limit)
    .execute();
