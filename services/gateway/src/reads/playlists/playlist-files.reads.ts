import type { PlaylistFileTable, UnmatchedEntry } from '@continuo/contracts';
import { sql } from 'kysely';
import type { ReadDatabase } from '../database/database.js';
import { inVisibleCatalogs, type Viewer } from '../visibility/viewer.js';

/** Playlist file of a catalog that a scan has read. */
export type PlaylistFileView = Pick<
  PlaylistFileTable,
  'catalog_id' | 'path' | 'outcome' | 'playlist_id' | 'entry_count' | 'song_count' | 'message'
> & { readonly unmatched: readonly UnmatchedEntry[] };

/** Page of playlist files of visible catalogs by catalog and path, behind one; those of one path when it is given. */
export const playlistFilesAfter = async (
  db: ReadDatabase,
  viewer: Viewer,
  {
    after,
    path,
    limit,
  }: { readonly after: { readonly catalogId: number; readonly path: string }; readonly path?: string | undefined; readonly limit: number },
): Promise<PlaylistFileView[]> => {
  const rows = await db
    .selectFrom('ingestion.playlist_file as f')
    .select(['f.catalog_id', 'f.path', 'f.outcome', 'f.playlist_id', 'f.entry_count', 'f.song_count', 'f.message', 'f.unmatched'])
    .where(sql<boolean>`(f.catalog_id, f.path collate "C") > (${after.catalogId}::bigint, ${after.path} collate "C")`)
    .where(inVisibleCatalogs(viewer, sql`f.catalog_id`))
    .$if(path !== undefined, (all) => all.where('f.path', '=', path ?? ''))
    .orderBy('f.catalog_id')
    .orderBy(sql`f.path collate "C"`)
    .limit(limit)
    .execute();
  return rows.map(({ unmatched, ...file }) => ({ ...file, unmatched: JSON.parse(unmatched) as UnmatchedEntry[] }));
};
