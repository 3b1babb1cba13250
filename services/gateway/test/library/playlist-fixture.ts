import type { InMemoryCommandClient } from '@continuo/chassis/testkit';
import {
  addPlaylistMembers,
  changePlaylist,
  clearPlaylist,
  createPlaylist,
  deletePlaylist,
  orderPlaylist,
  playlistId,
  removePlaylistMembers,
  replacePlaylistMembers,
  sortKey,
  type PlaylistTable,
  type ReadModel,
} from '@continuo/contracts';
import type { Kysely } from 'kysely';

/** When the first playlist of the fixtures was made, 2024-05-25T12:00:00Z; each one more came a minute later. */
export const FIRST_LISTED_MS = Date.UTC(2024, 4, 25, 12);
const MINUTE_MS = 60_000;
/** A song that is gone. */
const GONE = 999;

/** Answers the commands about playlists and changes nothing, so that documents stay the same: what is made is the second list of the fixtures. */
export const withPlaylists = (commands: InMemoryCommandClient): InMemoryCommandClient =>
  commands
    .handle(createPlaylist, async () => ({ result: { playlistId: playlistId.parse(2) }, positions: [] }))
    .handle(changePlaylist, async ({ data: { playlistId: _, places, ...terms } }) => ({
      result: { isChanged: places.length + Object.keys(terms).length > 0 },
      positions: [],
    }))
    .handle(addPlaylistMembers, async ({ data: { members, isUnique } }) => ({
      result: { added: isUnique ? 0 : members.reduce((sum, { objectIds }) => sum + objectIds.length, 0) },
      positions: [],
    }))
    .handle(removePlaylistMembers, async ({ data }) => ({ result: { removed: data.entries.length }, positions: [] }))
    .handle(clearPlaylist, async () => ({ result: {}, positions: [] }))
    .handle(orderPlaylist, async () => ({ result: {}, positions: [] }))
    .handle(replacePlaylistMembers, async () => ({ result: {}, positions: [] }))
    .handle(deletePlaylist, async () => ({ result: {}, positions: [] }));

/** Writes a playlist of songs into a read model of a test, as the projection of the library would. */
export const insertPlaylist = async (
  db: Kysely<ReadModel>,
  row: Pick<PlaylistTable, 'id' | 'name'> & Partial<PlaylistTable>,
  songIds: readonly number[],
): Promise<void> => {
  const madeAtMs = FIRST_LISTED_MS + row.id * MINUTE_MS;
  const usual = {
    owner_id: 1,
    is_public: false,
    comment: '',
    collaborator_ids: [],
    created_at_ms: madeAtMs,
    updated_at_ms: madeAtMs + MINUTE_MS,
    revision: 1,
    member_count: songIds.length,
  };
  await db
    .insertInto('library.playlist')
    .values({ name_sort: sortKey(row.name), ...usual, ...row })
    .execute();
  if (songIds.length === 0) return;
  const members = songIds.map((object_id, index) => ({
    playlist_id: row.id,
    entry: index + 1,
    rank: index + 1,
    object_kind: 'song' as const,
    object_id,
    added_at_ms: madeAtMs,
  }));
  await db.insertInto('library.playlist_member').values(members).execute();
};

/** A public list with a song twice and one that is gone, an empty private one, one of the second account, and one of the system. */
export const seedPlaylists = async (db: Kysely<ReadModel>): Promise<void> => {
  await insertPlaylist(db, { id: 1, name: 'The Long Way & <back>', is_public: true, comment: 'Slowly', collaborator_ids: [2] }, [
    2,
    1,
    GONE,
    2,
  ]);
  await insertPlaylist(db, { id: 2, name: 'Quiet' }, []);
  await insertPlaylist(db, { id: 3, name: 'Mine', owner_id: 2 }, [1]);
  await insertPlaylist(db, { id: 4, name: 'Overture', owner_id: null, is_public: true }, [3]);
};
