import type { ReadModel } from '@continuo/contracts';
import { sql, type Kysely, type RawBuilder } from 'kysely';

/** Rows of one question; each asks an index that many times. */
const ROWS_PER_QUESTION = 5000;
/** Names of one look through all files. */
const NAMES_PER_LOOK = 50_000;

/** Where a song lies. */
export interface SongPlace {
  readonly songId: number;
  readonly catalogId: number;
  /** Folder relative to the catalog's root. */
  readonly folder: string;
  readonly fileName: string;
}

/** Candidate song for a match by tags. */
export interface TaggedSong {
  readonly songId: number;
  readonly album: string;
  readonly track: number;
  readonly durationMs: number;
}

/** The catalogs that songs are looked for in. */
export interface CatalogRoot {
  readonly id: number;
  readonly path: string;
}

const array = (values: readonly (string | number)[], type: 'text' | 'bigint'): RawBuilder<unknown> =>
  sql`${[...values]}::${sql.raw(`${type}[]`)}`;

/** Answers of one question after the other, as one list. */
const inPieces = async <T, R>(
  all: readonly T[],
  size: number,
  ask: (piece: readonly T[], offset: number) => Promise<readonly R[]>,
): Promise<R[]> => {
  const answers: R[] = [];
  for (let at = 0; at < all.length; at += size) for (const row of await ask(all.slice(at, at + size), at)) answers.push(row);
  return answers;
};

/** Catalogs of music, those of `ids` only where it is given. */
export const catalogRoots = async (db: Kysely<ReadModel>, ids?: readonly number[]): Promise<CatalogRoot[]> => {
  const rows = await db.selectFrom('library.catalog').select(['id', 'path']).where('gather_types', '!=', 'video').orderBy('id').execute();
  return ids === undefined ? rows : rows.filter(({ id }) => ids.includes(id));
};

/** Songs at given places: the answers carry the place's position in the list. By primary keys and the index of folders, in blocks. */
export const songsAtLocations = (
  db: Kysely<ReadModel>,
  places: readonly Omit<SongPlace, 'songId'>[],
): Promise<{ place: number; songId: number }[]> =>
  inPieces(places, ROWS_PER_QUESTION, async (piece, offset) => {
    const { rows } = await sql<{ n: number; song_id: number }>`
      select w.n::int as n, f.song_id from unnest(
        ${array(
          piece.map((one) => one.catalogId),
          'bigint',
        )}, ${array(
          piece.map((one) => one.folder),
          'text',
        )}, ${array(
          piece.map((one) => one.fileName),
          'text',
        )}
      ) with ordinality as w(catalog_id, folder, name, n)
      join library.folder d on d.catalog_id = w.catalog_id and d.path = w.folder and d.present
      join library.file f on f.folder_id = d.id and f.name = w.name
      where f.kind = 'track' and f.song_id is not null`.execute(db);
    return rows.map(({ n, song_id }) => ({ place: offset + n - 1, songId: song_id }));
  });

const placeOf = (row: { song_id: number; catalog_id: number; path: string; name: string }): SongPlace => ({
  songId: row.song_id,
  catalogId: row.catalog_id,
  folder: row.path,
  fileName: row.name,
});

/** Songs whose file and folder have these names, in any case. One look through the files for tens of thousands of names. */
export const songsByFolderAndName = (
  db: Kysely<ReadModel>,
  names: readonly { folder: string; file: string }[],
  catalogIds: readonly number[],
): Promise<SongPlace[]> =>
  inPieces(names, NAMES_PER_LOOK, async (piece) => {
    const { rows } = await sql<{ song_id: number; catalog_id: number; path: string; name: string }>`
      select f.song_id, d.catalog_id, d.path, f.name from unnest(
        ${array(
          piece.map((one) => one.folder),
          'text',
        )}, ${array(
          piece.map((one) => one.file),
          'text',
        )}
      ) as w(folder, file)
      join library.folder d on lower(d.name) = lower(w.folder) and d.present and d.catalog_id = any(${array(catalogIds, 'bigint')})
      join library.file f on f.folder_id = d.id and lower(f.name) = lower(w.file)
      where f.kind = 'track' and f.song_id is not null`.execute(db);
    return rows.map(placeOf);
  });

/** Songs whose file has a name, in any case, that no other file of these catalogs has. */
export const songsByUniqueName = (db: Kysely<ReadModel>, names: readonly string[], catalogIds: readonly number[]): Promise<SongPlace[]> =>
  inPieces(names, NAMES_PER_LOOK, async (piece) => {
    const { rows } = await sql<{ song_id: number; catalog_id: number; path: string; name: string }>`
      select min(f.song_id)::bigint as song_id, min(d.catalog_id)::bigint as catalog_id, min(d.path) as path, min(f.name) as name
      from library.file f join library.folder d on d.id = f.folder_id and d.present and d.catalog_id = any(${array(catalogIds, 'bigint')})
      where f.kind = 'track' and f.song_id is not null
        and lower(f.name) in (select lower(w.name) from unnest(${array(piece, 'text')}) as w(name))
      group by lower(f.name) having count(*) = 1`.execute(db);
    return rows.map(placeOf);
  });

