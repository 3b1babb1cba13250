import { MAX_PLAYLIST_COLLABORATORS, type UserId } from '@continuo/contracts';
import { z } from 'zod';
import { addedKinds, addedSongs, type AddedKind } from '../../../../features/playlist/added-songs.js';
import {
  addSongs,
  editPlaylist,
  emptyPlaylist,
  endPlaylist,
  makePlaylist,
  playlistWith,
  removeAt,
  removeSong,
  requireRight,
  sortPlaylist,
} from '../../../../features/playlist/playlists.js';
import type { ListRights } from '../../../../reads/visibility/playlist-access.js';
import { visibleSongs } from '../../../../reads/playlists/playlist-songs.reads.js';
import { ownPlaylistNamed, type PlaylistRecord } from '../../../../reads/playlists/playlists.reads.js';
import { editSmartlist, prefixedSmartlistId, smartlistWith } from '../../../../features/smartlists/index.js';
import { badValue, duplicate, missing, NativeRefusal, notFound, oneOf, taken } from '../../errors/native-fault.js';
import { methodsUsing, type CallerCall } from '../../method.js';
import { foundById, orNotFound, type Named } from '../../named-object.js';
import { flag, idOf, named, optional, required } from '../../params.js';
import { success, type NativeResult } from '../../result.js';
import { apiVersions, type ApiVersion } from '../../versions/policy.js';
import { accountOf, collaboratorsOf, isGiven, nameOf, nothingChanges, typeOf } from './list-terms.js';
import { singleListResult } from './playlist.methods.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasSmartlists } from '../../../../features/smartlists/running-smartlists.js';
import type { HasLists } from '../../../../kinds/index.js';
import type { HasCommands, HasConfig } from '../../../../server/needs.js';
import type { HasPreferences } from '../../../../preferences/preferences.js';

type Services = HasReadModel & HasSmartlists & HasCommands & HasLists & HasConfig & HasPreferences;
const { method } = methodsUsing<Services>();

/** List of a call, for which the caller has a right. @throws NativeRefusal 4704, Rejection `access.level` */
const listFor = async (call: CallerCall<Named, Services>, right: keyof ListRights): Promise<PlaylistRecord> =>
  orNotFound(await playlistWith(call, idOf(call.params.filter), right), call.params.filter);

/** First version that rejects a name that the caller already uses; older ones answer with that list. */
const REFUSES_NAMES_SINCE = 6;

const create = async (call: CallerCall<{ name: string; type?: string | undefined }, Services>): Promise<NativeResult> => {
  const { services, viewer, policy, params } = call;
  if (policy.version === 4 && params.type === undefined) throw missing('type');
  const name = nameOf(params.name);
  const known = await ownPlaylistNamed(services.db, viewer.userId, name);
  if (known !== undefined && policy.version >= REFUSES_NAMES_SINCE) throw new NativeRefusal(4710, 'input', taken('name', name).message);
  const isPublic = isGiven(params.type) && params.type.trim().toLowerCase() !== 'private';
  const id = known ?? (await makePlaylist(call, { name, isPublic }));
  return singleListResult({ ...call, params: { filter: String(id) } });
};

/** Parses a comma list of integers; undefined for anything else. */
const numbersOf = (text: string | undefined): number[] | undefined => {
  const parts = (text ?? '').split(',').map((part) => part.trim());
  if (parts.length === 1 && parts[0] === '') return [];
  const numbers = parts.map((part) => idOf(part));
  return numbers.every((number) => number !== undefined) ? numbers : undefined;
};

const edited = z.object({
  ...named,
  type: optional,
  items: optional,
  name: optional,
  owner: optional,
  tracks: optional,
  // An addition of this server: no other method sets collaborators.
  collaborate: optional,
  sort: flag,
});
type Edit = z.output<typeof edited>;

