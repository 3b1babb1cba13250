import { sql, type SqlBool } from 'kysely';
import { FIRST_VIDEO_ROW, folderPicture } from '../reads/library/folders.reads.js';
import { byColumns, type ListSource } from '../reads/lists/list-query.js';
import { idFilter, integerOf, textFilters } from '../reads/lists/text-filters.js';
import { annotationFilters, annotationSorts } from '../reads/people/annotations.js';
import { playSorts, songPlays } from '../reads/plays/play-overlays.js';
import { inVisibleCatalogs } from '../reads/visibility/viewer.js';
import { ofCatalogs, type Kind } from './kind.js';

/** The id under which the folder that holds the catalogs' roots is known. */
export const VIRTUAL_ROOT = -1;

/** Formats the id of a folder list's row: `folder-12`, `song-2280`, `video-3`. */
export const spellFolderRow = (id: number): string => {
  if (id < 0) return `folder-${-id}`;
  return id < FIRST_VIDEO_ROW ? `song-${id}` : `video-${id - FIRST_VIDEO_ROW}`;
};

// The root folder of a catalog is called like the catalog. Files have no folded name of their own.
const rows = sql`(
  select -f.id as id, f.id as int_id, 'folder' as object_type, f.parent_id, f.catalog_id,
    case when f.parent_id is null then c.name else f.name end as name,
    case when f.parent_id is null then lower(c.name) collate "C" else f.name_sort end as name_sort,
    f.song_count + coalesce(vf.video_count, 0) as item_count, 0::bigint as added_at_ms, 0::bigint as updated_at_ms
  from library.folder f join library.catalog c on c.id = f.catalog_id left join library.video_folder vf on vf.id = f.id where f.present
  union all
  select s.id, s.id, 'song', s.folder_id, s.catalog_id, s.file_name, lower(s.file_name) collate "C", 0::bigint, s.added_at_ms, s.updated_at_ms
  from library.song s
  union all
  select v.id + ${sql.lit(FIRST_VIDEO_ROW)}, v.id, 'video', v.folder_id, v.catalog_id, v.file_name, lower(v.file_name) collate "C", 0::bigint, v.added_at_ms, v.updated_at_ms
  from library.video v
) t`;

const name = byColumns(sql`t.name_sort`);
// Kinds are the first order of these lists anyhow.
const byKind = byColumns();
const items = byColumns(sql`t.item_count`);
const annotated = [{ kind: 'song' }, { kind: 'folder', negative: true }, { kind: 'video', offset: FIRST_VIDEO_ROW }] as const;

const source: ListSource = {
  from: sql`library.folder t`,
  visible: (viewer) => sql<SqlBool>`t.present and ${inVisibleCatalogs(viewer, sql`t.catalog_id`)}`,
};

/**
 * The children of a folder, subfolders, songs and videos in one list. Folders come before files in every order
 * and direction. The method gives the folder as the condition `parent`; {@link VIRTUAL_ROOT} stands for the folder of the catalogs' roots.
 */
export const folder = {
  source,
  list: {
    shuffled: true,
    ...ofCatalogs(rows),
    spell: spellFolderRow,
    negativeFirst: true,
    tie: sql`abs(t.id)`,
    filters: {
      ...textFilters({ name: sql`t.name` }),
      // Ids are pairs here, which neither methods nor clients list.
      id: { where: () => sql<SqlBool>`false` },
      int_id: idFilter((id) => sql<SqlBool>`t.int_id = ${id}::bigint`),
      ...annotationFilters(...annotated),
      // The method's own, where videos are switched off.
      without_videos: { own: true, where: () => sql<SqlBool>`t.object_type <> 'video'` },
      parent: {
        own: true,
        where: (value) =>
          integerOf(value) === VIRTUAL_ROOT ? sql<SqlBool>`t.parent_id is null` : sql<SqlBool>`t.parent_id = ${integerOf(value)}::bigint`,
      },
    },
    sorts: {
      id: byColumns(),
      int_id: byColumns(sql`t.int_id`),
      name,
      title: name,
      object_type: byKind,
      type: byKind,
      date: byColumns(sql`t.added_at_ms`),
      last_update: byColumns(sql`t.updated_at_ms`),
      last_count: items,
      object_count: items,
      total_count: { overlay: playSorts(songPlays).total_count.overlay! },
      ...annotationSorts(...annotated),
    },
  },
  art: folderPicture,
} satisfies Kind;
