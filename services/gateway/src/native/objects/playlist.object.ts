import { objectTable, rowsOf } from '../../render/index.js';
import { listMd5, type IdList } from '../../reads/id-list.js';
import { rightsOf } from '../../reads/playlist-access.js';
import { SMARTLIST_PREFIX } from '../../reads/playlist-list.js';
import type { Filing } from '../../reads/playlist-folders.reads.js';
import type { PlaylistView } from '../../reads/playlists.reads.js';
import type { Viewer } from '../../reads/viewer.js';
import { annotationRows } from './annotation-rows.js';
import { filingRows } from './filing-rows.js';
import { epochSeconds, seconds, type NativeContext } from './context.js';

/** A playlist or smartlist, with the ids of its songs where the caller asked for them. */
export interface NativePlaylist {
  readonly view: PlaylistView;
  readonly viewer: Viewer;
  readonly songIds?: Int32Array;
  /** Undefined where the viewer has it in no folder. */
  readonly filing?: Filing | undefined;
}

/** Whom a list of nobody belongs to (native README section 14). */
const SYSTEM_ID = -1;
const since6 = { since: 6 } as const;

/** The id of a list as clients know it. */
export const listIdOf = ({ kind, id }: Pick<PlaylistView, 'kind' | 'id'>): string =>
  kind === 'search' ? `${SMARTLIST_PREFIX}${id}` : String(id);

const track = rowsOf<readonly [song: number, position: number], NativeContext>();
const trackObject = objectTable('playlisttrack', [
  track.id('id', ([song]) => song),
  track.num('playlisttrack', ([, position]) => position, { xml: 'text' }),
]);

const tracksOf = ({ songIds }: NativePlaylist): (readonly [number, number])[] | undefined =>
  songIds && Array.from(songIds, (id, index) => [id, index + 1] as const);

const account = rowsOf<PlaylistView, NativeContext>();
const accountObject = objectTable('user', [
  account.id('id', ({ ownerId }) => ownerId ?? SYSTEM_ID),
  account.text('username', ({ owner }) => owner),
]);

const of = rowsOf<NativePlaylist, NativeContext>();
const idRow = of.id('id', ({ view }) => listIdOf(view));
const type = ({ view }: NativePlaylist): string => (view.isPublic ? 'public' : 'private');
const count = of.num('items', ({ view, songIds }) => (songIds ? undefined : view.songCount));

/** The hash of what is in it, where that is shown. */
const md5 = ({ songIds }: NativePlaylist): string | null => (songIds && songIds.length > 0 ? listMd5(songIds) : null);

/** versions.md sections 6.1 to 6.4 and 7.1 to 7.5. Versions up to 5 count in XML whatever is asked for. */
export const playlistObject = objectTable<NativePlaylist, NativeContext>('playlist', [
  idRow,
  of.text('name', ({ view }) => view.name),
  of.text('owner', ({ view }) => view.owner),
  of.object('user', accountObject, ({ view }) => view, since6),
  of.list('items', trackObject, tracksOf, { since: 6, xml: 'wrapped', item: 'playlisttrack' }),
  of.list('items', trackObject, tracksOf, { until: 5, xml: 'none' }),
  { ...count, since: 6 },
  of.num('items', ({ view, songIds }) => (songIds ? undefined : view.songCount), { until: 5, xml: 'none' }),
  of.num('items', ({ view, songIds }) => songIds?.length ?? view.songCount, { until: 5, json: 'none' }),
  of.word('type', type),
  of.text('art', ({ view }, { links }) => links.art(view.kind, view.id), { since: 4 }),
  of.bool('has_access', ({ view, viewer }) => rightsOf(viewer, view).own, since6),
  of.bool('has_collaborate', ({ view, viewer }) => rightsOf(viewer, view).collaborate, since6),
  of.bool('has_art', ({ view }) => view.artHash !== null, since6),
  ...annotationRows<NativePlaylist>(({ view }) => view.annotations).filter(({ until }) => until > 3),
  of.text('md5', md5, since6),
  of.num('last_update', ({ view }) => epochSeconds(view.updatedAtMs), since6),
  of.num('time', ({ view }) => seconds(view.durationMs), since6),
  ...filingRows<NativePlaylist>(({ filing }) => filing),
]);

/** A list by its name, as `get_indexes` and `search_group` have it in XML (versions.md section 8). */
export const slimPlaylistObject = objectTable<NativePlaylist, NativeContext>('playlist', [
  idRow,
  of.text('name', ({ view }) => view.name),
  of.num('items', ({ view, songIds }) => songIds?.length ?? view.songCount),
  of.text('owner', ({ view }) => view.owner),
  of.text('type', type),
  of.list('playlisttrack', trackObject, tracksOf),
]);

const hash = rowsOf<IdList, NativeContext>();

/** The hash of what is in a list, for clients that want to know whether it has changed. */
export const playlistHashObject = objectTable<IdList, NativeContext>('playlist_hash', [
  hash.text('md5', (songs) => (songs.total > 0 ? songs.md5 : null)),
]);