/** Songs with their positions. @throws NativeRefusal 4710 when the lists differ in length, 4704 for an unknown song */
const placesOf = async (call: CallerCall<Edit, Services>): Promise<{ position: number; songId: number }[]> => {
  const { items, tracks } = call.params;
  const songIds = numbersOf(items);
  const positions = numbersOf(tracks);
  if (!songIds) throw badValue('items', items ?? '', 'must be ids of songs, joined by commas');
  if (!positions || positions.length !== songIds.length)
    throw badValue('tracks', tracks ?? '', 'must be as many places, from 1, as there are items');
  const seen = new Set(await visibleSongs(call.services.db, songIds, call.viewer));
  const absent = songIds.find((id) => !seen.has(id));
  if (absent !== undefined) throw notFound('items', String(absent));
  return songIds.map((songId, index) => ({ songId, position: positions[index] ?? 0 }));
};

const SYSTEM = '-1';

const ownerOf = async (call: CallerCall<Edit, Services>): Promise<UserId | null | undefined> => {
  const { owner } = call.params;
  // Version 4 has no owners.
  if (!isGiven(owner) || call.policy.version < 5) return undefined;
  return owner.trim() === SYSTEM ? null : accountOf(call, 'owner', owner);
};

/** Changes a smartlist, whose songs and order follow from its rules. */
const editSmart = async (call: CallerCall<Edit, Services>, id: number): Promise<NativeResult> => {
  const { params } = call;
  const list = orNotFound(await smartlistWith(call, id, 'own'), params.filter);
  for (const parameter of ['items', 'tracks'] as const)
    if (isGiven(params[parameter])) throw badValue(parameter, params[parameter], 'must not be sent for a smartlist');
  const isChanged = await editSmartlist(call, list.id, {
    name: isGiven(params.name) ? nameOf(params.name) : undefined,
    isPublic: typeOf(params.type),
    ownerId: await ownerOf(call),
    collaboratorIds: await collaboratorsOf(call, params.collaborate, MAX_PLAYLIST_COLLABORATORS),
  });
  if (!isChanged) throw nothingChanges();
  return success('playlist changes saved');
};

const edit = async (call: CallerCall<Edit, Services>): Promise<NativeResult> => {
  const { params, viewer } = call;
  const smart = prefixedSmartlistId(params.filter);
  if (smart !== undefined) return editSmart(call, smart);
  const list = await listFor(call, 'collaborate');
  const terms = [params.type, params.name, params.owner].some(isGiven) || params.collaborate !== undefined || params.sort;
  if (terms) requireRight(viewer, list, 'own');
  const changes = {
    name: isGiven(params.name) ? nameOf(params.name) : undefined,
    isPublic: typeOf(params.type),
    ownerId: await ownerOf(call),
    collaboratorIds: await collaboratorsOf(call, params.collaborate, MAX_PLAYLIST_COLLABORATORS),
    places: await placesOf(call),
  };
  const isChanged = await editPlaylist(call, list.id, changes);
  if (params.sort) await sortPlaylist(call, list.id);
  if (!isChanged && !params.sort) throw nothingChanges();
  return success('playlist changes saved');
};

const isAdded = (text: string): text is AddedKind => (addedKinds as readonly string[]).includes(text);

/** Type of added objects: required in version 6, a song by default in version 8. */
const kindOf = (text: string | undefined, version: ApiVersion): AddedKind => {
  if (text === undefined && version < 8) throw missing('object_type');
  const kind = (text ?? 'song').trim().toLowerCase();
  if (!isAdded(kind)) throw badValue('object_type', text ?? '', oneOf(addedKinds));
  return kind;
};

/** Songs of an object; for a playlist also of a smartlist id. */
const songsToAdd = async (call: CallerCall<unknown, Services>, kind: AddedKind, text: string): Promise<readonly number[] | undefined> => {
  const smart = kind === 'playlist' ? prefixedSmartlistId(text) : undefined;
  if (smart === undefined) {
    const id = idOf(text);
    return id === undefined ? undefined : addedSongs(call, kind, id);
  }
  const list = await smartlistWith(call, smart, 'open');
  return list && Array.from((await call.services.smartlists.songs(list, call.viewer, { isContinued: true })).ids);
};

