import { sql, type RawBuilder } from 'kysely';
import type { ReadDatabase } from '../database/database.js';
import { inVisibleCatalogs, type Viewer } from '../visibility/viewer.js';

/** A part of what an account has heard. Epoch milliseconds; the end is not included. */
export interface ListeningPeriod {
  readonly userId: number;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Plays of an hour of a day. */
export interface ListeningHour {
  /** `2026-03-01`, as clocks of the time zone show it. */
  readonly day: string;
  /** 0 to 23. */
  readonly hour: number;
  readonly plays: number;
  /** Sum of the lengths of the songs; those that are gone count nothing, milliseconds. */
  readonly durationMs: number;
}

/** Numbers about a period. */
export interface ListeningTotals {
  readonly songs: number;
  /** Songs that the account had never played before. */
  readonly newSongs: number;
  /** First play of the account at all, epoch milliseconds; null when it never played anything. */
  readonly firstAtMs: number | null;
}

/** Plays `p` of the period; a range of the index by account and time. */
const playsOf = ({ userId, fromMs, untilMs }: ListeningPeriod): RawBuilder<unknown> =>
  sql`playback.play p where p.user_id = ${userId} and not p.skipped and p.at_ms >= ${fromMs}::bigint and p.at_ms < ${untilMs}::bigint`;

/** True for songs `h` that the account played before the period. */
const heardBefore = ({ userId, fromMs }: ListeningPeriod): RawBuilder<boolean> =>
  sql`exists (select from playback.play e where e.user_id = ${userId} and e.song_id = h.song_id and not e.skipped and e.at_ms < ${fromMs}::bigint)`;

/** Hours in which something was heard, in their order. @param timeZone of the IANA, such as `Europe/Berlin` */
export const listeningHours = async (db: ReadDatabase, period: ListeningPeriod, timeZone: string): Promise<ListeningHour[]> => {
  const { rows } = await sql<ListeningHour>`
    select to_char(h.hour, 'YYYY-MM-DD') as day, extract(hour from h.hour)::int as hour,
      sum(h.plays)::int as plays, coalesce(sum(h.plays * s.duration_ms), 0)::float8 as "durationMs"
    from (
      select date_trunc('hour', to_timestamp(p.at_ms / 1000.0) at time zone ${timeZone}) as hour, p.song_id, count(*) as plays
      from ${playsOf(period)} group by 1, 2
    ) h left join library.song s on s.id = h.song_id
    group by h.hour order by h.hour`.execute(db);
  return rows;
};

/** Numbers about a period that do not follow from its hours. */
export const listeningTotals = async (db: ReadDatabase, period: ListeningPeriod): Promise<ListeningTotals> => {
  const { rows } = await sql<ListeningTotals>`
    select count(*)::int as songs, (count(*) filter (where not ${heardBefore(period)}))::int as "newSongs",
      (select min(f.at_ms) from playback.play f where f.user_id = ${period.userId} and not f.skipped)::float8 as "firstAtMs"
    from (select distinct p.song_id from ${playsOf(period)}) h`.execute(db);
  return rows[0] ?? { songs: 0, newSongs: 0, firstAtMs: null };
};

/** Kinds of objects that are ranked by plays. */
export const heardKinds = ['song', 'album', 'artist'] as const;
export type HeardKind = (typeof heardKinds)[number];

/** An object and how it was heard in a period. */
export interface HeardObject {
  readonly id: number;
  readonly plays: number;
  readonly durationMs: number;
  /** First play in the period, epoch milliseconds. */
  readonly firstAtMs: number;
}

const things: Readonly<Record<HeardKind, { readonly id: RawBuilder<number>; readonly join: RawBuilder<unknown> }>> = {
  song: { id: sql`s.id`, join: sql`` },
  album: { id: sql`s.album_id`, join: sql`` },
  artist: { id: sql`sa.artist_id`, join: sql`join library.song_artist sa on sa.song_id = s.id` },
};

/**
 * Objects that were played most in a period, or, for `first`, songs that the account had never played before, the earliest first. What the viewer may not see is
 * left out.
 */
export const heardObjects = async (
  db: ReadDatabase,
  period: ListeningPeriod,
  { kind, order, limit, viewer }: { kind: HeardKind; order: 'frequent' | 'first'; limit: number; viewer: Viewer },
): Promise<HeardObject[]> => {
  const { id, join } = things[kind];
  const condition = order === 'first' ? sql`not ${heardBefore(period)}` : sql`true`;
  const sorting = order === 'first' ? sql`"firstAtMs", id` : sql`plays desc, "durationMs" desc, id`;
  const { rows } = await sql<HeardObject>`
    select ${id}::int as id, sum(h.plays)::int as plays, sum(h.plays * s.duration_ms)::float8 as "durationMs", min(h.first_at_ms)::float8 as "firstAtMs"
    from (select p.song_id, count(*) as plays, min(p.at_ms) as first_at_ms from ${playsOf(period)} group by p.song_id) h
      join library.song s on s.id = h.song_id and ${inVisibleCatalogs(viewer, sql`s.catalog_id`)} ${join}
    where ${condition} group by ${id} order by ${sorting} limit ${limit}`.execute(db);
  return rows;
};
