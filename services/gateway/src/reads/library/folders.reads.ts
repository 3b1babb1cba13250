import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { annotationsOf, type Annotations } from '../people/annotations.reads.js';
import type { ReadDatabase } from '../database/database.js';
import { escapeLike } from '../lists/text-filters.js';
import { inVisibleCatalogs, type Viewer } from '../visibility/viewer.js';
import { isOneOf } from '../database/id-condition.js';

/** In lists of a folder's children, folders have negative numbers, and videos those from here on: ids of songs are far below. */
export const FIRST_VIDEO_ROW = 2 ** 30;

/** A folder of a catalog. Durations in milliseconds, of everything in it and below. */
export interface FolderView {
  readonly id: number;
  readonly catalogId: number;
  /** Null for the root of a catalog. */
  readonly parentId: number | null;
  /** Its own name; that of the catalog for a root. */
  readonly name: string;
  /** Absolute path. */
  readonly path: string;
  readonly durationMs: number;
}

const joined = sql`library.folder f join library.catalog c on c.id = f.catalog_id`;
/** The path on the server, or, for who may not know where catalogs lie, the names that lead to the folder from its catalog. */
const pathFor = ({ hidesServerPaths }: Viewer): RawBuilder<string> => {
  const root = hidesServerPaths === true ? sql`'/' || c.name` : sql`c.path`;
  return sql<string>`case when f.path = '' then ${root} else ${root} || '/' || f.path end`;
};
// Songs and videos are summed up by different projections.
const duration = sql<number>`(f.duration_ms + coalesce((select vf.duration_ms from library.video_folder vf where vf.id = f.id), 0))`;
const columnsFor = (
  viewer: Viewer,
) => sql`f.id, f.catalog_id as "catalogId", f.parent_id as "parentId", ${duration} as "durationMs", ${pathFor(viewer)} as path,
  case when f.parent_id is null then c.name else f.name end as name`;
const visible = (viewer: Viewer): RawBuilder<SqlBool> => sql<SqlBool>`f.present and ${inVisibleCatalogs(viewer, sql`f.catalog_id`)}`;

const oneFolder = async (
  db: ReadDatabase,
  viewer: Viewer,
  condition: RawBuilder<SqlBool>,
  order: RawBuilder<unknown> = sql`f.id`,
): Promise<FolderView | undefined> => {
  const { rows } =
    await sql<FolderView>`select ${columnsFor(viewer)} from ${joined} where ${condition} and ${visible(viewer)} order by ${order} limit 1`.execute(
      db,
    );
  return rows[0];
};

/** A folder by id; undefined when there is none for the viewer. */
export const folderById = (db: ReadDatabase, id: number, viewer: Viewer): Promise<FolderView | undefined> =>
  oneFolder(db, viewer, sql<SqlBool>`f.id = ${id}`);

/** The catalogs that a path may lie in, each with the path inside it. */
const placesOf = async (db: ReadDatabase, path: string, viewer: Viewer): Promise<{ catalogId: number; inside: string }[]> => {
  const catalogs = await db
    .selectFrom('library.catalog as c')
    .select(['c.id', 'c.name', 'c.path'])
    .where(inVisibleCatalogs(viewer, sql`c.id`))
    .orderBy('c.id')
    .execute();
  const roots = catalogs.flatMap(({ id, name, path: root }) => [
    ...(viewer.hidesServerPaths === true ? [] : [{ catalogId: id, root }]),
    { catalogId: id, root: `/${name}` },
  ]);
  return roots.flatMap(({ catalogId, root }) =>
    path === root || path.startsWith(`${root}/`) ? [{ catalogId, inside: path.slice(root.length + 1) }] : [],
  );
};

/** A folder by its path: the absolute one, or the names that lead to it from its catalog. */
export const folderByPath = async (db: ReadDatabase, path: string, viewer: Viewer): Promise<FolderView | undefined> => {
  for (const { catalogId, inside } of await placesOf(db, path, viewer)) {
    const folder = await oneFolder(db, viewer, sql<SqlBool>`f.catalog_id = ${catalogId} and f.path = ${inside}`);
    if (folder) return folder;
  }
  return undefined;
};

/** The folder nearest to a root whose path holds a text, whatever its case. */
export const folderLike = (db: ReadDatabase, text: string, viewer: Viewer): Promise<FolderView | undefined> =>
  oneFolder(db, viewer, sql<SqlBool>`${pathFor(viewer)} ilike ${`%${escapeLike(text)}%`}`, sql`length(${pathFor(viewer)}), f.id`);

