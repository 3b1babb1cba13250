import { LRUCache } from 'lru-cache';
import type { PlaylistMemberKind, SongDocument } from '@continuo/contracts';
import { sql, type RawBuilder } from 'kysely';
import type { ReadDatabase } from '../database/database.js';
import { IdList, parseIds } from '../lists/id-list.js';
import { ListCache } from '../lists/list-cache.js';
import { readVersions } from '../lists/lists.js';
import { inVisibleCatalogs, type Viewer } from '../visibility/viewer.js';
import { atMost } from '../../server/at-most.js';
import { isOneOf } from '../database/id-condition.js';

/** A playlist as far as it decides what is in it. */
export interface PlaylistState {
  readonly id: number;
  /** Counts the changes of its members. */
  readonly revision: number;
}

/** Count, duration and picture of a playlist's songs. */
export interface PlaylistSums {
  readonly songCount: number;
  readonly durationMs: number;
  /** The picture that stands for the list: that of its first song which has one. */
  readonly artHash: string | null;
}

/** Room for the ids of the songs of lists that were opened lately. */
const LISTS_BYTES = 32 * 1024 * 1024;
const KEPT_SUMS = 20_000;
/** A list whose first so many songs have no picture has none. */
const SONGS_WITH_ART = 100;

interface KeptSums extends PlaylistSums {
  readonly revision: number;
  readonly catalogue: string;
}

interface Kept {
  readonly songs: ListCache;
  readonly sums: LRUCache<string, KeptSums>;
}

// What is kept belongs to the read model that it was read from.
const keptBy = new WeakMap<ReadDatabase, Kept>();
const keptOf = (db: ReadDatabase): Kept => {
  const known = keptBy.get(db) ?? { songs: new ListCache(LISTS_BYTES), sums: new LRUCache(atMost(KEPT_SUMS)) };
  keptBy.set(db, known);
  return known;
};

/** Member of a playlist as administrators see it. */
export interface ManagedMember {
  /** Order within the list; has gaps. */
  readonly rank: number;
  readonly kind: PlaylistMemberKind;
  readonly objectId: number;
  /** Null for what is no song, and for a song that is gone. */
  readonly song: { readonly document: SongDocument; readonly root: string } | null;
}

/** Page of the members of a list in its order, behind a rank: for administrators, to whom songs of catalogs that they do not see are gone. */
export const managedMembersAfter = async (
  db: ReadDatabase,
  viewer: Viewer,
  { playlistId, afterRank, limit }: { readonly playlistId: number; readonly afterRank: number; readonly limit: number },
): Promise<ManagedMember[]> => {
  const rows = await db
    .selectFrom('library.playlist_member as m')
    .leftJoin('library.song as s', (join) =>
      join
        .onRef('s.id', '=', 'm.object_id')
        .on('m.object_kind', '=', 'song')
        .on(inVisibleCatalogs(viewer, sql`s.catalog_id`)),
    )
    .leftJoin('library.catalog as c', 'c.id', 's.catalog_id')
    .select(['m.rank', 'm.object_kind as kind', 'm.object_id as objectId', 's.doc', 'c.path as root'])
    .where('m.playlist_id', '=', playlistId)
    .where('m.rank', '>', afterRank)
    .orderBy('m.rank')
    .limit(limit)
    .execute();
  return rows.map(({ doc, root, ...member }) => ({
    ...member,
    song: doc === null || root === null ? null : { document: JSON.parse(doc) as SongDocument, root },
  }));
};

/** Songs of lists that the viewer may see: `m` is the member, `s` the song. Whoever asks has decided that the viewer may open the lists. */
const visibleMembers = (viewer: Viewer): RawBuilder<unknown> =>
  sql`library.playlist_member m join library.song s on s.id = m.object_id and m.object_kind = 'song' and ${inVisibleCatalogs(viewer, sql`s.catalog_id`)}`;

/**
 * The songs of a playlist in its order, those that the viewer may see; one that stands in it twice comes twice. Whoever asks has decided that the viewer may open it. They are kept
 * until the list or the catalogue changes.
 */
export const playlistSongIds = async (db: ReadDatabase, { id, revision }: PlaylistState, viewer: Viewer): Promise<IdList> => {
  const { catalogue } = await readVersions(db, false);
  const read = async (): Promise<IdList> => {
    const { rows } = await sql<{ ids: string | null }>`
      select array_agg(x.id)::text as ids from (select s.id from ${visibleMembers(viewer)} where m.playlist_id = ${id} order by m.rank) x`.execute(
      db,
    );
    return new IdList(parseIds(rows[0]?.ids ?? null));
  };
  return keptOf(db).songs.get(JSON.stringify([id, viewer.catalogs]), `${revision} ${catalogue}`, read, true);
};

interface SumsRow {
  readonly id: number;
  readonly songCount: number;
  readonly durationMs: number;
  readonly artHash: string | null;
}

const readSums = async (db: ReadDatabase, ids: readonly number[], viewer: Viewer): Promise<SumsRow[]> => {
  if (ids.length === 0) return [];
  const { rows } = await sql<SumsRow>`
    select w.id, n.songs as "songCount", n.duration_ms as "durationMs", a.art_hash as "artHash" from unnest(${[...ids]}::int[]) as w(id)
    cross join lateral (
      select count(*)::int as songs, coalesce(sum(s.duration_ms), 0)::float8 as duration_ms from ${visibleMembers(viewer)} where m.playlist_id = w.id) n
    left join lateral (
      select coalesce(f.art_hash, al.art_hash) as art_hash
      from (select s.art_hash, s.album_id, m.rank from ${visibleMembers(viewer)} where m.playlist_id = w.id order by m.rank limit ${sql.lit(SONGS_WITH_ART)}) f
      left join library.album al on al.id = f.album_id
      where coalesce(f.art_hash, al.art_hash) is not null order by f.rank limit 1) a on true`.execute(db);
  return rows;
};

