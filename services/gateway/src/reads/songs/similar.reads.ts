import { sql, type RawBuilder } from 'kysely';
import type { ReadDatabase } from '../database/database.js';
import { inVisibleCatalogs, type Viewer } from '../visibility/viewer.js';

/*
 * Finds similar songs and artists by their tags, without external services. Candidates come from a bounded number of index slices, so that a genre of half a million songs
 * costs no more than a small one, and are then all weighed exactly. The order is the same each time, down to the id.
 *
 * Songs: shared genres weigh by their rarity (a genre that everything has says little), then come shared moods, artists and album artists, a shared label, and a
 * near year. Each further song of one artist weighs less, so that the answer is not one album. Artists: genres that make up much of both, and labels.
 */

/** A genre and so on is looked into at so many places, evenly spread over the ids, … */
const PLACES = 8;
/** … and at each of them so many members are candidates. */
const PER_PLACE = 60;
/** Only so many traits, the weightiest, are looked into for candidates, … */
const MOST_TRAITS = 5;
/** … but so many are weighed. */
const WEIGHED_TRAITS = 20;
const SONGS_PER_ARTIST = 100;
const ALBUMS_PER_LABEL = 40;
const SONGS_PER_ALBUM = 3;

/** Weights of what is shared; all genres together weigh 3. */
const weights = { genres: 3, mood: 0.5, artist: 1, label: 0.5, year: 1, another: 0.5 } as const;
/** So many years apart, a near year weighs half. */
const YEARS_APART = 5;

interface Weighed {
  readonly ids: readonly number[];
  readonly weights: readonly number[];
}

/** Shares `total` among traits by their rarity: how many things there are for each that has it. */
const byRarity = (traits: readonly { readonly id: number; readonly members: number }[], things: number, total: number): Weighed => {
  const rare = traits
    // What nothing else has leads nowhere.
    .filter(({ members }) => members > 1)
    .map(({ id, members }) => ({ id, rarity: Math.log1p(things / Math.max(members, 1)) }))
    .toSorted((one, other) => other.rarity - one.rarity || one.id - other.id)
    .slice(0, WEIGHED_TRAITS);
  const sum = rare.reduce((all, { rarity }) => all + rarity, 0);
  return { ids: rare.map(({ id }) => id), weights: rare.map(({ rarity }) => (rarity / sum) * total) };
};

const idArray = (ids: readonly number[]): RawBuilder<unknown> => sql`${[...ids]}::int[]`;
const weighed = (name: string, { ids, weights: values }: Weighed): RawBuilder<unknown> =>
  sql`${sql.ref(name)} as materialized (select * from unnest(${idArray(ids)}, ${[...values]}::float8[]) as x(id, weight))`;

/** Some members of each trait in a table of pairs: slices of its index from evenly spread ids on. */
const slices = (traits: string, table: string, columns: { readonly trait: string; readonly member: string }): RawBuilder<unknown> => sql`
  select m.id from (select id from ${sql.ref(traits)} order by weight desc, id limit ${sql.lit(MOST_TRAITS)}) t cross join places cross join lateral (
    select ${sql.ref(`x.${columns.member}`)} as id from ${sql.table(table)} x
    where ${sql.ref(`x.${columns.trait}`)} = t.id and ${sql.ref(`x.${columns.member}`)} >= places.at
    order by ${sql.ref(`x.${columns.member}`)} limit ${sql.lit(PER_PLACE)}) m`;

const places = (maxId: number): RawBuilder<unknown> =>
  sql`places as materialized (select (${maxId}::bigint * k / ${sql.lit(PLACES)}) as at from generate_series(0, ${sql.lit(PLACES - 1)}) k)`;

interface SongTraits {
  readonly year: number;
  readonly genres: readonly { readonly id: number; readonly members: number }[];
  readonly moods: readonly number[];
  readonly artists: readonly number[];
  readonly labels: readonly number[];
  readonly songs: number;
  readonly maxId: number;
}