const add = async (call: CallerCall<{ filter: string; id: string; object_type?: string | undefined }, Services>): Promise<NativeResult> => {
  const { id: text, object_type: type } = call.params;
  const kind = kindOf(type, call.policy.version);
  const list = await listFor(call, 'collaborate');
  const songs = orNotFound(await songsToAdd(call, kind, text), text, 'id');
  if (songs.length === 0) throw badValue('id', text, 'must name something with songs');
  const added = await addSongs(call, list.id, songs);
  return success(added > 0 ? 'songs added to playlist' : 'nothing was added to the playlist');
};

const addSong = async (call: CallerCall<{ filter: string; song: string; check: boolean }, Services>): Promise<NativeResult> => {
  const { song: text, check } = call.params;
  const list = await listFor(call, 'collaborate');
  const songs = await foundById(text, (id) => addedSongs(call, 'song', id), 'song');
  // Version 3 has no `check`.
  const isUnique = check && call.policy.version > 3;
  if ((await addSongs(call, list.id, songs, isUnique)) === 0) throw duplicate(text);
  return success('song added to playlist');
};

const removal = { ...named, clear: flag, track: optional };
type Removal = z.output<z.ZodObject<typeof removal>>;

/** Removes entries: `clear` wins over a song, a song over a position. */
const remove = async (call: CallerCall<Removal, Services>, parameter: 'id' | 'song', song: string | undefined): Promise<NativeResult> => {
  const { clear, track } = call.params;
  const list = await listFor(call, 'collaborate');
  if (clear) {
    await emptyPlaylist(call, list.id);
    return success('all items removed from playlist');
  }
  if (song === undefined && track === undefined) throw missing(parameter === 'song' && call.policy.version < 8 ? 'track' : parameter);
  const id = idOf(song ?? track ?? '');
  const isGone = id !== undefined && (await (song === undefined ? removeAt : removeSong)(call, list.id, id));
  if (!isGone) throw song === undefined ? notFound('track', track ?? '') : notFound(parameter, song);
  return success('song removed from playlist');
};

/** Types that playlists cannot contain. */
const otherKinds: readonly string[] = ['album', 'artist', 'playlist'];

/** Methods that create, change and delete playlists. */
export const playlistEditingMethods = {
  playlist_create: method({ versions: apiVersions, access: 5, params: z.object({ name: required, type: optional }), run: create }),
  playlist_edit: method({ versions: [4, 5, 6, 8], access: 5, params: edited, run: edit }),
  playlist_delete: method({
    versions: apiVersions,
    access: 5,
    params: z.object(named),
    run: async (call) => {
      await endPlaylist(call, (await listFor(call, 'own')).id);
      return success('playlist deleted');
    },
  }),
  playlist_add: method({
    versions: [6, 8],
    access: 5,
    aliases: { id: ['id', 'song'], object_type: ['object_type', 'type'] },
    params: z.object({ ...named, id: required, object_type: optional }),
    run: add,
  }),
  playlist_add_song: method({
    versions: [3, 4, 5, 6],
    access: 5,
    aliases: { song: ['song', 'id'] },
    params: z.object({ ...named, song: required, check: flag }),
    run: addSong,
  }),
  playlist_remove: method({
    versions: [8],
    access: 5,
    aliases: { object_type: ['object_type', 'type'] },
    params: z.object({ ...removal, id: optional, object_type: optional }),
    run: (call) => {
      const kind = (call.params.object_type ?? 'song').trim().toLowerCase();
      if (kind !== 'song' && !otherKinds.includes(kind)) throw badValue('object_type', call.params.object_type ?? '', oneOf(addedKinds));
      if (kind !== 'song' && call.params.id !== undefined && !call.params.clear) throw notFound('id', call.params.id);
      return remove(call, 'id', call.params.id);
    },
  }),
  playlist_remove_song: method({
    versions: apiVersions,
    access: 5,
    params: z.object({ ...removal, song: optional }),
    run: (call) => remove(call, 'song', call.params.song),
  }),
};
