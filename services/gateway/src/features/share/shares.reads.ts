import type { SharedKind } from '@continuo/contracts';
import { sql } from 'kysely';
import type { ReadDatabase } from '../../reads/database/database.js';
import { namesByIds } from '../../kinds/names.reads.js';
import { ownOrAdministered } from '../../reads/visibility/ownership.js';
import { mayOpen } from '../../reads/visibility/playlist-access.js';
import { LATEST_FIRST } from '../../reads/podcasts/podcasts.reads.js';
import { diskIdOf } from '../../reads/library/album-disks.reads.js';
import { grouped, inOrder } from '../../reads/songs/songs.reads.js';
import { inVisibleCatalogs, type Viewer } from '../../reads/visibility/viewer.js';
import { isOneOf } from '../../reads/database/id-condition.js';

/** A share as its row has it. The secret is sealed. */
export interface ShareRecord {
  readonly id: number;
  readonly userId: number;
  readonly kind: SharedKind;
  readonly objectIds: readonly number[];
  readonly description: string;
  readonly allowStream: boolean;
  readonly allowDownload: boolean;
  readonly createdAtMs: number;
  /** Null: never. */
  readonly expiresAtMs: number | null;
  /** 0: no limit. */
  readonly maxVisits: number;
  readonly visitCount: number;
  readonly lastVisitedAtMs: number | null;
  readonly secretSha256: string;
  readonly sealedSecret: string;
}

/** A share as its owner and administrators see it. */
export interface ShareView extends ShareRecord {
  /** Name of the account; empty when it is gone. */
  readonly owner: string;
  /** Name of what is shared, of several things the first; empty when it is gone or hidden. */
  readonly name: string;
}

const A_DAY_MS = 86_400_000;

/** Days from the making of a share to its end, begun days whole; 0: it never ends. */
export const expireDays = ({ createdAtMs, expiresAtMs }: Pick<ShareRecord, 'createdAtMs' | 'expiresAtMs'>): number =>
  expiresAtMs === null ? 0 : Math.max(1, Math.ceil((expiresAtMs - createdAtMs) / A_DAY_MS));

/** When a share ends that is to last some days; null for 0 days: never. */
export const expiryOf = (days: number, createdAtMs: number): number | null => (days === 0 ? null : createdAtMs + days * A_DAY_MS);

const shares = (db: ReadDatabase) =>
  db
    .selectFrom('social.share as t')
    .select(['t.id', 't.user_id as userId', 't.kind', 't.object_ids as objectIds', 't.description'])
    .select(['t.allow_stream as allowStream', 't.allow_download as allowDownload', 't.created_at_ms as createdAtMs'])
    .select(['t.expires_at_ms as expiresAtMs', 't.max_visits as maxVisits', 't.visit_count as visitCount'])
    .select(['t.last_visited_at_ms as lastVisitedAtMs', 't.secret_sha256 as secretSha256', 't.sealed_secret as sealedSecret']);

const namesOf = async (db: ReadDatabase, rows: readonly ShareRecord[], viewer: Viewer): Promise<(row: ShareRecord) => string> => {
  const keyOf = ({ kind, objectIds }: ShareRecord): string => `${kind}/${objectIds[0] ?? 0}`;
  const names = new Map<string, string>();
  for (const [kind, ofKind] of Map.groupBy(rows, (row) => row.kind)) {
    const ids = [...new Set(ofKind.map(({ objectIds }) => objectIds[0] ?? 0))];
    for (const { id, name } of await namesByIds(db, kind, ids, viewer)) names.set(`${kind}/${id}`, name);
  }
  return (row) => names.get(keyOf(row)) ?? '';
};

/** Shares by id, in the order of the ids: the viewer's own, for administrators everybody's; all others are left out. */
export const sharesByIds = async (db: ReadDatabase, ids: ArrayLike<number>, viewer: Viewer): Promise<ShareView[]> => {
  if (ids.length === 0) return [];
  const rows = await shares(db)
    .leftJoin('social.user as u', 'u.id', 't.user_id')
    .select('u.username as owner')
    .where(isOneOf(sql<number>`t.id`, ids))
    .where(ownOrAdministered(viewer, sql`t.user_id`))
    .execute();
  const nameOf = await namesOf(db, rows, viewer);
  return inOrder(ids, rows).map((row) => ({ ...row, owner: row.owner ?? '', name: nameOf(row) }));
};

/** A share whoever asks: for the door that visitors come to with its secret, and for nothing else. */
export const shareForVisitors = (db: ReadDatabase, id: number): Promise<ShareRecord | undefined> =>
  shares(db).where('t.id', '=', id).executeTakeFirst();

/** As many songs of one share are shown. */
export const SHOWN_SONGS = 500;

