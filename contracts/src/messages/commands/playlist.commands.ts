/**
 * Commands about playlists. The sender has checked that the caller may, and that the things exist and may be seen.
 *
 * Members are named by their **entry**, the number that a member keeps for life, never by position: a position means what it meant to the client only in
 * the list as it was read. So a sender looks up `library.playlist_member` (ordered by `rank`; the n-th row that the caller may see is position n) and sends
 * the entries. Adding and removing at once then never hurt each other. Who writes a whole list sends the `revision` of the list that it has read, too, and
 * is refused with `conflict` when somebody was faster.
 *
 * Long lists of ids are cut into several events by the aggregate, all of them appended together or none.
 */
import { z } from 'zod';
import { defineCommand } from '../define.js';
import { MAX_PLAYLIST_MEMBERS, playlistId, playlistMemberKind, playlistTerms } from '../events/playlist.events.js';

const none = z.object({});
const revision = z.int().min(0);
const entries = z.array(z.int().positive()).max(MAX_PLAYLIST_MEMBERS);
const name = z.string().trim().min(1).max(255);
const terms = playlistTerms.extend({ name });

/** Members in order, as runs of one kind: songs alone are one run. */
const members = z.array(
  z.object({ kind: playlistMemberKind.default('song'), objectIds: z.array(z.int().positive()).max(MAX_PLAYLIST_MEMBERS) }),
);

/** Makes a list, at once with its first members, and answers its number. Names need not be unique. */
export const createPlaylist = defineCommand(
  'library',
  'create-playlist',
  terms.extend({
    comment: terms.shape.comment.default(''),
    collaboratorIds: terms.shape.collaboratorIds.default([]),
    members: members.default([]),
  }),
  z.object({ playlistId }),
);

/**
 * Changes what is named of a list's terms, and puts things at entries (`entry` null: after the last). All of it or nothing; `isChanged` is false when everything
 * was so already. Refused as `conflict` when an entry is gone.
 */
export const changePlaylist = defineCommand(
  'library',
  'change-playlist',
  terms.partial().extend({
    playlistId,
    places: z
      .array(z.object({ entry: z.int().positive().nullable(), kind: playlistMemberKind.default('song'), objectId: z.int().positive() }))
      .max(MAX_PLAYLIST_MEMBERS)
      .default([]),
  }),
  z.object({ isChanged: z.boolean() }),
);

/** Ends a list for good; ending it again changes nothing. */
export const deletePlaylist = defineCommand('library', 'delete-playlist', z.object({ playlistId }), none);

/**
 * Adds things after the last. With `isUnique` those are left out that the list holds already, or that come twice; `added` is how many came in. Refused as
 * `playlist.full` when there would be more than the list can hold.
 */
export const addPlaylistMembers = defineCommand(
  'library',
  'add-playlist-members',
  z.object({ playlistId, members, isUnique: z.boolean().default(false) }),
  z.object({ added: z.int().min(0) }),
);

/** Removes entries. Those that are gone already are passed over; `removed` is how many were there. */
export const removePlaylistMembers = defineCommand(
  'library',
  'remove-playlist-members',
  z.object({ playlistId, entries }),
  z.object({ removed: z.int().min(0) }),
);

/** Empties a list. */
export const clearPlaylist = defineCommand('library', 'clear-playlist', z.object({ playlistId }), none);

/** Orders a list: the entries as given, then whatever came in meanwhile. Entries that are gone are passed over. */
export const orderPlaylist = defineCommand('library', 'order-playlist', z.object({ playlistId, entries }), none);

/**
 * Makes the members of a list exactly these; what both begin with stays untouched. `expectedRevision` is the `revision` of `library.playlist` that the sender
 * has read: refused as `conflict` when the members are others by now. Without it the last writer wins.
 */
export const replacePlaylistMembers = defineCommand(
  'library',
  'replace-playlist-members',
  z.object({ playlistId, members, expectedRevision: revision.optional() }),
  none,
);
