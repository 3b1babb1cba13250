import { sortKey } from '@continuo/contracts';
import { sql } from 'kysely';
import { annotationsOf, type Annotations } from '../people/annotations.reads.js';
import type { ReadDatabase } from '../database/database.js';
import { mayOpen, type ListTerms } from '../visibility/playlist-access.js';
import { playlistSums, type PlaylistSums } from './playlist-songs.reads.js';
import { inOrder } from '../songs/songs.reads.js';
import type { Viewer } from '../visibility/viewer.js';
import { isOneOf } from '../database/id-condition.js';

/** A playlist without what is in it. */
export interface PlaylistRecord extends ListTerms {
  readonly id: number;
  readonly name: string;
  /** Comment of the owner; may be empty. */
  readonly comment: string;
  /** Counts the changes of its members. */
  readonly revision: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** A playlist or a smartlist as a viewer sees it: they share one shape. */
export interface PlaylistView extends ListTerms, PlaylistSums {
  /** `search` is a smartlist. */
  readonly kind: 'playlist' | 'search';
  readonly id: number;
  readonly name: string;
  /** Comment of the owner; may be empty. Smartlists have none. */
  readonly comment?: string;
  /** Name of the account; empty when it is gone, `System` for a list of nobody. */
  readonly owner: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly annotations: Annotations;
}

/** Owner name of lists without an owner. */
export const SYSTEM_OWNER = 'System';

const records = (db: ReadDatabase) =>
  db
    .selectFrom('library.playlist as t')
    .select([
      't.id',
      't.name',
      't.comment',
      't.owner_id as ownerId',
      't.is_public as isPublic',
      't.collaborator_ids as collaboratorIds',
      't.revision',
    ])
    .select(['t.created_at_ms as createdAtMs', 't.updated_at_ms as updatedAtMs']);

/** A playlist whoever asks: for whoever decides then what the caller may do with it. */
export const playlistRecord = (db: ReadDatabase, id: number): Promise<PlaylistRecord | undefined> =>
  records(db).where('t.id', '=', id).executeTakeFirst();

/** A playlist as administrators see it. */
export interface ManagedPlaylist extends PlaylistRecord {
  /** All members, whether they are there at the moment or not. */
  readonly memberCount: number;
}

const managed = (db: ReadDatabase) => records(db).select('t.member_count as memberCount');

/** The playlist of a number, for administrators. */
export const managedPlaylistById = (db: ReadDatabase, id: number): Promise<ManagedPlaylist | undefined> =>
  managed(db).where('t.id', '=', id).executeTakeFirst();

/** Page of all playlists by sort key and number, behind those of the page before: for administrators. */
export const managedPlaylistsAfter = (
  db: ReadDatabase,
  {
    after,
    name,
    limit,
  }: { readonly after: { readonly key: string; readonly id: number }; readonly name?: string | undefined; readonly limit: number },
): Promise<ManagedPlaylist[]> =>
  managed(db)
    .where(sql<boolean>`(t.name_sort, t.id) > (${after.key} collate "C", ${after.id}::bigint)`)
    .$if(name !== undefined, (all) => all.where('t.name_sort', '=', sortKey(name ?? '')))
    .orderBy('t.name_sort')
    .orderBy('t.id')
    .limit(limit)
    .execute();

/** Playlists by id that the viewer may open, in the order of the ids. */
export const playlistsByIds = async (db: ReadDatabase, ids: ArrayLike<number>, viewer: Viewer): Promise<PlaylistView[]> => {
  if (ids.length === 0) return [];
  const reading = records(db)
    .leftJoin('social.user as u', 'u.id', 't.owner_id')
    .select('u.username')
    .where(isOneOf(sql<number>`t.id`, ids))
    .where(mayOpen(viewer))
    .execute();
  const [rows, annotationOf] = await Promise.all([reading, annotationsOf(db, viewer, 'playlist', ids)]);
  const sumsOf = await playlistSums(db, rows, viewer);
  return inOrder(ids, rows).map(({ username, revision: _, ...row }) => ({
    ...row,
    ...sumsOf(row.id),
    kind: 'playlist',
    owner: row.ownerId === null ? SYSTEM_OWNER : (username ?? ''),
    annotations: annotationOf(row.id),
  }));
};

/** An account's own playlist of exactly this name, the oldest of several. */
export const ownPlaylistNamed = async (db: ReadDatabase, userId: number, name: string): Promise<number | undefined> => {
  const row = await db
    .selectFrom('library.playlist as t')
    .select('t.id')
    .where('t.owner_id', '=', userId)
    .where('t.name', '=', name)
    .orderBy('t.id')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
};

/** The picture of a playlist: null when it has none, undefined when there is no such list for the viewer. */
export const playlistArt = async (db: ReadDatabase, id: number, viewer: Viewer): Promise<string | null | undefined> => {
  const row = await records(db).where('t.id', '=', id).where(mayOpen(viewer)).executeTakeFirst();
  return row && (await playlistSums(db, [row], viewer))(id).artHash;
};

/** Those of some playlists that the viewer may open. */
export const openPlaylists = async (db: ReadDatabase, ids: readonly number[], viewer: Viewer): Promise<number[]> => {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('library.playlist as t')
    .select('t.id')
    .where(isOneOf(sql<number>`t.id`, ids))
    .where(mayOpen(viewer))
    .execute();
  return rows.map(({ id }) => id);
};
