/**
 * Tables of the catalogue projection, in a schema of its own per version and generation. Folded sort columns are under collation "C", so that
 * plain B-tree indexes give the order of lists and serve prefix searches.
 */
const tables = [
  `create table catalog (
    id bigint primary key, name text not null, type text not null, gather_types text not null, path text not null, connection text, enabled boolean not null default true,
    rename_pattern text, sort_pattern text, watched boolean, scan_schedule text, added_at_ms bigint not null, song_count bigint not null default 0)`,
  `create table folder (
    id bigint primary key, catalog_id bigint not null, parent_id bigint, path text not null, name text not null, name_sort text collate "C" not null,
    art_hash text, art_mime text, present boolean not null default true, song_count bigint not null default 0, duration_ms bigint not null default 0)`,
  `create table file (
    folder_id bigint not null, name text not null, kind text not null, size_bytes bigint not null, mtime_ms bigint not null, song_id bigint,
    skip_reason text, skip_message text, primary key (folder_id, name))`,
  `create table song (
    id bigint primary key, catalog_id bigint not null, folder_id bigint not null, file_name text not null, album_id bigint not null, artist_id bigint,
    title text not null, title_sort text collate "C" not null, disk int not null, disk_subtitle text, track int not null, year int not null,
    duration_ms bigint not null, bitrate_bps bigint not null, size_bytes bigint not null, mtime_ms bigint not null, added_at_ms bigint not null,
    updated_at_ms bigint not null, mbid text, composer text, comment text, publisher text, bpm double precision, license_id bigint, art_hash text,
    explicit_status text, sound_print text, random_key double precision not null, doc text not null)`,
  'create table song_artist (song_id bigint not null, artist_id bigint not null, position int not null, primary key (song_id, position))',
  'create table song_contributor (song_id bigint not null, artist_id bigint not null, role text not null, catalog_id bigint not null, primary key (song_id, artist_id, role))',
  'create table song_genre (song_id bigint not null, genre_id bigint not null, position int not null, primary key (song_id, position))',
  'create table song_mood (song_id bigint not null, mood_id bigint not null, position int not null, primary key (song_id, position))',
  'create table song_lyrics (song_id bigint primary key, lyrics text not null)',
  `create table album (
    id bigint primary key, catalog_id bigint not null, name text not null, prefix text, basename text not null, name_sort text collate "C" not null,
    album_artist_id bigint, artist_sort text collate "C" not null default '', year int not null default 0, original_year int,
    song_count int not null default 0, disk_count int not null default 0, duration_ms bigint not null default 0, size_bytes bigint not null default 0,
    added_at_ms bigint not null default 0, updated_at_ms bigint not null default 0, release_type text, mbid text, mbid_group text, version text, barcode text,
    catalog_number text, release_status text, art_hash text, art_mime text, random_key double precision not null, tags json not null, doc text not null default '{}')`,
  'create table album_artist (album_id bigint not null, artist_id bigint not null, position int not null, primary key (album_id, position))',
  'create table album_genre (album_id bigint not null, genre_id bigint not null, song_count int not null, primary key (album_id, genre_id))',
  `create table artist (
    id bigint primary key, name text not null, prefix text, basename text not null, name_sort text collate "C" not null, mbid text, sort_name text,
    album_count int not null default 0, song_count int not null default 0, duration_ms bigint not null default 0, added_at_ms bigint not null default 0,
    art_hash text, art_year int, art_album_id bigint, random_key double precision not null, doc text not null default '{}')`,
  `create table artist_catalog (
    artist_id bigint not null, catalog_id bigint not null, song_count int not null default 0, album_count int not null default 0,
    primary key (artist_id, catalog_id))`,
  'create table artist_genre (artist_id bigint not null, genre_id bigint not null, song_count int not null, primary key (artist_id, genre_id))',
  `create table genre (
    id bigint primary key, name text not null, name_sort text collate "C" not null, song_count int not null default 0, album_count int not null default 0,
    artist_count int not null default 0, taken_out boolean not null default false, hidden boolean not null default false)`,
  'create table genre_merge (genre_id bigint not null, into_id bigint not null, primary key (genre_id, into_id))',
  // What a merged genre stands for in the end, and the genres that the tags of songs name where that differs from what the songs carry.
  'create table genre_target (genre_id bigint not null, into_id bigint not null, primary key (genre_id, into_id))',
  'create table song_tag_genre (song_id bigint not null, genre_id bigint not null, position int not null, primary key (song_id, position))',
  `create table album_disk (
    id bigint primary key, album_id bigint not null, catalog_id bigint not null, disk int not null, subtitle text, song_count int not null,
    duration_ms bigint not null, size_bytes bigint not null, added_at_ms bigint not null, updated_at_ms bigint not null)`,
  `create table label (
    id bigint primary key, name text not null, name_sort text collate "C" not null, album_count int not null default 0, artist_count int not null default 0)`,
  'create table album_label (album_id bigint not null, label_id bigint not null, position int not null, primary key (album_id, position))',
  'create table artist_label (artist_id bigint not null, label_id bigint not null, album_count int not null, primary key (artist_id, label_id))',
  `create table license (
    id bigint primary key, name text not null, name_sort text collate "C" not null, external_link text not null, song_count int not null default 0)`,
  `create table deleted_song (
    song_id bigint primary key, catalog_id bigint not null, title text not null, file text not null, album_id bigint not null, artist_id bigint,
    added_at_ms bigint not null, updated_at_ms bigint not null, deleted_at_ms bigint not null)`,
  'create table mood (id bigint primary key, name text not null)',
  'create table art (hash text primary key, mime text not null, size_bytes bigint not null, width_px int, height_px int)',
  `create table counter (
    kind text not null, catalog_id bigint not null, total bigint not null default 0, max_id bigint not null default 0, version bigint not null default 0,
    primary key (kind, catalog_id))`,
  // What a batch has touched and must sum up again before it commits; empty between batches.
  'create unlogged table touched_album (album_id bigint primary key)',
  `create unlogged table touched_artist (
    artist_id bigint primary key, song_count bigint not null default 0, duration_ms bigint not null default 0, album_count bigint not null default 0)`,
  'create unlogged table touched_song (song_id bigint primary key)',
  'create unlogged table touched_folder (folder_id bigint primary key, song_count bigint not null, duration_ms bigint not null)',
];

