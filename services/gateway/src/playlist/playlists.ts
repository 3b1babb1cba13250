import {
  addPlaylistMembers,
  changePlaylist,
  clearPlaylist,
  createPlaylist,
  deletePlaylist,
  orderPlaylist,
  playlistId,
  Rejection,
  removePlaylistMembers,
  userId,
  type UserId,
} from '@continuo/contracts';
import { makeShown, runCommand } from '../commands.js';
import type { CallerContext } from '../http/request-context.js';
import { rightsOf, type ListRights, type ListTerms } from '../reads/playlist-access.js';
import { entriesByArtist, memberAt, memberOf, seenMembers, type SeenMember } from '../reads/playlist-songs.reads.js';
import { playlistRecord, type PlaylistRecord } from '../reads/playlists.reads.js';
import type { Viewer } from '../reads/viewer.js';
import type { GatewayServices } from '../services.js';

/*
 * What people do with playlists, one way for every surface. Positions, which clients count among the songs that they see, become entries here, which mean the same
 * member whatever others do to the list meanwhile.
 */

/** Who changes a list, and over what it goes. */
export interface Editor {
  readonly services: Pick<GatewayServices, 'db' | 'commands' | 'watch' | 'config' | 'preferences'>;
  readonly context: CallerContext;
  readonly viewer: Viewer;
}

/** @throws Rejection `access.level` when the viewer may not do that with the list (native README section 5: `Require: 100`) */
export const requireRight = (viewer: Viewer, terms: ListTerms, right: keyof ListRights): void => {
  if (!rightsOf(viewer, terms)[right]) throw new Rejection('access.level', 'Require: 100', 'account');
};

/**
 * A list with which the viewer may do something; undefined when there is none of that number.
 * @throws Rejection `access.level` when it is another one's
 */
export const playlistWith = async (
  { services, viewer }: Pick<Editor, 'services' | 'viewer'>,
  id: number | undefined,
  right: keyof ListRights,
): Promise<PlaylistRecord | undefined> => {
  const record = id === undefined ? undefined : await playlistRecord(services.db, id);
  if (record) requireRight(viewer, record, right);
  return record;
};

/** Makes a list of the caller's own, at once with its first songs, and answers its number. The caller may see the songs. */
export const makePlaylist = async (
  { services, context }: Editor,
  { name, isPublic, songIds = [] }: { readonly name: string; readonly isPublic: boolean; readonly songIds?: readonly number[] },
): Promise<number> => {
  const made = await makeShown(
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

/** Ends a list for good. */
export const endPlaylist = async ({ services, context }: Editor, id: number): Promise<void> => {
  await runCommand(services, context, deletePlaylist, { playlistId: playlistId.parse(id) });
};

/**
 * Adds songs that the caller may see after the last; answers how many came in. Where the caller wants no song twice, those that are there already are left out.
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

/** Takes the song at a position out, from 1; false when there is none, or when somebody else has just taken it. */
export const removeAt = async (editor: Editor, id: number, position: number): Promise<boolean> =>
  removed(editor, id, await memberAt(editor.services.db, id, position, editor.viewer));

/** Takes a song out where it stands first; false when it is not in the list. */
export const removeSong = async (editor: Editor, id: number, songId: number): Promise<boolean> =>
  removed(editor, id, await memberOf(editor.services.db, id, songId, editor.viewer));

/** Takes the songs at some positions out, from 1, all at once; answers how many. Positions beyond the list say nothing. */
export const removePositions = async (editor: Editor, id: number, positions: readonly number[]): Promise<number> => {
  const { entries } = await seenMembers(editor.services.db, id, editor.viewer);
  const named = [...new Set(positions)].flatMap((position) => entries[position - 1] ?? []);
  return named.length === 0 ? 0 : removeEntries(editor, id, named);
};

/** Empties a list. */
export const emptyPlaylist = async ({ services, context }: Editor, id: number): Promise<void> => {
  await runCommand(services, context, clearPlaylist, { playlistId: playlistId.parse(id) });
};

/** What of a list is to be changed; what is not said stays. */
export interface PlaylistChanges {
  readonly name?: string | undefined;
  readonly isPublic?: boolean | undefined;
  readonly comment?: string | undefined;
  /** Null: the system. */
  readonly ownerId?: UserId | null | undefined;
  readonly collaboratorIds?: readonly UserId[] | undefined;
  /** Songs by the position that they shall stand at, in place of what stands there; beyond the last they are added. The caller may see them. */
  readonly places?: readonly { readonly position: number; readonly songId: number }[];
}

/**
 * Changes terms and places, all of it or nothing; answers whether anything was not so already.
 * @throws Rejection `conflict` when somebody else has just taken out what stood at one of the places
 */
export const editPlaylist = async (editor: Editor, id: number, { places = [], ...terms }: PlaylistChanges): Promise<boolean> => {
  const { services, context, viewer } = editor;
  const entries = places.length === 0 ? new Int32Array(0) : (await seenMembers(services.db, id, viewer)).entries;
  const given = Object.fromEntries(Object.entries(terms).filter(([, value]) => value !== undefined));
  const changed = await runCommand(services, context, changePlaylist, {
    playlistId: playlistId.parse(id),
    ...given,
    places: places.map(({ position, songId }) => ({ entry: entries[position - 1] ?? null, objectId: songId })),
  });
  return changed.isChanged;
};

/** Orders a list by artist, album, disk, track and title. */
export const sortPlaylist = async ({ services, context, viewer }: Editor, id: number): Promise<void> => {
  const entries = await entriesByArtist(services.db, id, viewer);
  await runCommand(services, context, orderPlaylist, { playlistId: playlistId.parse(id), entries });
};
