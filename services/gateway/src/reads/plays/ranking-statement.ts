import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { isListedFor } from '../visibility/playlist-access.js';
import { inVisibleCatalogs, type Viewer } from '../visibility/viewer.js';

/** Kinds of things that are ranked. */
export type RankedKind = 'song' | 'album' | 'album_disk' | 'artist' | 'video' | 'playlist' | 'podcast' | 'podcast_episode';

/**
 * By what they are ranked: most played within a window, or ever; latest played first, or last; best rated; latest made a favourite.
 */
export type Ranking = 'frequent' | 'popular' | 'recent' | 'forgotten' | 'highest' | 'flagged';

/** A ranking that is wanted. */
export interface RankingQuery {
  readonly kind: RankedKind;
  readonly ranking: Ranking;
  /** Account whose plays, ratings or favourites count; absent: all accounts. */
  readonly userId?: number;
  /** For `frequent`: plays since then count, epoch milliseconds. */
  readonly sinceMs?: number;
}

/** Disks of an album beyond this number share its last disk id (`albumDiskIdOf`). */
const MAX_DISK = 255;

/** Kinds whose plays are those of songs. */
type SungKind = Exclude<RankedKind, 'video' | 'podcast' | 'podcast_episode'>;

interface Kind {
  /** The things themselves, as `t`, and which of them are listed. */
  readonly things: RawBuilder<unknown>;
  readonly visible: (viewer: Viewer) => RawBuilder<SqlBool>;
}

const inCatalog = (viewer: Viewer): RawBuilder<SqlBool> => inVisibleCatalogs(viewer, sql`t.catalog_id`);

const kinds: Readonly<Record<RankedKind, Kind>> = {
  song: { things: sql`library.song t`, visible: inCatalog },
  album: {
    things: sql`library.album t`,
    visible: (viewer) => sql<SqlBool>`t.song_count > 0 and ${inCatalog(viewer)}`,
  },
  album_disk: {
    things: sql`library.album_disk t`,
    visible: inCatalog,
  },
  video: { things: sql`library.video t`, visible: inCatalog },
  podcast: { things: sql`library.podcast t`, visible: inCatalog },
  podcast_episode: { things: sql`library.podcast_episode t`, visible: inCatalog },
  playlist: {
    things: sql`library.playlist t`,
    visible: (viewer) => isListedFor(viewer.userId),
  },
  artist: {
    things: sql`library.artist t`,
    visible: (viewer) =>
      viewer.catalogs === 'all'
        ? sql<SqlBool>`t.song_count > 0 or t.album_count > 0`
        : sql<SqlBool>`exists (select from library.artist_catalog ac where ac.artist_id = t.id and ${inVisibleCatalogs(viewer, sql`ac.catalog_id`)})`,
  },
};

/** The thing that a played song `s` belongs to, and the joins that lead there. */
const songThings: Readonly<Record<SungKind, { readonly id: RawBuilder<number>; readonly join: RawBuilder<unknown> }>> = {
  song: { id: sql`s.id`, join: sql`` },
  album: { id: sql`s.album_id`, join: sql`` },
  album_disk: { id: sql`s.album_id * ${sql.lit(MAX_DISK + 1)} + least(s.disk, ${sql.lit(MAX_DISK)})`, join: sql`` },
  // Plays from playlists are not counted.
  playlist: { id: sql`null::bigint`, join: sql`and false` },
  artist: { id: sql`sa.artist_id`, join: sql`join library.song_artist sa on sa.song_id = p.song_id` },
};

/** The thing `t` that a row `p` of media plays belongs to. */
const mediaThings: Readonly<Record<Exclude<RankedKind, SungKind>, { readonly objectType: string; readonly join: RawBuilder<unknown> }>> = {
  video: { objectType: 'video', join: sql`join library.video t on t.id = p.object_id` },
  podcast_episode: { objectType: 'podcast_episode', join: sql`join library.podcast_episode t on t.id = p.object_id` },
  podcast: {
    objectType: 'podcast_episode',
    join: sql`join library.podcast_episode e on e.id = p.object_id join library.podcast t on t.id = e.podcast_id`,
  },
};

/** True for kinds whose plays are not those of songs. */
export const isMedia = (kind: RankedKind): kind is keyof typeof mediaThings => Object.hasOwn(mediaThings, kind);