/** Indexes by which the projection itself finds the rows that it has to sum up. */
export const summingIndexes: readonly string[] = [
  'create index song_by_album on song (album_id, disk, track, id)',
  'create index song_by_folder on song (folder_id)',
  'create index song_contributor_by_artist on song_contributor (artist_id, role, catalog_id, song_id)',
  'create index album_artist_by_artist on album_artist (artist_id, album_id)',
  'create index artist_by_art_album on artist (art_album_id)',
  'create index genre_merge_by_target on genre_merge (into_id)',
  'create index album_disk_by_album on album_disk (album_id, disk)',
];

/** Indexes of lists and searches. */
export const catalogueReaderIndexes: readonly string[] = [
  'create index if not exists folder_by_catalog on folder (catalog_id, path)',
  'create index if not exists folder_by_parent on folder (parent_id, name_sort, id)',
  'create index if not exists song_by_title on song (title_sort, id)',
  'create index if not exists song_by_added on song (added_at_ms, id)',
  'create index if not exists song_by_updated on song (updated_at_ms, id)',
  'create index if not exists song_by_catalog on song (catalog_id, title_sort, id)',
  'create index if not exists song_by_file_state on song (size_bytes, mtime_ms)',
  'create index if not exists song_by_sound_print on song (sound_print) where sound_print is not null',
  'create index if not exists song_by_random on song (random_key)',
  'create index if not exists song_by_year on song (year, added_at_ms, id)',
  'create index if not exists song_title_words on song using gin (title_sort gin_trgm_ops)',
  'create index if not exists song_by_mbid on song (lower(mbid)) where mbid is not null',
  `create index if not exists song_by_mb_track on song (lower(split_part(split_part(doc, '"mbTrackId":"', 2), '"', 1)))`,
  'create index if not exists song_artist_by_artist on song_artist (artist_id, song_id)',
  'create index if not exists song_genre_by_genre on song_genre (genre_id, song_id)',
  'create index if not exists song_mood_by_mood on song_mood (mood_id, song_id)',
  'create index if not exists album_by_name on album (name_sort, id) where song_count > 0',
  'create index if not exists album_by_artist_name on album (artist_sort, name_sort, id) where song_count > 0',
  'create index if not exists album_by_added on album (added_at_ms, id) where song_count > 0',
  'create index if not exists album_by_year on album (year, name_sort, id) where song_count > 0',
  'create index if not exists album_by_random on album (random_key) where song_count > 0',
  'create index if not exists album_by_catalog on album (catalog_id, name_sort, id) where song_count > 0',
  'create index if not exists album_name_words on album using gin (name_sort gin_trgm_ops)',
  'create index if not exists album_by_mbid on album (lower(mbid)) where mbid is not null',
  'create index if not exists album_by_mbid_group on album (lower(mbid_group)) where mbid_group is not null',
  'create index if not exists album_genre_by_genre on album_genre (genre_id, album_id)',
  'create index if not exists artist_by_name on artist (name_sort, id) where song_count > 0 or album_count > 0',
  'create index if not exists artist_by_random on artist (random_key) where song_count > 0 or album_count > 0',
  'create index if not exists artist_name_words on artist using gin (name_sort gin_trgm_ops)',
  'create index if not exists artist_by_mbid on artist (lower(mbid)) where mbid is not null',
  'create index if not exists artist_catalog_by_catalog on artist_catalog (catalog_id, artist_id)',
  'create index if not exists artist_genre_by_genre on artist_genre (genre_id, artist_id)',
  'create index if not exists genre_by_name on genre (name_sort, id)',
  'create index if not exists song_tag_genre_by_genre on song_tag_genre (genre_id, song_id)',
  'create index if not exists song_by_license on song (license_id, title_sort, id) where license_id is not null',
  'create index if not exists label_by_name on label (name_sort, id) where album_count > 0',
  'create index if not exists album_label_by_label on album_label (label_id, album_id)',
  'create index if not exists artist_label_by_label on artist_label (label_id, artist_id)',
  'create index if not exists license_by_name on license (name_sort, id) where song_count > 0',
  'create index if not exists deleted_song_by_catalog on deleted_song (catalog_id, song_id)',
];