/**
 * Reads count, duration and picture of the songs of some playlists. The caller has checked that the viewer may open them. Sums are cached
 * until the list or the catalogue changes, so that a page of lists is summed up once.
 */
export const playlistSums = async (
  db: ReadDatabase,
  playlists: readonly PlaylistState[],
  viewer: Viewer,
): Promise<(id: number) => PlaylistSums> => {
  const { sums } = keptOf(db);
  const { catalogue } = await readVersions(db, false);
  const catalogs = JSON.stringify(viewer.catalogs);
  const known = new Map<number, PlaylistSums>();
  const revisions = new Map(playlists.map(({ id, revision }) => [id, revision]));
  for (const [id, revision] of revisions) {
    const kept = sums.get(`${id} ${catalogs}`);
    if (kept?.revision === revision && kept.catalogue === catalogue) known.set(id, kept);
  }
  const unknown = [...revisions.keys()].filter((id) => !known.has(id));
  for (const { id, ...read } of await readSums(db, unknown, viewer)) {
    known.set(id, read);
    sums.set(`${id} ${catalogs}`, { ...read, revision: revisions.get(id) ?? 0, catalogue });
  }
  return (id) => known.get(id) ?? { songCount: 0, durationMs: 0, artHash: null };
};

/** A member of a list as a client sees it. */
export interface SeenMember {
  /** Number of the member within its list, for life. */
  readonly entry: number;
  readonly objectId: number;
}

/** All songs of a list that the viewer may see, in order, by entry: position n is the n-th of them. */
export const seenMembers = async (
  db: ReadDatabase,
  playlistId: number,
  viewer: Viewer,
): Promise<{ entries: Int32Array; songIds: Int32Array }> => {
  const { rows } = await sql<{ entries: string | null; ids: string | null }>`
    select array_agg(x.entry)::text as entries, array_agg(x.id)::text as ids
    from (select m.entry, s.id from ${visibleMembers(viewer)} where m.playlist_id = ${playlistId} order by m.rank) x`.execute(db);
  return { entries: parseIds(rows[0]?.entries ?? null), songIds: parseIds(rows[0]?.ids ?? null) };
};

/** The member at a position, from 1, among those that the viewer may see. */
export const memberAt = async (db: ReadDatabase, playlistId: number, position: number, viewer: Viewer): Promise<SeenMember | undefined> => {
  const { rows } = await sql<SeenMember>`
    select m.entry, m.object_id as "objectId" from ${visibleMembers(viewer)} where m.playlist_id = ${playlistId} order by m.rank offset ${position - 1} limit 1`.execute(
    db,
  );
  return rows[0];
};

/** The first member that is this song, if the viewer may see it. */
export const memberOf = async (db: ReadDatabase, playlistId: number, songId: number, viewer: Viewer): Promise<SeenMember | undefined> => {
  const { rows } = await sql<SeenMember>`
    select m.entry, m.object_id as "objectId" from ${visibleMembers(viewer)} where m.playlist_id = ${playlistId} and m.object_id = ${songId} order by m.rank limit 1`.execute(
    db,
  );
  return rows[0];
};

/** The entries of a list by artist, album, disk, track and title of what stands there; what the viewer does not see follows, as it was. */
export const entriesByArtist = async (db: ReadDatabase, playlistId: number, viewer: Viewer): Promise<number[]> => {
  const { rows } = await sql<{ entries: string | null }>`
    select array_agg(m.entry order by ar.name_sort, al.name_sort, s.album_id, s.disk, s.track, s.title_sort, m.rank)::text as entries
    from ${visibleMembers(viewer)} left join library.artist ar on ar.id = s.artist_id left join library.album al on al.id = s.album_id
    where m.playlist_id = ${playlistId}`.execute(db);
  return Array.from(parseIds(rows[0]?.entries ?? null));
};

/** Those of some songs that the viewer may see, in the order in which they were named, as often as they were. */
export const visibleSongs = async (db: ReadDatabase, ids: readonly number[], viewer: Viewer): Promise<number[]> => {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ ids: string | null }>`
    select array_agg(s.id)::text as ids from library.song s where ${isOneOf(sql<number>`s.id`, [...new Set(ids)])} and ${inVisibleCatalogs(viewer, sql`s.catalog_id`)}`.execute(
    db,
  );
  const seen = new Set(parseIds(rows[0]?.ids ?? null));
  return ids.filter((id) => seen.has(id));
};

/** The songs of some playlists as {@link playlistSongIds} gives those of one, by one statement. Whoever asks has decided that the viewer may open them. */
export const songIdsByPlaylist = async (db: ReadDatabase, ids: readonly number[], viewer: Viewer): Promise<(id: number) => Int32Array> => {
  if (ids.length === 0) return () => NOTHING;
  const { rows } = await sql<{ id: number; ids: string | null }>`
    select w.id, array(select s.id from ${visibleMembers(viewer)} where m.playlist_id = w.id order by m.rank)::text as ids from unnest(${[...ids]}::int[]) as w(id)`.execute(
    db,
  );
  const byList = new Map(rows.map((row) => [row.id, parseIds(row.ids)]));
  return (id) => byList.get(id) ?? NOTHING;
};

const NOTHING = new Int32Array(0);