/** Ids of the songs of some shares, by share: of songs and playlists in their order, else by album, disk and track; at most {@link SHOWN_SONGS} of each. */
export const songIdsByShare = async (db: ReadDatabase, shareIds: ArrayLike<number>, viewer: Viewer): Promise<Map<number, number[]>> => {
  const limit = sql.lit(SHOWN_SONGS);
  const shared = sql`unnest(s.object_ids) with ordinality o(id, place)`;
  const seen = inVisibleCatalogs(viewer, sql`so.catalog_id`);
  const placed = sql`select so.id, o.place, so.album_id, so.disk, so.track`;
  const { rows } = await sql<{ id: number; ownerId: number }>`
    select s.id as "ownerId", p.id from social.share s
    cross join lateral (
      (select so.id, o.place, 0 as album_id, 0 as disk, 0 as track from ${shared} join library.song so on so.id = o.id
        where s.kind = 'song' and ${seen} order by o.place limit ${limit})
      union all
      (${placed} from ${shared} join library.song so on so.album_id = o.id
        where s.kind = 'album' and ${seen} order by o.place, so.disk, so.track, so.id limit ${limit})
      union all
      (${placed} from ${shared} join library.song so on so.album_id = o.id / 256 and ${diskIdOf(sql`so`)} = o.id
        where s.kind = 'album_disk' and ${seen} order by o.place, so.disk, so.track, so.id limit ${limit})
      union all
      (${placed} from ${shared} join library.song_artist sa on sa.artist_id = o.id join library.song so on so.id = sa.song_id
        where s.kind = 'artist' and ${seen} order by o.place, sa.song_id limit ${limit})
      union all
      (select so.id, o.place, 0, 0, m.rank from ${shared} join library.playlist p on p.id = o.id
        join library.playlist_member m on m.playlist_id = p.id and m.object_kind = 'song' join library.song so on so.id = m.object_id
        where s.kind = 'playlist' and ${mayOpen(viewer, 'p')} and ${seen} order by o.place, m.rank limit ${limit})
    ) p
    where ${isOneOf(sql<number>`s.id`, shareIds)}
    order by s.id, p.place, p.album_id, p.disk, p.track, p.id`.execute(db);
  return grouped(rows);
};

/** Ids of the episodes of some shares, by share: as they were named, of podcasts the newest; at most {@link SHOWN_SONGS} of each. */
export const episodeIdsByShare = async (
  db: ReadDatabase,
  owners: readonly Pick<ShareRecord, 'id' | 'kind' | 'objectIds'>[],
  viewer: Viewer,
): Promise<Map<number, readonly number[]>> => {
  const found = new Map<number, readonly number[]>();
  for (const { id, kind, objectIds } of owners) if (kind === 'podcast_episode') found.set(id, objectIds.slice(0, SHOWN_SONGS));
  const ofPodcasts = owners.filter(({ kind }) => kind === 'podcast').map(({ id }) => id);
  if (ofPodcasts.length === 0) return found;
  const { rows } = await sql<{ id: number; ownerId: number }>`
    select s.id as "ownerId", e.id from social.share s
    cross join lateral (select e.id, e.published_at_ms from library.podcast_episode e
      where e.podcast_id = any(s.object_ids) and ${inVisibleCatalogs(viewer, sql`e.catalog_id`)}
      order by ${LATEST_FIRST} limit ${sql.lit(SHOWN_SONGS)}) e
    where ${isOneOf(sql<number>`s.id`, ofPodcasts)} and s.kind = 'podcast'
    order by s.id, ${LATEST_FIRST}`.execute(db);
  for (const [id, ids] of grouped(rows)) found.set(id, ids);
  return found;
};

/** True for a song that belongs to a share, seen or not; a playlist only belongs to it as long as the viewer may open it. */
export const shareHolds = async (db: ReadDatabase, shareId: number, songId: number, viewer: Viewer): Promise<boolean> => {
  const { rows } = await sql`select from social.share s join library.song so on so.id = ${songId}
    where s.id = ${shareId} and case s.kind
      when 'song' then so.id = any(s.object_ids)
      when 'album' then so.album_id = any(s.object_ids)
      when 'album_disk' then ${diskIdOf(sql`so`)} = any(s.object_ids)
      when 'artist' then exists (select from library.song_artist sa where sa.song_id = so.id and sa.artist_id = any(s.object_ids))
      when 'playlist' then exists (select from library.playlist p join library.playlist_member m on m.playlist_id = p.id
        where p.id = any(s.object_ids) and ${mayOpen(viewer, 'p')} and m.object_kind = 'song' and m.object_id = so.id)
      else false end`.execute(db);
  return rows.length > 0;
};