/** A sum that triggers keep: how it is made of whole tables, and how it is kept from then on. */
interface KeptSum {
  readonly ofAll: string;
  readonly triggers: readonly string[];
}

/** A sum to which statement-level triggers add the difference of changed rows. */
const sumOf = (table: string, name: string, update: (rows: string, sign: '+' | '-') => string): KeptSum => ({
  ofAll: update(table, '+'),
  triggers: [
    `create function ${name}_added() returns trigger language plpgsql as $body$ begin ${update('added', '+')}; return null; end $body$`,
    `create function ${name}_gone() returns trigger language plpgsql as $body$ begin ${update('gone', '-')}; return null; end $body$`,
    `create trigger ${name}_added after insert on ${table} referencing new table as added for each statement execute function ${name}_added()`,
    `create trigger ${name}_gone after delete on ${table} referencing old table as gone for each statement execute function ${name}_gone()`,
  ],
});

const countOf = (table: string, column: string) => (rows: string, sign: string) =>
  `update ${table} set ${column} = ${column} ${sign} n.c from (select ${table}_id, count(*) as c from ${rows} group by ${table}_id) as n where ${table}.id = n.${table}_id`;

/** Adds to totals, per catalog and for the whole library. */
const totals = (kind: string, rows: string, sign: string): string =>
  `insert into counter as t (kind, catalog_id, total)
   select '${kind}', c.catalog_id, ${sign}count(*) from ${rows} as r, lateral (values (r.catalog_id), (0)) as c(catalog_id) group by c.catalog_id order by c.catalog_id
   on conflict (kind, catalog_id) do update set total = t.total + excluded.total`;

/** The total of rows that lists show: what counted before an update off, what counts after it on. No join, which would be one of all with all. */
const visibleTotal = (table: string, visible: string, catalogs: string): KeptSum => {
  const adding = (rows: string): string => `insert into counter as t (kind, catalog_id, total)
    select '${table}', c.catalog_id, sum(n.weight) from (${rows}) as n, lateral (values ${catalogs}) as c(catalog_id)
    group by c.catalog_id having sum(n.weight) <> 0 order by c.catalog_id
    on conflict (kind, catalog_id) do update set total = t.total + excluded.total`;
  const seen = (rows: string, weight: number): string => `select ${weight} as weight, r.* from ${rows} r where ${visible}`;
  return {
    ofAll: adding(seen(table, 1)),
    triggers: [
      `create function ${table}_seen() returns trigger language plpgsql as $body$ begin
        ${adding(`${seen('after_rows', 1)} union all ${seen('before_rows', -1)}`)};
        return null; end $body$`,
      `create trigger ${table}_seen after update on ${table} referencing old table as before_rows new table as after_rows for each statement execute function ${table}_seen()`,
    ],
  };
};

