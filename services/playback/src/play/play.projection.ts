import { rawQuery, type ProjectedQuery, type Projection } from '@continuo/chassis';
import { playEvents } from '@continuo/contracts';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { playBatches, type Counts, type EarlierSkip, type PlayBatch } from './play-batch.js';
import { playDdl, type PlayTables } from './play.tables.js';

const raw = (statement: RawBuilder<unknown>, db: Kysely<PlayTables>): ProjectedQuery => rawQuery(statement, db as unknown as Kysely<never>);

/** A column of rows as an array: a statement over a thousand rows has a few parameters and one plan. */
const column = <R, K extends keyof R>(rows: readonly R[], name: K): R[K][] => rows.map((row) => row[name]);

const countColumns = (rows: readonly Counts[]): RawBuilder<unknown> =>
  sql`${column(rows, 'play_count')}::int[], ${column(rows, 'skip_count')}::int[],
    ${column(rows, 'last_played_at_ms')}::bigint[], ${column(rows, 'last_skipped_at_ms')}::bigint[]`;

/** Adds new counts to stored ones. */
const growing = (table: string): RawBuilder<unknown> => sql`play_count = ${sql.ref(`${table}.play_count`)} + excluded.play_count,
    skip_count = ${sql.ref(`${table}.skip_count`)} + excluded.skip_count,
    last_played_at_ms = greatest(${sql.ref(`${table}.last_played_at_ms`)}, excluded.last_played_at_ms),
    last_skipped_at_ms = greatest(${sql.ref(`${table}.last_skipped_at_ms`)}, excluded.last_skipped_at_ms)`;

const addToSongs = (db: Kysely<PlayTables>, rows: PlayBatch['songs']): ProjectedQuery =>
  raw(
    sql`insert into song_plays (song_id, play_count, skip_count, last_played_at_ms, last_skipped_at_ms)
      select * from unnest(${column(rows, 'song_id')}::int[], ${countColumns(rows)})
      on conflict (song_id) do update set ${growing('song_plays')}`,
    db,
  );

const addToUserSongs = (db: Kysely<PlayTables>, rows: PlayBatch['userSongs']): ProjectedQuery =>
  raw(
    sql`insert into user_song_plays (user_id, song_id, play_count, skip_count, last_played_at_ms, last_skipped_at_ms)
      select * from unnest(${column(rows, 'user_id')}::int[], ${column(rows, 'song_id')}::int[], ${countColumns(rows)})
      on conflict (user_id, song_id) do update set ${growing('user_song_plays')}`,
    db,
  );

const addToHistory = (db: Kysely<PlayTables>, rows: PlayBatch['plays']): ProjectedQuery =>
  raw(
    sql`insert into play (id, user_id, song_id, at_ms, skipped, client)
      select * from unnest(${column(rows, 'id')}::bigint[], ${column(rows, 'user_id')}::int[], ${column(rows, 'song_id')}::int[],
        ${column(rows, 'at_ms')}::bigint[], ${column(rows, 'skipped')}::boolean[], ${column(rows, 'client')}::text[])`,
    db,
  );

/**
 * Turns an earlier play into a skip, in history and in both counts; the latest play that is left gives the new latest time. Nothing when no
 * such play is left.
 */
const skipEarlier = (db: Kysely<PlayTables>, { user_id, song_id, at_ms, client, position }: EarlierSkip): ProjectedQuery =>
  rawQuery(
    sql`
    with hit as (
      update play set skipped = true where id = (
        select id from play where user_id = ${user_id} and song_id = ${song_id} and at_ms = ${at_ms} and client = ${client}
          and not skipped and id < ${position} order by id desc limit 1)
      returning id, at_ms),
    of_user as (
      update user_song_plays u set play_count = u.play_count - 1, skip_count = u.skip_count + 1,
        last_skipped_at_ms = greatest(u.last_skipped_at_ms, hit.at_ms),
        last_played_at_ms = (select max(p.at_ms) from play p
          where p.user_id = ${user_id} and p.song_id = ${song_id} and not p.skipped and p.id <> hit.id)
      from hit where u.user_id = ${user_id} and u.song_id = ${song_id})
    update song_plays s set play_count = s.play_count - 1, skip_count = s.skip_count + 1,
      last_skipped_at_ms = greatest(s.last_skipped_at_ms, hit.at_ms),
      last_played_at_ms = (select max(p.at_ms) from play p where p.song_id = ${song_id} and not p.skipped and p.id <> hit.id)
    from hit where s.song_id = ${song_id}`,
    db as unknown as Kysely<never>,
  );