/** Songs by the id of their recording at MusicBrainz. */
export const songsByRecording = (
  db: Kysely<ReadModel>,
  mbids: readonly string[],
  catalogIds: readonly number[],
): Promise<{ songId: number; mbid: string }[]> =>
  inPieces(mbids, NAMES_PER_LOOK, async (piece) => {
    const { rows } = await sql<{ song_id: number; mbid: string }>`
      select s.id as song_id, s.mbid from library.song s
      where s.mbid = any(${array(piece, 'text')}) and s.catalog_id = any(${array(catalogIds, 'bigint')}) order by s.id`.execute(db);
    return rows.map(({ song_id, mbid }) => ({ songId: song_id, mbid }));
  });

interface TagRow {
  n: number;
  song_id: number;
  album: string;
  track: number;
  duration_ms: number;
}

const taggedSong = ({ song_id, album, track, duration_ms }: TagRow): TaggedSong => ({
  songId: song_id,
  album,
  track,
  durationMs: duration_ms,
});

/** As many songs as one pair of names may bring. */
const SONGS_PER_PAIR = 50;

/** Ids of artists by their sort keys; names that only differ by case or accents share one. */
const artistIds = async (db: Kysely<ReadModel>, keys: readonly string[]): Promise<Map<string, number[]>> => {
  const rows = await inPieces(keys, NAMES_PER_LOOK, async (piece) => {
    const found = await sql<{ id: number; name_sort: string }>`
      select a.id, a.name_sort from unnest(${array(piece, 'text')}) as w(name) join library.artist a on a.name_sort = w.name collate "C"`.execute(
      db,
    );
    return found.rows;
  });
  const byKey = new Map<string, number[]>();
  for (const { id, name_sort } of rows) byKey.set(name_sort, [...(byKey.get(name_sort) ?? []), id]);
  return byKey;
};

/**
 * Songs by sort keys of title and artist: one credited on the song, or on its album. Answers carry the pair's position in the list. Pairs whose artist nobody
 * knows ask nothing more.
 */
export const songsByTitleAndArtist = async (
  db: Kysely<ReadModel>,
  pairs: readonly { title: string; artist: string }[],
  catalogIds: readonly number[],
): Promise<{ pair: number; song: TaggedSong }[]> => {
  const idsOf = await artistIds(db, [...new Set(pairs.map(({ artist }) => artist))]);
  const wanted = pairs.flatMap(({ title, artist }, pair) => (idsOf.get(artist) ?? []).map((artistId) => ({ pair, title, artistId })));
  return inPieces(wanted, ROWS_PER_QUESTION, async (piece) => {
    const { rows } = await sql<TagRow>`
      select w.n, found.id as song_id, a.name_sort as album, found.track, found.duration_ms
      from unnest(
        ${array(
          piece.map((one) => one.title),
          'text',
        )}, ${array(
          piece.map((one) => one.artistId),
          'bigint',
        )}, ${array(
          piece.map((one) => one.pair),
          'bigint',
        )}
      ) as w(title, artist_id, n)
      cross join lateral (
        select s.id, s.album_id, s.track, s.duration_ms from library.song s
        where s.title_sort = w.title collate "C" and s.catalog_id = any(${array(catalogIds, 'bigint')}) and (
          s.artist_id = w.artist_id
          or exists (select from library.song_artist c where c.song_id = s.id and c.artist_id = w.artist_id)
          or exists (select from library.album_artist c where c.album_id = s.album_id and c.artist_id = w.artist_id))
        order by s.id limit ${SONGS_PER_PAIR}) found
      join library.album a on a.id = found.album_id`.execute(db);
    return rows.map((row) => ({ pair: row.n, song: taggedSong(row) }));
  });
};

/** Songs by the sort key of their title alone, where they last as long as is said; answers carry the title's position in the list. */
export const songsByTitleAndLength = (
  db: Kysely<ReadModel>,
  titles: readonly { title: string; durationMs: number; withinMs: number }[],
  catalogIds: readonly number[],
): Promise<{ pair: number; song: TaggedSong }[]> =>
  inPieces(titles, ROWS_PER_QUESTION, async (piece, offset) => {
    const { rows } = await sql<TagRow>`
      select w.n::int as n, found.id as song_id, a.name_sort as album, found.track, found.duration_ms
      from unnest(
        ${array(
          piece.map((one) => one.title),
          'text',
        )}, ${array(
          piece.map((one) => one.durationMs - one.withinMs),
          'bigint',
        )},
        ${array(
          piece.map((one) => one.durationMs + one.withinMs),
          'bigint',
        )}
      ) with ordinality as w(title, least, most, n)
      cross join lateral (
        select s.id, s.album_id, s.track, s.duration_ms from library.song s
        where s.title_sort = w.title collate "C" and s.duration_ms between w.least and w.most and s.catalog_id = any(${array(catalogIds, 'bigint')})
        order by s.id limit 2) found
      join library.album a on a.id = found.album_id`.execute(db);
    return rows.map((row) => ({ pair: offset + row.n - 1, song: taggedSong(row) }));
  });
