import type { AlbumDocument, ArtistDocument, SongDocument } from '@continuo/contracts';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { PopularityChange, SearchDocument, SearchKind } from '@continuo/search-index';

type Db = Kysely<unknown>;

/** Things to read: those of a list, or the next ones by id. */
export type Wanted = { readonly ids: readonly number[] } | { readonly after: number; readonly limit: number };

/** Plays are published by another service, which may not have been there yet, or not let us read. */
export const hasPlays = async (db: Db): Promise<boolean> => {
  const { rows } = await sql<{ there: boolean }>`
    select coalesce(has_table_privilege(to_regclass('playback.song_plays'), 'select'), false) as there`.execute(db);
  return rows[0]?.there === true;
};

const where = (wanted: Wanted): RawBuilder<unknown> =>
  'ids' in wanted ? sql`t.id = any(${wanted.ids}::bigint[])` : sql`t.id > ${wanted.after}`;
const end = (wanted: Wanted): RawBuilder<unknown> => ('ids' in wanted ? sql`` : sql`order by t.id limit ${wanted.limit}`);

/** Plays of the songs of a thing. */
const playsOf = (withPlays: boolean, songs: RawBuilder<unknown>): RawBuilder<unknown> =>
  withPlays
    ? sql`(select coalesce(sum(p.play_count), 0)::bigint from playback.song_plays p where p.song_id in (${songs}))`
    : sql`0::bigint`;

const everybody = { foundBy: 'everybody' } as const;
const named = (names: readonly { readonly name: string }[]): string[] => names.map(({ name }) => name);
const given = (...names: readonly (string | null | undefined)[]): string[] =>
  names.filter((name) => typeof name === 'string' && name !== '') as string[];

interface Row {
  readonly id: number;
  readonly name: string;
  readonly plays: number;
}

const songs = async (db: Db, wanted: Wanted, withPlays: boolean): Promise<SearchDocument[]> => {
  const { rows } = await sql<Row & { catalog_id: number; doc: string }>`
    select t.id, t.title as name, t.catalog_id, t.doc, ${withPlays ? sql`coalesce(p.play_count, 0)` : sql`0`}::bigint as plays
    from library.song t ${withPlays ? sql`left join playback.song_plays p on p.song_id = t.id` : sql``}
    where ${where(wanted)} ${end(wanted)}`.execute(db);
  return rows.map(({ id, name, plays, catalog_id, doc }): SearchDocument => {
    const { sortTitle, artists, displayArtist, album, albumArtists, composers = [] } = JSON.parse(doc) as SongDocument;
    const credited = new Set(given(...named(artists), displayArtist));
    return {
      ...everybody,
      kind: 'song',
      id,
      name,
      otherNames: given(sortTitle),
      album: album.name,
      artists: [...credited],
      albumArtists: named(albumArtists),
      composers,
      catalogIds: [catalog_id],
      popularity: plays,
    };
  });
};

const albums = async (db: Db, wanted: Wanted, withPlays: boolean): Promise<SearchDocument[]> => {
  const plays = playsOf(withPlays, sql`select s.id from library.song s where s.album_id = t.id`);
  const { rows } = await sql<Row & { catalog_id: number; doc: string }>`
    select t.id, t.name, t.catalog_id, t.doc, ${plays} as plays from library.album t where ${where(wanted)} and t.song_count > 0 ${end(wanted)}`.execute(
    db,
  );
  return rows.map(({ id, name, catalog_id, doc, plays: popularity }): SearchDocument => {
    const { artists, displayArtist, sortName, version } = JSON.parse(doc) as AlbumDocument;
    const credited = new Set(given(...named(artists), displayArtist));
    return {
      ...everybody,
      kind: 'album',
      id,
      name,
      otherNames: given(sortName, version === undefined ? undefined : `${name} ${version}`),
      artists: [...credited],
      catalogIds: [catalog_id],
      popularity,
    };
  });
};