const songTraits = async (db: ReadDatabase, id: number, viewer: Viewer): Promise<SongTraits | undefined> => {
  const { rows } = await sql<SongTraits>`
    select s.year, coalesce(c.total, 0)::int as songs, coalesce(c.max_id, 0)::int as "maxId",
      coalesce((select json_agg(json_build_object('id', g.id, 'members', g.song_count)) from library.song_genre x join library.genre g on g.id = x.genre_id
        where x.song_id = s.id), '[]') as genres,
      array(select mood_id::int from library.song_mood where song_id = s.id order by position limit ${sql.lit(MOST_TRAITS)}) as moods,
      array(select artist_id::int from library.song_artist where song_id = s.id
        union select artist_id::int from library.album_artist where album_id = s.album_id) as artists,
      array(select label_id::int from library.album_label where album_id = s.album_id order by position limit ${sql.lit(MOST_TRAITS)}) as labels
    from library.song s left join library.counter c on c.kind = 'song' and c.catalog_id = 0
    where s.id = ${id} and ${inVisibleCatalogs(viewer, sql`s.catalog_id`)}`.execute(db);
  return rows[0];
};

const songCandidates = ({ artists, labels }: SongTraits): RawBuilder<unknown> => sql`
  ${slices('genres', 'library.song_genre', { trait: 'genre_id', member: 'song_id' })}
  union ${slices('moods', 'library.song_mood', { trait: 'mood_id', member: 'song_id' })}
  union select m.id from unnest(${idArray(artists)}) a(id) cross join lateral (
    select song_id as id from library.song_artist where artist_id = a.id order by song_id limit ${sql.lit(SONGS_PER_ARTIST)}) m
  union select m.id from unnest(${idArray(labels)}) l(id) cross join lateral (
    select album_id from library.album_label where label_id = l.id order by album_id limit ${sql.lit(ALBUMS_PER_LABEL)}) al
    cross join lateral (select id from library.song where album_id = al.album_id order by disk, track, id limit ${sql.lit(SONGS_PER_ALBUM)}) m`;

/** Scores what a candidate `s` shares with the song. */
const songScore = ({ year, artists, labels }: SongTraits): RawBuilder<number> => sql<number>`
  coalesce((select sum(t.weight) from library.song_genre x join genres t on t.id = x.genre_id where x.song_id = s.id), 0)
  + coalesce((select sum(t.weight) from library.song_mood x join moods t on t.id = x.mood_id where x.song_id = s.id), 0)
  + case when s.artist_id = any(${idArray(artists)}) then ${sql.lit(weights.artist)} else 0 end
  + case when exists (select from library.album_label x where x.album_id = s.album_id and x.label_id = any(${idArray(labels)})) then ${sql.lit(weights.label)} else 0 end
  + case when ${year}::int > 0 and s.year > 0 then ${sql.lit(weights.year)} / (1 + abs(s.year - ${year}::int) / ${sql.lit(YEARS_APART)}::float8) else 0 end`;

/** Ids of songs that are like a song, the likest first; undefined when the viewer has no such song. */
export const similarSongIds = async (db: ReadDatabase, id: number, viewer: Viewer, limit: number): Promise<number[] | undefined> => {
  const traits = await songTraits(db, id, viewer);
  if (!traits) return undefined;
  const moods = { ids: traits.moods, weights: traits.moods.map(() => weights.mood) };
  const { rows } = await sql<{ id: number }>`
    with ${weighed('genres', byRarity(traits.genres, traits.songs, weights.genres))}, ${weighed('moods', moods)}, ${places(traits.maxId)},
    found as materialized (${songCandidates(traits)}),
    scored as (
      select s.id, s.artist_id, ${songScore(traits)} as score from found f join library.song s on s.id = f.id
      where s.id <> ${id} and ${inVisibleCatalogs(viewer, sql`s.catalog_id`)}),
    spread as (
      select id, score - ${sql.lit(weights.another)} * (row_number() over (partition by coalesce(artist_id, -id) order by score desc, id) - 1) as score from scored)
    select id from spread order by score desc, id limit ${limit}`.execute(db);
  return rows.map((row) => row.id);
};

interface ArtistTraits {
  readonly genres: readonly { readonly id: number; readonly members: number; readonly songs: number }[];
  readonly labels: readonly number[];
  readonly songs: number;
  readonly artists: number;
  readonly maxId: number;
}

const visibleArtist = (viewer: Viewer): RawBuilder<unknown> =>
  viewer.catalogs === 'all'
    ? sql`(a.song_count > 0 or a.album_count > 0)`
    : sql`exists (select from library.artist_catalog ac where ac.artist_id = a.id and ${inVisibleCatalogs(viewer, sql`ac.catalog_id`)})`;

