import { requireRole } from '../../../../preferences/index.js';
import { MAX_PLAYLIST_COMMENT, MAX_PLAYLIST_MEMBERS, MAX_PLAYLIST_NAME } from '@continuo/contracts';
import {
  addSongs,
  editPlaylist,
  endPlaylist,
  makePlaylist,
  removePositions,
  type PlaylistChanges,
} from '../../../../features/playlist/playlists.js';
import { replaceSongs } from '../../../../features/playlist/replaced-songs.js';
import { playlistSongIds, visibleSongs } from '../../../../reads/playlists/playlist-songs.reads.js';
import type { PlaylistRecord } from '../../../../reads/playlists/playlists.reads.js';
import { endSmartlist } from '../../../../features/smartlists/index.js';
import { containerBody, objectBody } from '../../documents.js';
import { CompatError } from '../../errors.js';
import { formatId, parseIdOf } from '../../ids.js';
import { playlistObject, playlistWithSongs, type CompatPlaylistWithSongs } from '../../objects/playlist.object.js';
import { clearableText, intList, musicFolder, optionalFlag, optionalText, requiredText, textList } from '../../parameters.js';
import { findEditableList, openLists, findListWithSongs, findOwnSmartlist, requireOwner } from '../../playlists.js';
import { endpointsUsing, anybody, type Call, type UserCallBase, type Parsed } from '../endpoint.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasLists } from '../../../../kinds/index.js';
import type { HasSmartlists } from '../../../../features/smartlists/running-smartlists.js';
import type { HasCommands, HasConfig } from '../../../../server/needs.js';
import type { HasPreferences } from '../../../../preferences/preferences.js';

type Services = HasReadModel & HasCommands & HasLists & HasSmartlists & HasConfig & HasPreferences;
const { document, action } = endpointsUsing<Services>();

const withSongs = objectBody('playlist', playlistWithSongs);

/** Songs of ids; all must be visible. @throws CompatError 70 */
const songsNamed = async ({ services, viewer }: UserCallBase<Services>, texts: readonly string[]): Promise<number[]> => {
  if (texts.length > MAX_PLAYLIST_MEMBERS) throw new CompatError(10, `At most ${MAX_PLAYLIST_MEMBERS} songs fit into a playlist`);
  const ids = texts.map((text) => parseIdOf('song', text));
  const known = ids.filter((id) => id !== undefined);
  const seen = new Set(await visibleSongs(services.db, known, viewer));
  const unknown = ids.findIndex((id) => id === undefined || !seen.has(id));
  if (unknown >= 0) throw new CompatError(70, `There is no song with the id ${texts[unknown]?.slice(0, 40)}`);
  return known;
};

/** Parses a list name. @throws CompatError 10 */
const nameOf = (text: string): string => {
  const name = text.trim().toWellFormed();
  if (name === '') throw new CompatError(10, 'A playlist needs a name');
  if (name.length > MAX_PLAYLIST_NAME) throw new CompatError(10, `The name of a playlist has at most ${MAX_PLAYLIST_NAME} characters`);
  return name;
};

const created = { playlistId: optionalText, name: optionalText, songId: textList };
type CreateParams = Parsed<typeof created>;

/** Replaces the songs of a list, and its name if given. */
const replacePlaylist = async (call: Call<CreateParams, Services>, id: string): Promise<string> => {
  const { name, songId } = call.params;
  const list = await findEditableList(call, id, 'collaborate');
  const renamed = name === undefined ? list.name : nameOf(name);
  if (renamed !== list.name) requireOwner(call, list);
  const songIds = await songsNamed(call, songId);
  if (renamed !== list.name) await editPlaylist(call, list.id, { name: renamed });
  await replaceSongs(call, list.id, songIds);
  return formatId('playlist', list.id);
};

/** Creates a list; lists of this API are public by default. */
const createPlaylist = async (call: Call<CreateParams, Services>, name: string): Promise<string> => {
  const songIds = await songsNamed(call, call.params.songId);
  return formatId('playlist', await makePlaylist(call, { name: nameOf(name), isPublic: true, songIds }));
};

const create = async (call: Call<CreateParams, Services>): Promise<CompatPlaylistWithSongs> => {
  const { playlistId, name } = call.params;
  if (playlistId !== undefined) return findListWithSongs(call, await replacePlaylist(call, playlistId));
  if (name === undefined) throw new CompatError(10, 'Required parameter is missing: name or playlistId');
  return findListWithSongs(call, await createPlaylist(call, name));
};

const updated = {
  playlistId: requiredText,
  name: optionalText,
  comment: clearableText,
  public: optionalFlag,
  songIdToAdd: textList,
  songIndexToRemove: intList,
};
type UpdateParams = Parsed<typeof updated>;

/** Positions to remove, from 1. @throws CompatError 10 for a position beyond the list */
const positionsOf = async ({ services, viewer, params }: Call<UpdateParams, Services>, list: PlaylistRecord): Promise<number[]> => {
  if (params.songIndexToRemove.length === 0) return [];
  const { total } = await playlistSongIds(services.db, list, viewer);
  return params.songIndexToRemove.map((index) => {
    if (index === undefined || index < 0 || index >= total)
      throw new CompatError(10, `songIndexToRemove must be a whole number from 0 on and below ${total}, the length of the list`);
    return index + 1;
  });
};

/** Changed terms only; clients also send unchanged ones. */
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
 * Changes a list: removes by positions in the list as it was, then appends. All parameters are checked before anything is changed.
 */
const update = async (call: Call<UpdateParams, Services>): Promise<void> => {
  const { params } = call;
  const list = await findEditableList(call, params.playlistId, 'collaborate');
  const terms = termsOf(params, list);
  if (Object.keys(terms).length > 0) requireOwner(call, list);
  // Sequential, so that the reported error does not depend on timing.
  const positions = await positionsOf(call, list);
  const songIds = await songsNamed(call, params.songIdToAdd);
  if (Object.keys(terms).length > 0) await editPlaylist(call, list.id, terms);
  if (positions.length > 0) await removePositions(call, list.id, positions);
  await addSongs(call, list.id, songIds);
};

/** @throws Rejection `access.denied` when the role was taken from the caller */
const requirePlaylistRole = ({ preferences, context }: UserCallBase<Services>): void =>
  requireRole(preferences, context.caller.account.id, 'playlist');

/** Operations about playlists. */
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
    flows: true,
    answer: (call) => findListWithSongs(call, call.params.id, call.params.musicFolderId),
  }),
  createPlaylist: document({
    access: anybody,
    params: created,
    body: withSongs,
    flows: true,
    answer: (call) => {
      requirePlaylistRole(call);
      return create(call);
    },
  }),
  updatePlaylist: action({
    access: anybody,
    params: updated,
    act: (call) => {
      requirePlaylistRole(call);
      return update(call);
    },
  }),
  deletePlaylist: action({
    access: anybody,
    params: { id: requiredText },
    act: async (call) => {
      requirePlaylistRole(call);
      const smartlist = await findOwnSmartlist(call, call.params.id);
      if (smartlist !== undefined) return endSmartlist(call, smartlist);
      return endPlaylist(call, (await findEditableList(call, call.params.id, 'own')).id);
    },
  }),
} as const;