/** In the order in which they are made: what lists show depends on counts. */
const keptSums: readonly KeptSum[] = [
  sumOf('song_genre', 'genre_songs', countOf('genre', 'song_count')),
  sumOf('album_genre', 'genre_albums', countOf('genre', 'album_count')),
  sumOf('artist_genre', 'genre_artists', countOf('genre', 'artist_count')),
  sumOf('song', 'songs_total', (rows, sign) => totals('song', rows, sign)),
  sumOf(
    'song',
    'catalog_songs',
    (rows, sign) =>
      `update catalog set song_count = song_count ${sign} n.c from (select catalog_id, count(*) as c from ${rows} group by catalog_id) as n where catalog.id = n.catalog_id`,
  ),
  visibleTotal('album', 'song_count > 0', '(n.catalog_id), (0)'),
  visibleTotal('artist', 'song_count > 0 or album_count > 0', '(0)'),
  visibleTotal('genre', 'song_count > 0 and not hidden', '(0)'),
  sumOf('artist_label', 'label_artists', countOf('label', 'artist_count')),
  visibleTotal('label', 'album_count > 0', '(0)'),
  visibleTotal('license', 'song_count > 0', '(0)'),
  sumOf('deleted_song', 'deletions_total', (rows, sign) => totals('deleted_song', rows, sign)),
];

/**
 * Gives the songs in `touched_song` the genres that their tags name, those of merged genres replaced. What the tags say is kept for as long as it
 * differs from what the songs carry. The document is put together from its own pieces, so that nothing but the genres changes in it.
 */
const carryGenres = [
  `create function carry_genres() returns void language plpgsql as $body$ begin
  if not exists (select 1 from touched_song) then return; end if;
  insert into song_tag_genre select g.* from touched_song t join song_genre g on g.song_id = t.song_id
    where not exists (select 1 from song_tag_genre k where k.song_id = t.song_id);
  delete from song_genre where song_id in (select song_id from touched_song);
  insert into song_genre
    select song_id, genre_id, row_number() over (partition by song_id order by first_position, genre_id) - 1 from (
      select k.song_id, coalesce(g.into_id, k.genre_id) as genre_id, min(k.position) as first_position
      from touched_song t join song_tag_genre k on k.song_id = t.song_id left join genre_target g on g.genre_id = k.genre_id
      group by k.song_id, coalesce(g.into_id, k.genre_id)) as carried;
  delete from song_tag_genre k using touched_song t where k.song_id = t.song_id
    and not exists (select 1 from song_tag_genre o join genre_target g on g.genre_id = o.genre_id where o.song_id = t.song_id);
  update song s set doc = d.doc from touched_song t
    cross join lateral (select '[' || coalesce(string_agg('{"id":' || g.id || ',"name":' || to_json(g.name)::text || '}', ',' order by x.position), '') || ']' as list
      from song_genre x join genre g on g.id = x.genre_id where x.song_id = t.song_id) as n
    cross join lateral (select '{' || string_agg(to_json(e.key)::text || ':' || case e.key when 'genres' then n.list else e.value::text end, ',' order by e.place) || '}' as doc
      from song o, json_each(o.doc::json) with ordinality as e(key, value, place) where o.id = t.song_id) as d
    where s.id = t.song_id;
end $body$`,
  `create function carry_genres_of(ids bigint[]) returns void language plpgsql as $body$ begin
    if not exists (select 1 from genre_target) then return; end if;
    insert into touched_song select distinct g.song_id from unnest(ids) as n(id) join song_genre g on g.song_id = n.id
      where exists (select 1 from genre_target m where m.genre_id = g.genre_id);
    perform carry_genres();
    delete from touched_song;
  end $body$`,
];

/** Everything that an empty schema needs to take rows. */
export const catalogueDdl: readonly string[] = [...tables, ...carryGenres];

/** Makes the sums that triggers keep out of all rows. */
export const keptSumsOfAll: readonly string[] = keptSums.map(({ ofAll }) => ofAll);

/** The triggers that keep them. */
export const keptSumTriggers: readonly string[] = keptSums.flatMap(({ triggers }) => triggers);

/** Tables that readers see, under the same names. */
export const catalogueTables = [
  'catalog',
  'folder',
  'file',
  'song',
  'song_artist',
  'song_contributor',
  'song_genre',
  'song_mood',
  'song_lyrics',
  'album',
  'album_artist',
  'album_genre',
  'artist',
  'artist_catalog',
  'artist_genre',
  'genre',
  'genre_merge',
  'album_disk',
  'label',
  'album_label',
  'artist_label',
  'license',
  'deleted_song',
  'mood',
  'art',
  'counter',
] as const;
