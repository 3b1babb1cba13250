import { sql, type RawBuilder } from 'kysely';
import type { ReadDatabase } from './database.js';
import { parseIds } from './id-list.js';
import { inVisibleCatalogs, type Viewer } from './viewer.js';

/** What hangs off what, named `owner-children`. The three of albums differ in the role that the artist has. */
export type Relation =
  | 'album-songs'
  | 'album_disk-songs'
  | 'artist-songs'
  | 'artist-albums'
  | 'album_artist-albums'
  | 'song_artist-albums'
  | 'playlist-songs'
  | 'podcast-podcast_episodes';

/** A thing is shown with this many children at most; the methods that list them page through the rest (contract, section 8). */
export const MAX_CHILDREN = 5000;

const asAlbumArtist = sql`select aa.album_id from library.album_artist aa where aa.artist_id = o.id`;
const asSongArtist = sql`select s.album_id from library.song_artist sa join library.song s on s.id = sa.song_id where sa.artist_id = o.id`;

const albumsIn = (albumIds: RawBuilder<unknown>, viewer: Viewer): RawBuilder<unknown> =>
  sql`select a.id from library.album a where a.id in (${albumIds}) and a.song_count > 0 and ${inVisibleCatalogs(viewer, sql`a.catalog_id`)}
    order by a.name_sort, a.year, a.id`;

/** The children of the owner `o.id`, in order. */
const children: Readonly<Record<Relation, (viewer: Viewer) => RawBuilder<unknown>>> = {
  'album-songs': (viewer) =>
    sql`select s.id from library.song s where s.album_id = o.id and ${inVisibleCatalogs(viewer, sql`s.catalog_id`)} order by s.disk, s.track, s.id`,
  // A disk's id is that of its album and its number; see `albumDiskIdOf`.
  'album_disk-songs': (viewer) =>
    sql`select s.id from library.song s where s.album_id = o.id / 256 and least(s.disk, 255) = o.id % 256 and ${inVisibleCatalogs(viewer, sql`s.catalog_id`)}
      order by s.track, s.id`,
  'artist-songs': (viewer) =>
    sql`select s.id from library.song_artist sa join library.song s on s.id = sa.song_id where sa.artist_id = o.id and ${inVisibleCatalogs(viewer, sql`s.catalog_id`)}
      order by s.title_sort, s.id`,
  // Whoever lists the playlists has decided that the viewer may open them.
  'playlist-songs': (viewer) =>
    sql`select s.id from library.playlist_member m join library.song s on s.id = m.object_id and m.object_kind = 'song'
      where m.playlist_id = o.id and ${inVisibleCatalogs(viewer, sql`s.catalog_id`)} order by m.rank`,
  'podcast-podcast_episodes': (viewer) =>
    sql`select e.id from library.podcast_episode e where e.podcast_id = o.id and ${inVisibleCatalogs(viewer, sql`e.catalog_id`)}
      order by e.published_at_ms desc, e.id desc`,
  'artist-albums': (viewer) => albumsIn(sql`${asAlbumArtist} union ${asSongArtist}`, viewer),
  'album_artist-albums': (viewer) => albumsIn(asAlbumArtist, viewer),
  'song_artist-albums': (viewer) => albumsIn(asSongArtist, viewer),
};

const NOTHING = new Int32Array(0);

/** The ids of what hangs off some things, in order, {@link MAX_CHILDREN} of each at most: one statement, one small array per owner. */
export const childIds = async (
  db: ReadDatabase,
  relation: Relation,
  owners: ArrayLike<number>,
  viewer: Viewer,
): Promise<(owner: number) => Int32Array> => {
  if (owners.length === 0) return () => NOTHING;
  const { rows } = await sql<{ owner: number; ids: string | null }>`
    select o.id as owner, array(select c.id from (${children[relation](viewer)} limit ${MAX_CHILDREN}) c)::text as ids
    from unnest(${Array.from(owners)}::int[]) as o(id)`.execute(db);
  const byOwner = new Map(rows.map(({ owner, ids }) => [owner, parseIds(ids)]));
  return (owner) => byOwner.get(owner) ?? NOTHING;
};
