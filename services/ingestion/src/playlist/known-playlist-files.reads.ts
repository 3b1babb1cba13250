import { usernameKey, type CatalogId, type PlaylistFileTable, type ReadModel, type UserId } from '@continuo/contracts';
import type { Kysely } from 'kysely';

/** Row of a playlist file in the read model, without the entries that lack a song. */
export type KnownPlaylistFile = Omit<PlaylistFileTable, 'unmatched' | 'updated_at_ms' | 'message'>;

/** All playlist files of a catalog that were read before, by path. */
export const knownPlaylistFiles = async (db: Kysely<ReadModel>, catalogId: CatalogId): Promise<Map<string, KnownPlaylistFile>> => {
  const rows = await db
    .selectFrom('ingestion.playlist_file')
    .select(['catalog_id', 'path', 'digest', 'size_bytes', 'mtime_ms', 'outcome', 'playlist_id', 'revision', 'entry_count', 'song_count'])
    .where('catalog_id', '=', catalogId)
    .execute();
  return new Map(rows.map((row) => [row.path, row]));
};

/** The revision of a list; undefined when there is none of that number. */
export const revisionOf = async (db: Kysely<ReadModel>, playlistId: number): Promise<number | undefined> =>
  (await db.selectFrom('library.playlist').select('revision').where('id', '=', playlistId).executeTakeFirst())?.revision;

/** The revision of a list that holds just these songs; undefined when it holds others. */
export const revisionWithSongs = async (
  db: Kysely<ReadModel>,
  playlistId: number,
  songIds: readonly number[],
): Promise<number | undefined> => {
  const before = await revisionOf(db, playlistId);
  const members = await db
    .selectFrom('library.playlist_member')
    .select(['object_id', 'object_kind'])
    .where('playlist_id', '=', playlistId)
    .orderBy('rank')
    .execute();
  const isSo = members.length === songIds.length && members.every((one, at) => one.object_kind === 'song' && one.object_id === songIds[at]);
  // Read again behind the members: a list that moved on meanwhile is another one.
  return isSo && before === (await revisionOf(db, playlistId)) ? before : undefined;
};

/** The account of a name, in any case. */
export const accountNamed = async (db: Kysely<ReadModel>, name: string): Promise<UserId | undefined> =>
  (await db.selectFrom('social.user').select('id').where('username_key', '=', usernameKey(name)).executeTakeFirst())?.id as
    | UserId
    | undefined;
