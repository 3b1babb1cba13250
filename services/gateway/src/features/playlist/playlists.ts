import {
  addPlaylistMembers,
  changePlaylist,
  clearPlaylist,
  createPlaylist,
  deletePlaylist,
  given,
  orderPlaylist,
  playlistId,
  Rejection,
  removePlaylistMembers,
  userId,
  type UserId,
} from '@continuo/contracts';
import { runAndAwaitReadModel, runCommand } from '../../server/commands.js';
import type { CallerWith } from '../../server/requests/request-context.js';
import { rightsOf, type ListRights, type ListTerms } from '../../reads/visibility/playlist-access.js';
import { entriesByArtist, memberAt, memberOf, seenMembers, type SeenMember } from '../../reads/playlists/playlist-songs.reads.js';
import { playlistRecord, type PlaylistRecord } from '../../reads/playlists/playlists.reads.js';
import type { Viewer } from '../../reads/visibility/viewer.js';
import type { HasReadModel } from '../../reads/database/database.js';
import type { HasPreferences } from '../../preferences/preferences.js';
import type { HasCommands, HasConfig } from '../../server/needs.js';

/*
 * Changes of playlists for all APIs. Positions, which clients count among the songs that they see, are converted to entries here, which mean the same
 * member whatever others do to the list meanwhile.
 */

/** Caller that changes a list. */
export type Editor = CallerWith<HasReadModel & HasCommands & HasConfig & HasPreferences>;

/** @throws Rejection `access.level` when the viewer lacks the right */
export const requireRight = (viewer: Viewer, terms: ListTerms, right: keyof ListRights): void => {
  if (!rightsOf(viewer, terms)[right]) throw new Rejection('access.level', 'Require: 100', 'account');
};

/**
 * A list for which the viewer has a right; undefined when it does not exist or they may not open it, so that ids cannot be probed.
 * @throws Rejection `access.level` when the viewer may open it but lacks the right
 */
export const playlistWith = async (
  { services, viewer }: Pick<Editor, 'services' | 'viewer'>,
  id: number | undefined,
  right: keyof ListRights,
): Promise<PlaylistRecord | undefined> => {
  const record = id === undefined ? undefined : await playlistRecord(services.db, id);
  if (!record || !rightsOf(viewer, record).open) return undefined;
  requireRight(viewer, record, right);
  return record;
};

/** Creates a list of the caller with its first songs; returns its id. The caller sees the songs. */
export const makePlaylist = async (
  { services, context }: Editor,
  { name, isPublic, songIds = [] }: { readonly name: string; readonly isPublic: boolean; readonly songIds?: readonly number[] },
): Promise<number> => {
  const made = await runAndAwaitReadModel(
    services,
    context,
    { command: createPlaylist },
    {
      ownerId: userId.parse(context.caller.account.id),
      name,
      isPublic,
      members: songIds.length === 0 ? [] : [{ objectIds: [...songIds] }],
    },
  );
  return made.playlistId;
};

/** Deletes a list. */
export const endPlaylist = async ({ services, context }: Editor, id: number): Promise<void> => {
  await runCommand(services, context, deletePlaylist, { playlistId: playlistId.parse(id) });
};

/**
 * Appends songs that the caller sees; returns how many. Skips songs already in the list where the caller wants no duplicates.
 * @throws Rejection `playlist.full`
 */
export const addSongs = async (
  { services, context, viewer }: Editor,
  id: number,
  songIds: readonly number[],
  isUnique = false,
): Promise<number> => {
  if (songIds.length === 0) return 0;
  const added = await runCommand(services, context, addPlaylistMembers, {
    playlistId: playlistId.parse(id),
    members: [{ objectIds: [...songIds] }],
    isUnique: isUnique || (await services.preferences.current()).isOn(viewer.userId, 'unique_playlist'),
  });
  return added.added;
};

const removeEntries = async ({ services, context }: Editor, id: number, entries: readonly number[]): Promise<number> =>
  (await runCommand(services, context, removePlaylistMembers, { playlistId: playlistId.parse(id), entries: [...entries] })).removed;

const removed = async (editor: Editor, id: number, member: SeenMember | undefined): Promise<boolean> =>
  member !== undefined && (await removeEntries(editor, id, [member.entry])) > 0;

/** Removes the song at a position, from 1; false when there is none, or when somebody else has just removed it. */
export const removeAt = async (editor: Editor, id: number, position: number): Promise<boolean> =>
  removed(editor, id, await memberAt(editor.services.db, id, position, editor.viewer));

/** Removes the first occurrence of a song; false when it is not in the list. */
export const removeSong = async (editor: Editor, id: number, songId: number): Promise<boolean> =>
  removed(editor, id, await memberOf(editor.services.db, id, songId, editor.viewer));

/** Removes the songs at some positions, from 1, in one command; returns how many. Positions beyond the list are ignored. */
export const removePositions = async (editor: Editor, id: number, positions: readonly number[]): Promise<number> => {
  const { entries } = await seenMembers(editor.services.db, id, editor.viewer);
  const named = [...new Set(positions)].flatMap((position) => entries[position - 1] ?? []);
  return named.length === 0 ? 0 : removeEntries(editor, id, named);
};

/** Empties a list. */
export const emptyPlaylist = async ({ services, context }: Editor, id: number): Promise<void> => {
  await runCommand(services, context, clearPlaylist, { playlistId: playlistId.parse(id) });
};

/** Changes of a list; absent fields stay. */
export interface PlaylistChanges {
  readonly name?: string | undefined;
  readonly isPublic?: boolean | undefined;
  readonly comment?: string | undefined;
  /** Null: the system. */
  readonly ownerId?: UserId | null | undefined;
  readonly collaboratorIds?: UserId[] | undefined;
  /** Songs by their new position; they replace the present ones, positions beyond the last append. The caller sees them. */
  readonly places?: readonly { readonly position: number; readonly songId: number }[];
}

/**
 * Changes a list and its songs atomically; returns whether anything changed.
 * @throws Rejection `conflict` when somebody else has just removed a song at one of the positions
 */
export const editPlaylist = async (editor: Editor, id: number, { places = [], ...terms }: PlaylistChanges): Promise<boolean> => {
  const { services, context, viewer } = editor;
  const entries = places.length === 0 ? new Int32Array(0) : (await seenMembers(services.db, id, viewer)).entries;
  const changed = await runCommand(services, context, changePlaylist, {
    playlistId: playlistId.parse(id),
    ...given(terms),
    places: places.map(({ position, songId }) => ({ entry: entries[position - 1] ?? null, objectId: songId })),
  });
  return changed.isChanged;
};

/** Sorts a list by artist, album, disk, track and title. */
export const sortPlaylist = async ({ services, context, viewer }: Editor, id: number): Promise<void> => {
  const entries = await entriesByArtist(services.db, id, viewer);
  await runCommand(services, context, orderPlaylist, { playlistId: playlistId.parse(id), entries });
};
