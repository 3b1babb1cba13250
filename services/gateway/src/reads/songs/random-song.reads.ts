import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { ReadDatabase } from '../database/database.js';
import { randomSongIds } from './random-picks.reads.js';
import { inVisibleCatalogs, type Viewer } from '../visibility/viewer.js';

const containers = ['album', 'album_artist', 'album_disk', 'artist', 'catalog', 'genre', 'label', 'song_artist'] as const;

/** Things with songs, one of which is to be picked. */
export type SongContainer = (typeof containers)[number];

/** True for the name of a kind of thing with songs. */
export const isSongContainer = (text: string): text is SongContainer => (containers as readonly string[]).includes(text);

/** Disks of an album beyond this number share its last disk id (`albumDiskIdOf`). */
const MAX_DISK = 255;

/** Containers of more songs than this are sampled; of fewer, all their ids are looked at, which an index alone gives. */
const MANY_SONGS = 50_000;

const ofAlbums = (albums: RawBuilder<unknown>): RawBuilder<unknown> => sql`select s.id from library.song s where s.album_id in (${albums})`;

/** The ids of the songs in a container of any size, by its id. */
const members: Readonly<Record<Exclude<SongContainer, 'genre' | 'catalog'>, (id: number) => RawBuilder<unknown>>> = {
  album: (id) => sql`select s.id from library.song s where s.album_id = ${id}`,
  album_disk: (id) =>
    sql`select s.id from library.song s where s.album_id = ${Math.floor(id / (MAX_DISK + 1))} and least(s.disk, ${sql.lit(MAX_DISK)}) = ${id % (MAX_DISK + 1)}`,
  album_artist: (id) => ofAlbums(sql`select album_id from library.album_artist where artist_id = ${id}`),
  artist: (id) =>
    sql`select song_id as id from library.song_artist where artist_id = ${id}
      union (${ofAlbums(sql`select album_id from library.album_artist where artist_id = ${id}`)})`,
  song_artist: (id) => sql`select song_id as id from library.song_artist where artist_id = ${id}`,
  label: (id) => ofAlbums(sql`select album_id from library.album_label where label_id = ${id}`),
};

/** One of these ids of songs that the viewer may see. The wide rows are looked at only for somebody who does not see all catalogs. */
const oneOf = async (db: ReadDatabase, ids: RawBuilder<unknown>, viewer: Viewer): Promise<number | undefined> => {
  const seen =
    viewer.catalogs === 'all' ? sql`` : sql`join library.song t on t.id = m.id and ${inVisibleCatalogs(viewer, sql`t.catalog_id`)}`;
  const { rows } = await sql<{ id: number }>`select m.id from (${ids}) m ${seen} order by random() limit 1`.execute(db);
  return rows[0]?.id;
};

/** A random song of a catalog. */
const ofCatalog = async (db: ReadDatabase, id: number, viewer: Viewer): Promise<number | undefined> => {
  if (viewer.catalogs !== 'all' && !viewer.catalogs.includes(id)) return undefined;
  const { rows } = await sql<{ songs: number | null }>`
    select total as songs from library.counter where kind = 'song' and catalog_id = ${id}`.execute(db);
  const songs = rows[0]?.songs ?? 0;
  if (songs > MANY_SONGS) return (await randomSongIds(db, { scope: [id] }, 1, Math.random()))[0];
  return songs === 0 ? undefined : oneOf(db, sql`select s.id from library.song s where s.catalog_id = ${id}`, viewer);
};

const ofGenre = async (db: ReadDatabase, id: number, viewer: Viewer): Promise<number | undefined> => {
  const genre = await db.selectFrom('library.genre').select(['id', 'song_count as songCount']).where('id', '=', id).executeTakeFirst();
  return genre && (await randomSongIds(db, { scope: viewer.catalogs, genres: [genre] }, 1, Math.random()))[0];
};

/** A random song in a container; undefined when it has none for the viewer. */
export const randomSongIn = (db: ReadDatabase, container: SongContainer, id: number, viewer: Viewer): Promise<number | undefined> => {
  if (container === 'catalog') return ofCatalog(db, id, viewer);
  if (container === 'genre') return ofGenre(db, id, viewer);
  return oneOf(db, members[container](id), viewer);
};

/** A random song of all of them. */
export const randomSong = async (db: ReadDatabase, viewer: Viewer): Promise<number | undefined> =>
  (await randomSongIds(db, { scope: viewer.catalogs }, 1, Math.random()))[0];

/** Filter of a random song by the viewer's annotation. */
export type Opinion = { readonly flagged: boolean } | { readonly atLeast: number } | 'unrated';

const marks = (opinion: Opinion, viewer: Viewer): { readonly marked: RawBuilder<unknown>; readonly keep: boolean } => {
  if (opinion !== 'unrated' && 'flagged' in opinion) {
    const marked = sql`select object_id as id from social.user_flag where user_id = ${viewer.userId} and kind = 'song'`;
    return { marked, keep: opinion.flagged };
  }
  const atLeast = opinion === 'unrated' ? 1 : opinion.atLeast;
  const marked = sql`select object_id as id from social.rating where user_id = ${viewer.userId} and kind = 'song' and rating >= ${atLeast}`;
  return { marked, keep: opinion !== 'unrated' };
};

/** A random song of which the viewer thinks so. Those that nobody has said anything of are most, and are looked for among random songs. */
export const randomSongOfOpinion = async (db: ReadDatabase, opinion: Opinion, viewer: Viewer): Promise<number | undefined> => {
  const { marked, keep } = marks(opinion, viewer);
  // Opinions outlive their songs.
  if (keep) return oneOf(db, sql`select s.id from (${marked}) o join library.song s on s.id = o.id`, viewer);
  const conditions = [sql<SqlBool>`t.id not in (${marked})`];
  return (await randomSongIds(db, { scope: viewer.catalogs, conditions }, 1, Math.random()))[0];
};