/** Plays by song: `song_id`, how many, and the latest. What is summed up by something larger anyway is not summed up by song before. */
const playedSongs = ({ kind, ranking, userId, sinceMs = 0 }: RankingQuery): RawBuilder<unknown> => {
  if (ranking === 'frequent') {
    const byUser = userId === undefined ? sql`` : sql`and user_id = ${userId}`;
    const rows = sql`from playback.play where at_ms >= ${sinceMs} and not skipped ${byUser}`;
    return kind === 'song'
      ? sql`select song_id, count(*) as plays, max(at_ms) as at_ms ${rows} group by song_id`
      : sql`select song_id, 1 as plays, at_ms ${rows}`;
  }
  const columns = sql`song_id, play_count as plays, last_played_at_ms as at_ms`;
  return userId === undefined
    ? sql`select ${columns} from playback.song_plays where play_count > 0`
    : sql`select ${columns} from playback.user_song_plays where user_id = ${userId} and play_count > 0`;
};

const playOrders = {
  frequent: sql`x.plays desc, x.at_ms desc, x.id`,
  popular: sql`x.plays desc, x.at_ms desc, x.id`,
  recent: sql`x.at_ms desc, x.id`,
  forgotten: sql`x.at_ms, x.id`,
} as const;

/** Songs that are seen, as `s`: for somebody who sees all of them an index alone answers, without the wide rows. */
const songs = (viewer: Viewer): RawBuilder<unknown> =>
  sql`(select id, album_id, disk from library.song where ${inVisibleCatalogs(viewer, sql`catalog_id`)}) s`;

/** Media played before and in the window count in full: single plays of media are not stored. */
const byMediaPlays = (
  query: RankingQuery & { readonly kind: keyof typeof mediaThings },
  viewer: Viewer,
  order: RawBuilder<unknown>,
): RawBuilder<unknown> => {
  const { objectType, join } = mediaThings[query.kind];
  const byUser = query.userId === undefined ? sql`` : sql`and p.user_id = ${query.userId}`;
  const since = query.ranking === 'frequent' ? sql`and p.last_played_at_ms >= ${query.sinceMs ?? 0}::bigint` : sql``;
  const things = sql`select t.id, sum(p.play_count) as plays, max(p.last_played_at_ms) as at_ms from playback.media_plays p ${join}
    where p.object_type = ${objectType} and p.play_count > 0 ${byUser} ${since} and ${inCatalog(viewer)} group by t.id`;
  return sql`select x.id from (${things}) x order by ${order}`;
};

const byPlays = ({ kind, ...rest }: RankingQuery, viewer: Viewer, order: RawBuilder<unknown>): RawBuilder<unknown> => {
  if (isMedia(kind)) return byMediaPlays({ kind, ...rest }, viewer, order);
  const query = { kind, ...rest };
  const { id, join } = songThings[kind];
  const rows = sql`from (${playedSongs(query)}) p join ${songs(viewer)} on s.id = p.song_id ${join}`;
  const things =
    query.kind === 'song'
      ? sql`select s.id, p.plays, p.at_ms ${rows}`
      : sql`select ${id} as id, sum(p.plays) as plays, max(p.at_ms) as at_ms ${rows} group by 1`;
  return sql`select x.id from (${things}) x order by ${order}`;
};

const byOpinion = ({ kind, ranking, userId }: RankingQuery, viewer: Viewer): RawBuilder<unknown> => {
  const { things, visible } = kinds[kind];
  const ofThing = sql`join ${things} on t.id = o.object_id where o.kind = ${kind} and (${visible(viewer)})`;
  if (ranking === 'flagged')
    return sql`select o.object_id as id from social.user_flag o ${ofThing} and o.user_id = ${userId ?? viewer.userId} order by o.flagged_at_ms desc, o.object_id desc`;
  if (userId !== undefined)
    return sql`select o.object_id as id from social.rating o ${ofThing} and o.user_id = ${userId} order by o.rating desc, o.rated_at_ms desc, o.object_id`;
  return sql`select o.object_id as id from social.rating_average o ${ofThing} and o.rating_count > 0
    order by o.rating_sum::float8 / o.rating_count desc, o.rating_count desc, o.object_id`;
};

/** The statement that gives the ids of a ranking in order, as one array. */
export const rankingStatement = (query: RankingQuery, viewer: Viewer): RawBuilder<{ ids: string | null }> => {
  const { ranking } = query;
  const ids = ranking === 'highest' || ranking === 'flagged' ? byOpinion(query, viewer) : byPlays(query, viewer, playOrders[ranking]);
  return sql<{ ids: string | null }>`select array_agg(r.id)::text as ids from (${ids}) r`;
};