const addToMedia = (db: Kysely<PlayTables>, rows: PlayBatch['media']): ProjectedQuery =>
  db
    .insertInto('media_plays')
    .values([...rows])
    .onConflict((conflict) =>
      conflict.columns(['object_type', 'object_id', 'user_id']).doUpdateSet((eb) => ({
        play_count: eb(eb.ref('media_plays.play_count'), '+', eb.ref('excluded.play_count')),
        last_played_at_ms: eb.fn('greatest', [eb.ref('media_plays.last_played_at_ms'), eb.ref('excluded.last_played_at_ms')]),
      })),
    );

const nowPlaying = (db: Kysely<PlayTables>, rows: PlayBatch['playing']): ProjectedQuery =>
  raw(
    sql`insert into now_playing (user_id, client, object_type, object_id, started_at_ms, expires_at_ms)
      select * from unnest(${column(rows, 'user_id')}::int[], ${column(rows, 'client')}::text[], ${column(rows, 'object_type')}::text[],
        ${column(rows, 'object_id')}::int[], ${column(rows, 'started_at_ms')}::bigint[], ${column(rows, 'expires_at_ms')}::bigint[])
      on conflict (user_id, client) do update set object_type = excluded.object_type, object_id = excluded.object_id,
        started_at_ms = excluded.started_at_ms, expires_at_ms = excluded.expires_at_ms`,
    db,
  );

const stopPlaying = (db: Kysely<PlayTables>, { user_id, client }: PlayBatch['stopped'][number]): ProjectedQuery =>
  db.deleteFrom('now_playing').where('user_id', '=', user_id).where('client', '=', client);

/** Takes what a user played out of all counts; the latest play of the others gives the new latest time. */
const forget = (db: Kysely<PlayTables>, { user_id, position }: PlayBatch['cleared'][number]): ProjectedQuery[] => [
  raw(
    sql`update song_plays s set play_count = s.play_count - u.play_count, skip_count = s.skip_count - u.skip_count,
        last_played_at_ms = (select max(o.last_played_at_ms) from user_song_plays o where o.song_id = u.song_id and o.user_id <> u.user_id),
        last_skipped_at_ms = (select max(o.last_skipped_at_ms) from user_song_plays o where o.song_id = u.song_id and o.user_id <> u.user_id)
      from user_song_plays u where u.user_id = ${user_id} and s.song_id = u.song_id`,
    db,
  ),
  raw(
    sql`delete from song_plays s using user_song_plays u
      where u.user_id = ${user_id} and s.song_id = u.song_id and s.play_count = 0 and s.skip_count = 0`,
    db,
  ),
  db.deleteFrom('user_song_plays').where('user_id', '=', user_id),
  db.deleteFrom('play').where('user_id', '=', user_id),
  db.deleteFrom('media_plays').where('user_id', '=', user_id),
  db.deleteFrom('download').where('user_id', '=', user_id),
  db
    .insertInto('plays_cleared')
    .values({ user_id, position })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ position })),
];

/** One statement over the rows, if there are any. */
const over = <R>(rows: readonly R[], statement: (rows: readonly R[]) => ProjectedQuery): ProjectedQuery[] =>
  rows.length === 0 ? [] : [statement(rows)];

const applied = (db: Kysely<PlayTables>, batch: PlayBatch): ProjectedQuery[] => [
  ...over(batch.plays, (rows) => addToHistory(db, rows)),
  ...over(batch.songs, (rows) => addToSongs(db, rows)),
  ...over(batch.userSongs, (rows) => addToUserSongs(db, rows)),
  ...batch.earlierSkips.map((skip) => skipEarlier(db, skip)),
  ...over(batch.media, (rows) => addToMedia(db, rows)),
  ...over(batch.downloads, (rows) => db.insertInto('download').values([...rows])),
  ...over(batch.playing, (rows) => nowPlaying(db, rows)),
  ...batch.stopped.map((row) => stopPlaying(db, row)),
  ...batch.cleared.flatMap((row) => forget(db, row)),
];

/**
 * Projects plays: counts by song, and by user and song; every play and skip; plays of other media; downloads; and what each client plays now. Counts add up, so a batch must
 * be applied exactly once; the checkpoint in the same transaction sees to that.
 */
export const playsProjection: Projection<PlayTables> = {
  name: 'playback-plays',
  version: 4,
  context: 'playback',
  publishedSchema: 'playback',
  publishes: ['song_plays', 'user_song_plays', 'play', 'media_plays', 'download', 'now_playing', 'plays_cleared'],
  ddl: playDdl,
  handles: playEvents.map(({ type }) => type),
  project: (events, db) => playBatches(events).flatMap((batch) => applied(db, batch)),
};
