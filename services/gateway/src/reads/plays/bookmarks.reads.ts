import type { PlayableType } from '@continuo/contracts';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { ReadDatabase } from '../database/database.js';
import type { PlayedObject } from './played-objects.reads.js';
import { inOrder } from '../songs/songs.reads.js';
import { inVisibleCatalogs, type Viewer } from '../visibility/viewer.js';
import { isOneOf } from '../database/id-condition.js';

/** Types of things that a bookmark can stand in and that the server shows. */
export type BookmarkedTypes = readonly PlayableType[];

/** An object that a bookmark can stand in. */
export type BookmarkedObject = PlayedObject;

/** A bookmark of the viewer. */
export interface BookmarkView extends BookmarkedObject {
  readonly id: number;
  /** A client's name, or whatever somebody wrote; empty without one. */
  readonly label: string;
  readonly positionMs: number;
  readonly createdAtMs: number;
  readonly changedAtMs: number;
}

/** Filter of the viewer's bookmarks; empty for all of them. */
export interface BookmarkQuery {
  /** Things of other types are not there. */
  readonly types: BookmarkedTypes;
  readonly id?: number | undefined;
  readonly object?: BookmarkedObject | undefined;
  readonly label?: string | undefined;
}

/** Tables of the things, by type. */
const tables: Readonly<Record<PlayableType, RawBuilder<unknown>>> = {
  song: sql`library.song`,
  video: sql`library.video`,
  podcast_episode: sql`library.podcast_episode`,
};

/** True for what a bookmark stands in, as far as the viewer may see it. */
const isThere = (viewer: Viewer, types: BookmarkedTypes): RawBuilder<SqlBool> => {
  const branches = types.map(
    (type) =>
      sql`when ${type} then exists (select from ${tables[type]} o where o.id = b.object_id and ${inVisibleCatalogs(viewer, sql`o.catalog_id`)})`,
  );
  return branches.length === 0 ? sql<SqlBool>`false` : sql<SqlBool>`case b.object_type ${sql.join(branches, sql` `)} else false end`;
};

const meant = (viewer: Viewer, { types, id, object, label }: BookmarkQuery): RawBuilder<SqlBool> => {
  const conditions = [sql`b.user_id = ${viewer.userId}`, isThere(viewer, types)];
  if (id !== undefined) conditions.push(sql`b.id = ${id}`);
  if (object) conditions.push(sql`b.object_type = ${object.objectType} and b.object_id = ${object.objectId}`);
  if (label !== undefined) conditions.push(sql`b.label = ${label}`);
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
};

/** Ids of the viewer's bookmarks, by number, or the latest first. Bookmarks in what is gone or hidden are not there. */
export const bookmarkIds = async (db: ReadDatabase, viewer: Viewer, query: BookmarkQuery, order: 'id' | 'latest'): Promise<number[]> => {
  const by = order === 'id' ? sql`b.id` : sql`b.changed_at_ms desc, b.id desc`;
  const { rows } = await sql<{ id: number }>`select b.id from playback.bookmark b where ${meant(viewer, query)} order by ${by}`.execute(db);
  return rows.map(({ id }) => id);
};

const columns = sql`b.id, b.object_type as "objectType", b.object_id as "objectId", b.label, b.position_ms as "positionMs",
  b.created_at_ms as "createdAtMs", b.changed_at_ms as "changedAtMs"`;

/** The viewer's bookmarks by number, in the order of the numbers that are given. */
export const bookmarksByIds = async (
  db: ReadDatabase,
  ids: ArrayLike<number>,
  viewer: Viewer,
  types: BookmarkedTypes,
): Promise<BookmarkView[]> => {
  if (ids.length === 0) return [];
  const { rows } = await sql<BookmarkView>`select ${columns} from playback.bookmark b
    where ${isOneOf(sql<number>`b.id`, ids)} and ${meant(viewer, { types })}`.execute(db);
  return inOrder(ids, rows);
};

/** One bookmark of the viewer for each thing: of several in the same thing the latest. By number. */
export const latestBookmarks = async (db: ReadDatabase, viewer: Viewer, types: BookmarkedTypes): Promise<BookmarkView[]> => {
  const { rows } = await sql<BookmarkView>`select * from (
      select distinct on (b.object_type, b.object_id) ${columns} from playback.bookmark b where ${meant(viewer, { types })}
      order by b.object_type, b.object_id, b.changed_at_ms desc, b.id desc) l
    order by l.id`.execute(db);
  return rows;
};