/** Sums the duration of everything that the viewer may see, milliseconds. */
export const wholeDurationMs = async (db: ReadDatabase, viewer: Viewer): Promise<number> => {
  const { rows } = await sql<{ ms: number }>`
    select coalesce(sum(${duration}), 0)::float8 as ms from library.folder f where f.path = '' and ${visible(viewer)}`.execute(db);
  return rows[0]?.ms ?? 0;
};

/** Item of a folder: another folder, or a song or video under the name of its file. */
export interface FolderItemView {
  readonly kind: 'folder' | 'song' | 'video';
  readonly id: number;
  readonly name: string;
  /** Absolute path of the folder itself, or of the one that holds the file. */
  readonly path: string;
  readonly durationMs: number;
  readonly hasArt: boolean;
  readonly annotations: Annotations;
}

type ItemRow = Omit<FolderItemView, 'kind' | 'annotations'>;

const folderItems = async (db: ReadDatabase, ids: readonly number[], viewer: Viewer): Promise<FolderItemView[]> => {
  if (ids.length === 0) return [];
  const reading = sql<ItemRow>`
    select f.id, case when f.parent_id is null then c.name else f.name end as name, ${pathFor(viewer)} as path, ${duration} as "durationMs",
      f.art_hash is not null as "hasArt"
    from ${joined} where ${isOneOf(sql<number>`f.id`, ids)} and ${visible(viewer)}`.execute(db);
  const [{ rows }, annotationOf] = await Promise.all([reading, annotationsOf(db, viewer, 'folder', ids)]);
  return rows.map((row) => ({ ...row, kind: 'folder', annotations: annotationOf(row.id) }));
};

const songItems = async (db: ReadDatabase, ids: readonly number[], viewer: Viewer): Promise<FolderItemView[]> => {
  if (ids.length === 0) return [];
  const reading = sql<ItemRow>`
    select s.id, s.file_name as name, ${pathFor(viewer)} as path, s.duration_ms as "durationMs", coalesce(s.art_hash, a.art_hash) is not null as "hasArt"
    from library.song s join ${joined} on f.id = s.folder_id left join library.album a on a.id = s.album_id
    where ${isOneOf(sql<number>`s.id`, ids)} and ${inVisibleCatalogs(viewer, sql`s.catalog_id`)}`.execute(db);
  const [{ rows }, annotationOf] = await Promise.all([reading, annotationsOf(db, viewer, 'song', ids)]);
  return rows.map((row) => ({ ...row, kind: 'song', annotations: annotationOf(row.id) }));
};

const videoItems = async (db: ReadDatabase, ids: readonly number[], viewer: Viewer): Promise<FolderItemView[]> => {
  if (ids.length === 0) return [];
  const reading = sql<ItemRow>`
    select v.id, v.file_name as name, ${pathFor(viewer)} as path, v.duration_ms as "durationMs", false as "hasArt"
    from library.video v join ${joined} on f.id = v.folder_id
    where ${isOneOf(sql<number>`v.id`, ids)} and ${inVisibleCatalogs(viewer, sql`v.catalog_id`)}`.execute(db);
  const [{ rows }, annotationOf] = await Promise.all([reading, annotationsOf(db, viewer, 'video', ids)]);
  return rows.map((row) => ({ ...row, kind: 'video', annotations: annotationOf(row.id) }));
};

/** The row of an item in a folder list. */
const rowOf = ({ kind, id }: FolderItemView): number => (kind === 'folder' ? -id : kind === 'video' ? id + FIRST_VIDEO_ROW : id);

/** Reads folder items by the rows of a folder list, in their order. */
export const folderItemsByRows = async (db: ReadDatabase, rows: ArrayLike<number>, viewer: Viewer): Promise<FolderItemView[]> => {
  const all = Array.from(rows);
  const found = await Promise.all([
    folderItems(
      db,
      all.filter((row) => row < 0).map((row) => -row),
      viewer,
    ),
    songItems(
      db,
      all.filter((row) => row > 0 && row < FIRST_VIDEO_ROW),
      viewer,
    ),
    videoItems(
      db,
      all.filter((row) => row >= FIRST_VIDEO_ROW).map((row) => row - FIRST_VIDEO_ROW),
      viewer,
    ),
  ]);
  const byRow = new Map(found.flat().map((item) => [rowOf(item), item]));
  return all.flatMap((row) => byRow.get(row) ?? []);
};

/** The picture of a folder; null when it has none, undefined when there is no such folder for the viewer. */
export const folderPicture = async (db: ReadDatabase, id: number, viewer: Viewer): Promise<string | null | undefined> => {
  const row = await db
    .selectFrom('library.folder as f')
    .select('f.art_hash as hash')
    .where('f.id', '=', id)
    .where(visible(viewer))
    .executeTakeFirst();
  return row?.hash;
};
