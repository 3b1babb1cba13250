import { listMd5, type IdList } from '../../../reads/lists/id-list.js';
import { rightsOf } from '../../../reads/visibility/playlist-access.js';
import { SMARTLIST_PREFIX } from '../../../kinds/playlist.js';
import type { Filing } from '../../../reads/playlists/playlist-folders.reads.js';
import type { PlaylistView } from '../../../reads/playlists/playlists.reads.js';
import type { UserView } from '../../../reads/people/users.reads.js';
import type { Viewer } from '../../../reads/visibility/viewer.js';
import { annotationRows } from './annotation-rows.js';
import { filingRows } from './filing-rows.js';
import { epochSeconds, seconds } from './context.js';
import { nativeObject, nativeRows } from './native-object.js';

/** A playlist or smartlist, with the ids of its songs if included. */
export interface NativePlaylist {
  readonly view: PlaylistView;
  readonly viewer: Viewer;
  readonly songIds?: Int32Array;
  /** Undefined when the viewer has filed it in no folder. */
  readonly filing?: Filing | undefined;
  /** Accounts besides the owner that may change its entries, if they are included. */
  readonly collaborators?: readonly UserView[] | undefined;
}

/** Owner id of system lists. */
const SYSTEM_ID = -1;
const since6 = { since: 6 } as const;

/** Formats a list id. */
export const listIdOf = ({ kind, id }: Pick<PlaylistView, 'kind' | 'id'>): string =>
  kind === 'search' ? `${SMARTLIST_PREFIX}${id}` : String(id);

const trackObject = nativeObject<readonly [song: number, position: number]>({ kind: 'playlisttrack', schema: 'playlist_track' }, (of) => [
  of.id('id', ([song]) => song),
  of.int('playlisttrack', ([, position]) => position, { xml: 'text' }),
]);

const tracksOf = ({ songIds }: NativePlaylist): (readonly [number, number])[] | undefined =>
  songIds && Array.from(songIds, (id, index) => [id, index + 1] as const);

const accountObject = nativeObject<PlaylistView>({ kind: 'user', schema: 'user_summary' }, (of) => [
  of.id('id', ({ ownerId }) => ownerId ?? SYSTEM_ID),
  of.text('username', ({ owner }) => owner),
]);

const collaboratorObject = nativeObject<UserView>({ kind: 'collaborator', schema: 'user_summary' }, (of) => [
  of.id('id', ({ id }) => id),
  of.text('username', ({ username }) => username),
]);

const row = nativeRows<NativePlaylist>();
const idRow = row.id('id', ({ view }) => listIdOf(view));
const type = ({ view }: NativePlaylist): string => (view.isPublic ? 'public' : 'private');
const count = row.int('items', ({ view, songIds }) => (songIds ? undefined : view.songCount), { optional: true });

/** Content hash, where the answer shows one. */
const md5 = ({ songIds }: NativePlaylist): string | null => (songIds && songIds.length > 0 ? listMd5(songIds) : null);

/** Fields of a list by version. Versions up to 5 always have the song count in XML. */
export const playlistObject = nativeObject<NativePlaylist>('playlist', [
  idRow,
  row.text('name', ({ view }) => view.name),
  row.text('owner', ({ view }) => view.owner),
  row.object('user', accountObject, ({ view }) => view, since6),
  row.list('items', trackObject, tracksOf, { since: 6, xml: 'wrapped', item: 'playlisttrack', optional: true }),
  row.list('items', trackObject, tracksOf, { until: 5, xml: 'none', optional: true }),
  { ...count, since: 6 },
  row.int('items', ({ view, songIds }) => (songIds ? undefined : view.songCount), { until: 5, xml: 'none', optional: true }),
  row.int('items', ({ view, songIds }) => songIds?.length ?? view.songCount, { until: 5, json: 'none' }),
  row.word('type', type),
  row.text('art', ({ view }, { links }) => links.art(view.kind, view.id), { since: 4 }),
  row.bool('has_access', ({ view, viewer }) => rightsOf(viewer, view).own, since6),
  row.bool('has_collaborate', ({ view, viewer }) => rightsOf(viewer, view).collaborate, since6),
  row.bool('has_art', ({ view }) => view.artHash !== null, since6),
  ...annotationRows<NativePlaylist>(({ view }) => view.annotations).filter(({ until }) => until > 3),
  row.text('md5', md5, { ...since6, nullable: true }),
  row.int('last_update', ({ view }) => epochSeconds(view.updatedAtMs), since6),
  row.int('time', ({ view }) => seconds(view.durationMs), since6),
  ...filingRows<NativePlaylist>(({ filing }) => filing),
  row.list('collaborators', collaboratorObject, ({ collaborators }) => collaborators, {
    since: 8,
    optional: true,
    xml: 'wrapped',
    item: 'collaborator',
  }),
]);

/** A list in `get_indexes` and `search_group` in XML: names only. */
export const slimPlaylistObject = nativeObject<NativePlaylist>('playlist', [
  idRow,
  row.text('name', ({ view }) => view.name),
  row.int('items', ({ view, songIds }) => songIds?.length ?? view.songCount),
  row.text('owner', ({ view }) => view.owner),
  row.text('type', type),
  row.list('playlisttrack', trackObject, tracksOf, { optional: true }),
]);

/** Content hash of a list, by which clients detect changes. */
export const playlistHashObject = nativeObject<IdList>('playlist_hash', (of) => [
  of.text('md5', (songs) => (songs.total > 0 ? songs.md5 : null), { nullable: true }),
]);
