import { sortKey, type TagRef } from '@continuo/contracts';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { ReadDatabase } from '../database/database.js';
import { inOrder } from '../songs/songs.reads.js';
import { inVisibleCatalogs, seesAll, type Viewer } from '../visibility/viewer.js';
import { isOneOf } from '../database/id-condition.js';

/** A genre with what carries it. */
export interface GenreView {
  readonly id: number;
  readonly name: string;
  readonly songCount: number;
  readonly albumCount: number;
  readonly artistCount: number;
  readonly videoCount: number;
  /** True for a genre that lists leave out. */
  readonly hidden: boolean;
  /** The genres that songs carry in its place, when it was merged into others. */
  readonly mergedInto: readonly TagRef[];
}

interface MergedRow {
  readonly id: number;
  readonly into: TagRef;
}

const mergedInto = async (db: ReadDatabase, ids: readonly number[]): Promise<(id: number) => TagRef[]> => {
  const { rows } = await sql<MergedRow>`
    select m.genre_id as id, json_build_object('id', g.id, 'name', g.name) as into
    from library.genre_merge m join library.genre g on g.id = m.into_id where ${isOneOf(sql<number>`m.genre_id`, ids)} order by g.name_sort, g.id`.execute(
    db,
  );
  const byId = Map.groupBy(rows, (row) => row.id);
  return (id) => (byId.get(id) ?? []).map((row) => row.into);
};

// What is counted over all catalogs is shown only to who sees all of them; for others it is counted over theirs.
const counts = (viewer: Viewer): RawBuilder<unknown> => {
  if (seesAll(viewer)) return sql`g.song_count as "songCount", g.album_count as "albumCount", g.artist_count as "artistCount"`;
  const songs = sql`library.song_genre sg join library.song s on s.id = sg.song_id and ${inVisibleCatalogs(viewer, sql`s.catalog_id`)}`;
  return sql`(select count(*)::int from ${songs} where sg.genre_id = g.id) as "songCount",
    (select count(distinct s.album_id)::int from ${songs} where sg.genre_id = g.id) as "albumCount",
    (select count(distinct sa.artist_id)::int from ${songs} join library.song_artist sa on sa.song_id = s.id where sg.genre_id = g.id) as "artistCount"`;
};

const videoCount = (viewer: Viewer): RawBuilder<number> => sql<number>`(select count(*)::int from library.video_genre vg
    join library.video v on v.id = vg.video_id where vg.genre_id = g.id and ${inVisibleCatalogs(viewer, sql`v.catalog_id`)})`;

const visible = (viewer: Viewer): RawBuilder<SqlBool> =>
  seesAll(viewer)
    ? sql<SqlBool>`true`
    : sql<SqlBool>`exists (select from library.song_genre sg join library.song s on s.id = sg.song_id
        where sg.genre_id = g.id and ${inVisibleCatalogs(viewer, sql`s.catalog_id`)})`;

/** Genres by id, in the order of the ids; those that are on no song that the viewer may see are left out. */
export const genresByIds = async (db: ReadDatabase, ids: ArrayLike<number>, viewer: Viewer): Promise<GenreView[]> => {
  if (ids.length === 0) return [];
  const wanted = Array.from(ids);
  const reading = sql<Omit<GenreView, 'mergedInto'>>`
    select g.id, g.name, g.hidden, ${counts(viewer)}, ${videoCount(viewer)} as "videoCount" from library.genre g where ${isOneOf(sql<number>`g.id`, wanted)} and ${visible(viewer)}`.execute(
    db,
  );
  const [{ rows }, mergedIntoOf] = await Promise.all([reading, mergedInto(db, wanted)]);
  return inOrder(ids, rows).map((row) => ({ ...row, mergedInto: mergedIntoOf(row.id) }));
};

/** Page of the genres that a viewer may see, by sort key and number, behind those of the page before; hidden ones included. */
export const genresAfter = async (
  db: ReadDatabase,
  viewer: Viewer,
  { after, name, limit }: { readonly after: { readonly key: string; readonly id: number }; readonly name?: string; readonly limit: number },
): Promise<GenreView[]> => {
  const named = name === undefined ? sql<SqlBool>`true` : sql<SqlBool>`g.name_sort = ${sortKey(name)}`;
  const { rows } = await sql<{ id: number }>`
    select g.id from library.genre g where (g.name_sort, g.id) > (${after.key} collate "C", ${after.id}::bigint) and ${named} and ${visible(viewer)}
    order by g.name_sort, g.id limit ${limit}`.execute(db);
  return genresByIds(
    db,
    rows.map(({ id }) => id),
    viewer,
  );
};
