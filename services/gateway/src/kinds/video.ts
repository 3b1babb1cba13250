import { videoArt, videosByIds } from '../reads/library/videos.reads.js';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { byColumns } from '../reads/lists/list-query.js';
import { flagFilter, idFilter, idsFilter, textFilters, timeFilters } from '../reads/lists/text-filters.js';
import { annotationFilters, annotationSorts } from '../reads/people/annotations.js';
import { catalogFilters, deletedThings, ofCatalogs, type Kind, splitLater } from './kind.js';

const title: RawBuilder<unknown> = sql`t.title_sort`;
const genre = idFilter(
  (id) => sql<SqlBool>`exists (select from library.video_genre g where g.video_id = t.id and g.genre_id = ${id}::bigint)`,
);
const noGenre = flagFilter(() => sql<SqlBool>`not exists (select from library.video_genre g where g.video_id = t.id)`);
const annotated = { kind: 'video' } as const;
// Plays of videos are not counted, so that all have as many.
const equal = byColumns();

const source = ofCatalogs(sql`library.video t`);

/** Videos. */
export const video = {
  source,
  read: videosByIds,
  list: {
    shuffled: true,
    ...source,
    filters: {
      ...textFilters({ name: sql`t.title`, sortKey: sql`t.title_sort`, keyFollowsName: true }),
      ...timeFilters('add', sql`t.added_at_ms`),
      ...timeFilters('update', sql`t.updated_at_ms`),
      id: idsFilter(sql`t.id`),
      ...catalogFilters,
      genre,
      tag: genre,
      // Videos carry no moods.
      mood: idFilter(() => sql<SqlBool>`false`),
      no_genre: noGenre,
      no_tag: noGenre,
      ...annotationFilters(annotated),
    },
    sorts: {
      id: byColumns(),
      title: byColumns(title),
      name: byColumns(title),
      addition_time: byColumns(sql`t.added_at_ms`),
      update_time: byColumns(sql`t.updated_at_ms`),
      catalog: byColumns(sql`t.catalog_id`, title),
      codec: byColumns(sql`coalesce(t.video_codec, '') collate "C"`),
      length: byColumns(sql`t.duration_ms`),
      release_date: byColumns(sql`coalesce(t.release_date, '') collate "C"`),
      resolution: byColumns(sql`t.width_px`),
      last_played: equal,
      total_count: equal,
      total_skip: equal,
      ...annotationSorts(annotated),
    },
  },
  names: { ...source, ...splitLater(sql`t.title`) },
  art: videoArt,
  feature: 'video',
} satisfies Kind;

/** Videos that are gone, of catalogs that the viewer sees. */
export const deletedVideo = deletedThings(sql`(select d.*, d.video_id as id from library.deleted_video d) t`);