const artists = async (db: Db, wanted: Wanted, withPlays: boolean): Promise<SearchDocument[]> => {
  const plays = playsOf(withPlays, sql`select s.song_id from library.song_artist s where s.artist_id = t.id`);
  const { rows } = await sql<Row & { catalog_ids: number[]; doc: string }>`
    select t.id, t.name, t.doc, ${plays} as plays, array(
      select c.catalog_id from library.artist_catalog c where c.artist_id = t.id and (c.song_count > 0 or c.album_count > 0) order by 1) as catalog_ids
    from library.artist t where ${where(wanted)} and (t.song_count > 0 or t.album_count > 0) ${end(wanted)}`.execute(db);
  return rows.map(({ id, name, catalog_ids: catalogIds, doc, plays: popularity }): SearchDocument => {
    const { sortName } = JSON.parse(doc) as ArtistDocument;
    return { ...everybody, kind: 'artist', id, name, otherNames: given(sortName), catalogIds, popularity };
  });
};

const playlists = async (db: Db, wanted: Wanted): Promise<SearchDocument[]> => {
  const { rows } = await sql<{ id: number; name: string; owner_id: number | null; is_public: boolean; collaborator_ids: number[] }>`
    select t.id, t.name, t.owner_id, t.is_public, t.collaborator_ids from library.playlist t where ${where(wanted)} ${end(wanted)}`.execute(
    db,
  );
  return rows.map(({ id, name, owner_id, is_public, collaborator_ids }): SearchDocument => {
    const people = [...(owner_id === null ? [] : [owner_id]), ...collaborator_ids];
    return { kind: 'playlist', id, name, catalogIds: [], foundBy: is_public ? 'everybody' : people, popularity: 0 };
  });
};

const videos = async (db: Db, wanted: Wanted): Promise<SearchDocument[]> => {
  const { rows } = await sql<{ id: number; title: string; catalog_id: number }>`
    select t.id, t.title, t.catalog_id from library.video t where ${where(wanted)} ${end(wanted)}`.execute(db);
  return rows.map(({ id, title, catalog_id }): SearchDocument => {
    return { ...everybody, kind: 'video', id, name: title, catalogIds: [catalog_id], popularity: 0 };
  });
};

const reads: Readonly<Record<SearchKind, (db: Db, wanted: Wanted, withPlays: boolean) => Promise<SearchDocument[]>>> = {
  song: songs,
  album: albums,
  artist: artists,
  playlist: playlists,
  video: videos,
};

/** Documents of a kind as the read model shows them now; what is not there any more, or has no songs left, has none. By id when no ids are given. */
export const searchDocuments = async (db: Db, kind: SearchKind, wanted: Wanted): Promise<SearchDocument[]> =>
  reads[kind](db, wanted, await hasPlays(db));

/** Plays of songs, and of the albums and artists that they belong to, as they are now. */
export const popularityOf = async (db: Db, songIds: readonly number[]): Promise<PopularityChange[]> => {
  const plays = (of: RawBuilder<unknown>): RawBuilder<unknown> => playsOf(true, of);
  const { rows } = await sql<{ kind: SearchKind; id: number; popularity: number }>`
    with played as (select t.id, t.album_id from library.song t where t.id = any(${songIds}::bigint[]))
    select 'song' as kind, t.id, ${plays(sql`t.id`)} as popularity from played t
    union all select 'album', t.id, ${plays(sql`select s.id from library.song s where s.album_id = t.id`)}
      from (select distinct album_id as id from played) t
    union all select 'artist', t.id, ${plays(sql`select s.song_id from library.song_artist s where s.artist_id = t.id`)}
      from (select distinct a.artist_id as id from played join library.song_artist a on a.song_id = played.id) t`.execute(db);
  return rows;
};

/** Albums and artists of songs that are gone, as far as they are remembered. */
export const formerPlaces = async (db: Db, songIds: readonly number[]): Promise<{ albums: number[]; artists: number[] }> => {
  const { rows } = await sql<{ album_id: number; artist_id: number | null }>`
    select distinct album_id, artist_id from library.deleted_song where song_id = any(${songIds}::bigint[])`.execute(db);
  return { albums: rows.map(({ album_id }) => album_id), artists: rows.flatMap(({ artist_id }) => artist_id ?? []) };
};

/** Albums and artists that keep a name and have nothing left to show. */
export const emptied = async (db: Db): Promise<{ kind: 'album' | 'artist'; id: number }[]> => {
  const { rows } = await sql<{ kind: 'album' | 'artist'; id: number }>`
    select 'album' as kind, id from library.album where song_count = 0
    union all select 'artist', id from library.artist where song_count = 0 and album_count = 0`.execute(db);
  return rows;
};
