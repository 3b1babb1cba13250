import type { ScanTable } from '@continuo/contracts';
import { sql } from 'kysely';
import type { ReadDatabase } from '../database/database.js';
import { inOrder } from '../songs/songs.reads.js';
import { inVisibleCatalogs, type Viewer } from './viewer.js';
import { isOneOf } from '../database/id-condition.js';

/** A catalog with the times of its latest finished scans. */
export interface CatalogView {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly gatherTypes: string;
  readonly path: string;
  readonly enabled: boolean;
  readonly renamePattern: string | null;
  readonly sortPattern: string | null;
  /** Whether its folder is watched, and by which cron expression it is scanned (empty: never); null follows the settings. */
  readonly watched: boolean | null;
  readonly scanSchedule: string | null;
  readonly addedAtMs: number;
  readonly songCount: number;
  readonly videoCount: number;
  readonly podcastCount: number;
  readonly episodeCount: number;
  /** When a scan last finished that takes in new files, drops what is gone, or reads known files again; null when none has. Epoch milliseconds. */
  readonly lastAddAtMs: number | null;
  readonly lastCleanAtMs: number | null;
  readonly lastUpdateAtMs: number | null;
}

/** The time at which the latest scan in one of some modes finished. */
const lastScan = (modes: readonly ScanTable['mode'][]) => sql<number | null>`(
  select max(sc.finished_at_ms) from ingestion.scan sc where sc.catalog_id = c.id and sc.state = 'finished' and sc.mode in (${sql.join(modes)}))`;

const videos = sql<number>`(select coalesce(max(total), 0)::int from library.video_counter where kind = 'video' and catalog_id = c.id)`;
const podcasts = (kind: 'podcast' | 'podcast_episode') =>
  sql<number>`(select coalesce(max(total), 0)::int from library.podcast_counter where kind = ${kind} and catalog_id = c.id)`;

/** Catalogs by id, in the order of the ids; those that may not be seen are left out. */
export const catalogsByIds = async (db: ReadDatabase, ids: ArrayLike<number>, viewer: Viewer): Promise<CatalogView[]> => {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('library.catalog as c')
    .select(['c.id', 'c.name', 'c.type', 'c.gather_types as gatherTypes', 'c.path', 'c.enabled', 'c.added_at_ms as addedAtMs'])
    .select([
      'c.rename_pattern as renamePattern',
      'c.sort_pattern as sortPattern',
      'c.watched',
      'c.scan_schedule as scanSchedule',
      'c.song_count as songCount',
      videos.as('videoCount'),
      podcasts('podcast').as('podcastCount'),
      podcasts('podcast_episode').as('episodeCount'),
      lastScan(['changes', 'add', 'update']).as('lastAddAtMs'),
      lastScan(['changes', 'clean', 'update']).as('lastCleanAtMs'),
      lastScan(['changes', 'verify', 'update']).as('lastUpdateAtMs'),
    ])
    .where(isOneOf(sql<number>`c.id`, ids))
    .where(inVisibleCatalogs(viewer, sql`c.id`))
    .execute();
  return inOrder(ids, rows);
};

/** Scans of a catalog that wait or run. */
export const openScans = async (db: ReadDatabase, catalogId: number): Promise<string[]> => {
  const rows = await db
    .selectFrom('ingestion.scan')
    .select('id')
    .where('catalog_id', '=', catalogId)
    .where('state', 'in', ['queued', 'running'])
    .execute();
  return rows.map(({ id }) => id);
};

/** Ids of visible catalogs after one, in order. */
export const catalogIdsAfter = async (db: ReadDatabase, viewer: Viewer, page: { afterId: number; limit: number }): Promise<number[]> => {
  const rows = await db
    .selectFrom('library.catalog')
    .select('id')
    .where('id', '>', page.afterId)
    .where(inVisibleCatalogs(viewer, sql`id`))
    .orderBy('id')
    .limit(page.limit)
    .execute();
  return rows.map(({ id }) => id);
};