const artistTraits = async (db: ReadDatabase, id: number, viewer: Viewer): Promise<ArtistTraits | undefined> => {
  const { rows } = await sql<ArtistTraits>`
    select a.song_count as songs, coalesce(c.total, 0)::int as artists, coalesce(c.max_id, 0)::int as "maxId",
      coalesce((select json_agg(json_build_object('id', g.id, 'members', g.artist_count, 'songs', x.song_count))
        from library.artist_genre x join library.genre g on g.id = x.genre_id where x.artist_id = a.id), '[]') as genres,
      array(select label_id::int from library.artist_label where artist_id = a.id order by album_count desc, label_id limit ${sql.lit(MOST_TRAITS)}) as labels
    from library.artist a left join library.counter c on c.kind = 'artist' and c.catalog_id = 0
    where a.id = ${id} and ${visibleArtist(viewer)}`.execute(db);
  return rows[0];
};

/** The genres of an artist by rarity and by how many of its songs have them. */
const artistGenres = ({ genres, songs, artists }: ArtistTraits): Weighed => {
  const rare = byRarity(genres, artists, weights.genres);
  const share = new Map(genres.map((genre) => [genre.id, Math.sqrt(genre.songs / Math.max(songs, genre.songs, 1))]));
  return { ids: rare.ids, weights: rare.weights.map((weight, index) => weight * (share.get(rare.ids[index] ?? 0) ?? 0)) };
};

/** Ids of artists that are like an artist, the likest first; undefined when the viewer has no such artist. */
export const similarArtistIds = async (db: ReadDatabase, id: number, viewer: Viewer, limit: number): Promise<number[] | undefined> => {
  const traits = await artistTraits(db, id, viewer);
  if (!traits) return undefined;
  const { rows } = await sql<{ id: number }>`
    with ${weighed('genres', artistGenres(traits))},
    labels as materialized (select x.id, ${sql.lit(weights.label)}::float8 as weight from unnest(${idArray(traits.labels)}) x(id)), ${places(traits.maxId)},
    found as materialized (
      ${slices('genres', 'library.artist_genre', { trait: 'genre_id', member: 'artist_id' })}
      union ${slices('labels', 'library.artist_label', { trait: 'label_id', member: 'artist_id' })}),
    scored as (
      select a.id,
        coalesce((select sum(t.weight * sqrt(x.song_count::float8 / greatest(a.song_count, x.song_count, 1)))
          from library.artist_genre x join genres t on t.id = x.genre_id where x.artist_id = a.id), 0)
        + coalesce((select max(t.weight) from library.artist_label x join labels t on t.id = x.label_id where x.artist_id = a.id), 0) as score
      from found f join library.artist a on a.id = f.id where a.id <> ${id} and ${visibleArtist(viewer)})
    select id from scored order by score desc, id limit ${limit}`.execute(db);
  return rows.map((row) => row.id);
};

/**
 * Ids of songs of an artist and of artists that are like it, the artist's own first, then one of each in turn.
 * Undefined when the viewer has no such artist.
 * @param first artists that are known to be like it, before those that its tags tell
 */
export const songIdsLikeArtist = async (
  db: ReadDatabase,
  id: number,
  viewer: Viewer,
  { limit, first = [] }: { readonly limit: number; readonly first?: readonly number[] },
): Promise<number[] | undefined> => {
  const most = Math.min(limit, 2 * PER_PLACE);
  const local = await similarArtistIds(db, id, viewer, most);
  if (!local) return undefined;
  const alike = [...new Set([...first, ...local])].slice(0, most);
  const perArtist = Math.min(SONGS_PER_ARTIST, Math.max(SONGS_PER_ALBUM, Math.ceil(limit / (alike.length + 1))));
  const { rows } = await sql<{ id: number }>`
    select m.id from unnest(${idArray([id, ...alike])}) with ordinality a(id, place) cross join lateral (
      select s.id, row_number() over (order by coalesce(p.play_count, 0) desc, s.id) as turn
      from (select song_id from library.song_artist where artist_id = a.id order by song_id limit ${sql.lit(SONGS_PER_ARTIST)}) x
      join library.song s on s.id = x.song_id left join playback.song_plays p on p.song_id = s.id
      where ${inVisibleCatalogs(viewer, sql`s.catalog_id`)} order by turn limit ${perArtist}) m
    group by m.id order by min(m.turn), min(a.place), m.id limit ${limit}`.execute(db);
  return rows.map((row) => row.id);
};
