import { rawQuery, type ProjectedQuery } from '@continuo/chassis';
import type { GenreEvent } from '@continuo/contracts';
import { sql } from 'kysely';
import type { Handle } from './handle.js';

type Merged = Extract<GenreEvent, { type: 'GenreMerged' }>['data'];

/** Takes a genre out of the lists, or puts it back. */
export const hideGenre = (genreId: number, hidden: boolean, db: Handle): ProjectedQuery[] => [
  rawQuery(sql`update genre set taken_out = ${hidden} where id = ${genreId}`, db),
  hiddenAgain(genreId, db),
];

/** Notes the songs that a change of a genre's merge may concern: those that carry it, and those whose tags name it or a genre that leads to it. */
export const touchSongsOfGenre = (genreId: number, db: Handle): ProjectedQuery =>
  rawQuery(
    sql`insert into touched_song
      with recursive above(id) as (
        select ${genreId}::bigint union select m.genre_id from above a join genre_merge m on m.into_id = a.id)
      select song_id from song_genre where genre_id = ${genreId}
      union select k.song_id from above a join song_tag_genre k on k.genre_id = a.id`,
    db,
  );

/** Notes the artists and albums of the noted songs. */
export const touchAroundSongs = (db: Handle): ProjectedQuery[] =>
  [
    sql`insert into touched_artist (artist_id)
      select distinct a.artist_id from touched_song t join song_artist a on a.song_id = t.song_id on conflict do nothing`,
    sql`insert into touched_album select distinct s.album_id from touched_song t join song s on s.id = t.song_id on conflict do nothing`,
  ].map((statement) => rawQuery(statement, db));

/** Sets what a genre is merged into (nothing: it stands for itself), and gives the noted songs their genres anew. */
export const mergeGenre = ({ genreId, intoIds }: Merged, db: Handle): ProjectedQuery[] => [
  ...[
    sql`delete from genre_merge where genre_id = ${genreId}`,
    sql`insert into genre_merge select ${genreId}::bigint, id from unnest(${intoIds}::bigint[]) as id on conflict do nothing`,
    sql`delete from genre_target`,
    sql`insert into genre_target
      with recursive reached(genre_id, into_id) as (
        select genre_id, into_id from genre_merge union select r.genre_id, m.into_id from reached r join genre_merge m on m.genre_id = r.into_id)
      select genre_id, into_id from reached r where not exists (select 1 from genre_merge m where m.genre_id = r.into_id)`,
    sql`select carry_genres()`,
  ].map((statement) => rawQuery(statement, db)),
  hiddenAgain(genreId, db),
];

const hiddenAgain = (genreId: number, db: Handle): ProjectedQuery =>
  rawQuery(
    sql`update genre g set hidden = g.taken_out or exists (select 1 from genre_merge m where m.genre_id = g.id) where g.id = ${genreId}`,
    db,
  );
