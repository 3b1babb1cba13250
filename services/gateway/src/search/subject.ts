import type { AnnotatedKind } from '@continuo/contracts';
import { sql, type SqlBool } from 'kysely';
import { diskIdOf } from '../reads/library/album-disks.reads.js';
import { inVisibleCatalogs, type Viewer } from '../reads/visibility/viewer.js';
import type { Condition, Value } from './text-tests.js';

/** A column of an aliased row; both names come from this folder's tables, never from a request. */
export const col = <T = unknown>(alias: string, name: string) => sql<T>`${sql.ref<T>(`${alias}.${name}`)}`;

/** A row's table under an alias: what a condition is put on. */
export type On = (condition: (alias: string) => Condition) => Condition;

/** The catalogue things that a search can speak of. */
export type Related = 'song' | 'album' | 'artist';

/**
 * A searched thing and what belongs to it. Each relation means "some song (album, artist) of it fulfils the condition", as a set of keys that the
 * database works out once, and counts what the viewer may see alone.
 */
export interface Subject {
  /** The kind under which users rate it. */
  readonly kind: AnnotatedKind & ('song' | 'album' | 'album_disk' | 'artist');
  readonly on: Readonly<Record<Related, On>>;
  /** Artists credited on its songs, where `artist` means those of the album. */
  readonly onSongArtist: On;
}

const seen = (viewer: Viewer, alias: string): Condition => inVisibleCatalogs(viewer, col<number>(alias, 'catalog_id'));

const itself: On = (condition) => condition('t');

const ALBUM_ARTISTS = sql`library.album_artist aa join library.artist ar on ar.id = aa.artist_id`;
const SONG_ARTISTS = sql`library.song_artist sa join library.artist ar on ar.id = sa.artist_id`;

/** Songs: `t` is the song. Its album is in its own catalog, so that the list's own visibility covers it. */
export const songSubject: Subject = {
  kind: 'song',
  on: {
    song: itself,
    album: (condition) => sql<SqlBool>`t.album_id in (select al.id from library.album al where ${condition('al')})`,
    artist: (condition) => sql<SqlBool>`t.id in (select sa.song_id from ${SONG_ARTISTS} where ${condition('ar')})`,
  },
  onSongArtist: (condition) => sql<SqlBool>`t.id in (select sa.song_id from ${SONG_ARTISTS} where ${condition('ar')})`,
};

/** Albums: `t` is the album. */
export const albumSubject = (viewer: Viewer): Subject => ({
  kind: 'album',
  on: {
    song: (condition) => sql<SqlBool>`t.id in (select s.album_id from library.song s where ${condition('s')} and ${seen(viewer, 's')})`,
    album: itself,
    artist: (condition) => sql<SqlBool>`t.id in (select aa.album_id from ${ALBUM_ARTISTS} where ${condition('ar')})`,
  },
  onSongArtist: (condition) =>
    sql<SqlBool>`t.id in (select s.album_id from ${SONG_ARTISTS} join library.song s on s.id = sa.song_id where ${condition('ar')} and ${seen(viewer, 's')})`,
});

/** The disk of the song `s`. */
export const DISK_ID = diskIdOf(sql`s`);

/** Disks of albums: `t` is the disk, and its songs are those of this disk. */
export const diskSubject = (viewer: Viewer): Subject => ({
  kind: 'album_disk',
  on: {
    song: (condition) => sql<SqlBool>`t.id in (select ${DISK_ID} from library.song s where ${condition('s')} and ${seen(viewer, 's')})`,
    album: (condition) => sql<SqlBool>`t.album_id in (select al.id from library.album al where ${condition('al')})`,
    artist: (condition) => sql<SqlBool>`t.album_id in (select aa.album_id from ${ALBUM_ARTISTS} where ${condition('ar')})`,
  },
  onSongArtist: (condition) =>
    sql<SqlBool>`t.id in (select ${DISK_ID} from ${SONG_ARTISTS} join library.song s on s.id = sa.song_id where ${condition('ar')} and ${seen(viewer, 's')})`,
});

/** Artists: `t` is the artist. Its albums are those that name it as an album artist and those with songs that credit it. */
export const artistSubject = (viewer: Viewer): Subject => ({
  kind: 'artist',
  on: {
    song: (condition) =>
      sql<SqlBool>`t.id in (select sa.artist_id from library.song_artist sa join library.song s on s.id = sa.song_id where ${condition('s')} and ${seen(viewer, 's')})`,
    album: (condition) => {
      const matches = sql<SqlBool>`${condition('al')} and ${seen(viewer, 'al')}`;
      return sql<SqlBool>`t.id in (
        select aa.artist_id from library.album_artist aa join library.album al on al.id = aa.album_id where ${matches}
        union all
        select sa.artist_id from library.song_artist sa join library.song s on s.id = sa.song_id join library.album al on al.id = s.album_id where ${matches})`;
    },
    artist: itself,
  },
  onSongArtist: itself,
});

/** The songs of a kind of thing by its key: what sums over songs are grouped by. `p` is a row with a `song_id`. */
const songKeys: Readonly<Record<Exclude<Subject['kind'], 'song'>, { readonly key: Value; readonly joins: Value }>> = {
  album: { key: sql`s.album_id`, joins: sql`` },
  album_disk: { key: DISK_ID, joins: sql`` },
  artist: { key: sql`sa.artist_id`, joins: sql`join library.song_artist sa on sa.song_id = s.id` },
};

/** Rows `k` and `v`: a value for each thing of a kind that has one, summed up over the rows `p` of its visible songs. */
export const perThing = (kind: Subject['kind'], rows: Value, value: Value, viewer: Viewer): Value => {
  if (kind === 'song') return sql`select p.song_id as k, ${value} as v from ${rows} p group by p.song_id`;
  const { key, joins } = songKeys[kind];
  return sql`select ${key} as k, ${value} as v from ${rows} p join library.song s on s.id = p.song_id ${joins} where ${seen(viewer, 's')} group by ${key}`;
};
