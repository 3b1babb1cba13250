import { MAX_PLAYLIST_COMMENT, MAX_PLAYLIST_MEMBERS, MAX_PLAYLIST_NAME } from '@continuo/contracts';
import {
  addSongs,
  editPlaylist,
  endPlaylist,
  makePlaylist,
  removePositions,
  type Editor,
  type PlaylistChanges,
} from '../../playlist/playlists.js';
import { replaceSongs } from '../../playlist/replaced-songs.js';
import { playlistSongIds, visibleSongs } from '../../reads/playlist-songs.reads.js';
import type { PlaylistRecord } from '../../reads/playlists.reads.js';
import { endSmartlist } from '../../smartlists/index.js';
import { containerBody, objectBody } from '../documents.js';
import { CompatError } from '../errors.js';
import { formatId, parseIdOf } from '../ids.js';
import { playlistObject, playlistWithSongs, type CompatPlaylistWithSongs } from '../objects/playlist.object.js';
import { clearableText, intList, musicFolder, optionalFlag, optionalText, requiredText, textList } from '../parameters.js';
import { listToChange, openLists, openListWithSongs, ownSmartlist, requireOwner } from '../playlists.js';
import { action, anybody, document, type Call, type UserCallBase } from './endpoint.js';

const withSongs = objectBody('playlist', playlistWithSongs);

const editorOf = ({ services, context, viewer }: UserCallBase): Editor => ({ services, context, viewer });

/** The songs that ids name. @throws CompatError 70 for one that is not there for the caller: nothing is done then */
const songsNamed = async ({ services, viewer }: UserCallBase, texts: readonly string[]): Promise<number[]> => {
  if (texts.length > MAX_PLAYLIST_MEMBERS) throw new CompatError(10, `At most ${MAX_PLAYLIST_MEMBERS} songs fit into a playlist`);
  const ids = texts.map((text) => parseIdOf('song', text));
  const known = ids.filter((id) => id !== undefined);
  const seen = new Set(await visibleSongs(services.db, known, viewer));
  const unknown = ids.findIndex((id) => id === undefined || !seen.has(id));
  if (unknown >= 0) throw new CompatError(70, `There is no song with the id ${texts[unknown]?.slice(0, 40)}`);
  return known;
};

/** A name as lists have it. @throws CompatError 10 */
const nameOf = (text: string): string => {
  const name = text.trim().toWellFormed();
  if (name === '') throw new CompatError(10, 'A playlist needs a name');
  if (name.length > MAX_PLAYLIST_NAME) throw new CompatError(10, `The name of a playlist has at most ${MAX_PLAYLIST_NAME} characters`);
  return name;
};

interface CreateParams {
  readonly playlistId: string | undefined;
  readonly name: string | undefined;
  readonly songId: readonly string[];
}

/** Makes the songs of a list these, and its name another one when it is told. */
const replaced = async (call: Call<CreateParams>, id: string): Promise<string> => {
  const { name, songId } = call.params;
  const list = await listToChange(call, id, 'collaborate');
  const renamed = name === undefined ? list.name : nameOf(name);
  if (renamed !== list.name) requireOwner(call, list);
  const songIds = await songsNamed(call, songId);
  if (renamed !== list.name) await editPlaylist(editorOf(call), list.id, { name: renamed });
  await replaceSongs(editorOf(call), list.id, songIds);
  return formatId('playlist', list.id);
};

/** The reference makes lists of this API public (compat facts, section 8.12). */
const created = async (call: Call<CreateParams>, name: string): Promise<string> => {
  const songIds = await songsNamed(call, call.params.songId);
  return formatId('playlist', await makePlaylist(editorOf(call), { name: nameOf(name), isPublic: true, songIds }));
};

const create = async (call: Call<CreateParams>): Promise<CompatPlaylistWithSongs> => {
  const { playlistId, name } = call.params;
  if (playlistId !== undefined) return openListWithSongs(call, await replaced(call, playlistId));
  if (name === undefined) throw new CompatError(10, 'Required parameter is missing: name or playlistId');
  return openListWithSongs(call, await created(call, name));
};

interface UpdateParams {
  readonly playlistId: string;
  readonly name: string | undefined;
  readonly comment: string | undefined;
  readonly public: boolean | undefined;
  readonly songIdToAdd: readonly string[];
  readonly songIndexToRemove: readonly (number | undefined)[];
}

/** Positions from 1 of what is to go. @throws CompatError 10 for one that the list does not have */
const positionsOf = async ({ services, viewer, params }: Call<UpdateParams>, list: PlaylistRecord): Promise<number[]> => {
  if (params.songIndexToRemove.length === 0) return [];
  const { total } = await playlistSongIds(services.db, list, viewer);
  return params.songIndexToRemove.map((index) => {
    if (index === undefined || index < 0 || index >= total)
      throw new CompatError(10, `songIndexToRemove must be a whole number from 0 on and below ${total}, the length of the list`);
    return index + 1;
  });
};

/** What of the terms is to be another; clients send along what they know of a list, changed or not. */
const termsOf = ({ name, comment, public: isPublic }: UpdateParams, list: PlaylistRecord): PlaylistChanges => {
  if (comment !== undefined && comment.length > MAX_PLAYLIST_COMMENT)
    throw new CompatError(10, `The comment on a playlist has at most ${MAX_PLAYLIST_COMMENT} characters`);
  const wanted = {
    ...(name === undefined ? {} : { name: nameOf(name) }),
    ...(comment === undefined ? {} : { comment: comment.trim().toWellFormed() }),
    ...(isPublic === undefined ? {} : { isPublic }),
  };
  return Object.fromEntries(Object.entries(wanted).filter(([key, value]) => list[key as keyof typeof wanted] !== value));
};

/**
 * Changes a list: first what goes, by places in the list as it was, then what comes behind the last (compat facts, section 8.12). All of the call is looked at
 * before anything is done.
 */
const update = async (call: Call<UpdateParams>): Promise<void> => {
  const { params } = call;
  const list = await listToChange(call, params.playlistId, 'collaborate');
  const terms = termsOf(params, list);
  if (Object.keys(terms).length > 0) requireOwner(call, list);
  // One after the other, so that of two faults the same is told each time.
  const positions = await positionsOf(call, list);
  const songIds = await songsNamed(call, params.songIdToAdd);
  const editor = editorOf(call);
  if (Object.keys(terms).length > 0) await editPlaylist(editor, list.id, terms);
  if (positions.length > 0) await removePositions(editor, list.id, positions);
  await addSongs(editor, list.id, songIds);
};

/** Playlists (compat facts, section 8.12). */
export const playlistEndpoints = {
  getPlaylists: document({
    access: anybody,
    params: { username: optionalText },
    body: containerBody('playlists', 'playlist', playlistObject),
    answer: (call) => openLists(call, call.params.username),
  }),
  getPlaylist: document({
    access: anybody,
    params: { id: requiredText, musicFolderId: musicFolder },
    body: withSongs,
    answer: (call) => openListWithSongs(call, call.params.id, call.params.musicFolderId),
  }),
  createPlaylist: document({
    access: anybody,
    params: { playlistId: optionalText, name: optionalText, songId: textList },
    body: withSongs,
    answer: create,
  }),
  updatePlaylist: action({
    access: anybody,
    params: {
      playlistId: requiredText,
      name: optionalText,
      comment: clearableText,
      public: optionalFlag,
      songIdToAdd: textList,
      songIndexToRemove: intList,
    },
    act: update,
  }),
  deletePlaylist: action({
    access: anybody,
    params: { id: requiredText },
    act: async (call) => {
      const smartlist = await ownSmartlist(call, call.params.id);
      if (smartlist !== undefined) return endSmartlist({ ...editorOf(call), services: call.services }, smartlist);
      return endPlaylist(editorOf(call), (await listToChange(call, call.params.id, 'own')).id);
    },
  }),
} as const;
