import { kinds, type ListKind, type NamedKind } from '../../../../kinds/index.js';
import { namesByIds } from '../../../../kinds/names.reads.js';
import { collectionsByIds } from '../../../../features/playlist/collections.reads.js';
import type { HasSmartlists } from '../../../../features/smartlists/running-smartlists.js';
import type { HasPreferences } from '../../../../preferences/preferences.js';
import type { HasCommands, HasConfig, HasLog, HasSealer } from '../../../../server/needs.js';
import type { HasReadModel, ReadDatabase } from '../../../../reads/database/database.js';
import { childIds, type Children } from '../../../../reads/library/children.reads.js';
import type { IdList } from '../../../../reads/lists/id-list.js';
import type { Condition } from '../../../../reads/lists/list-query.js';
import { usersByIds } from '../../../../reads/people/users.reads.js';
import type { Viewer } from '../../../../reads/visibility/viewer.js';
import type { ReadBatch } from '../../../../render/index.js';
import { albumsWithSongs, artistsWith, expandedResult, podcastsWithEpisodes } from '../../expansion.js';
import type { CallerCall } from '../../method.js';
import { albumDiskObject } from '../../objects/album-disk.object.js';
import { albumObject } from '../../objects/album.object.js';
import { artistObject } from '../../objects/artist.object.js';
import { catalogObject } from '../../objects/catalog.object.js';
import { collectionObject } from '../../objects/collection.object.js';
import type { NativeTable } from '../../objects/native-object.js';
import { genreObject } from '../../objects/genre.object.js';
import { labelObject } from '../../objects/label.object.js';
import { liveStreamObject } from '../../objects/live-stream.object.js';
import { playlistObject, slimPlaylistObject } from '../../objects/playlist.object.js';
import { episodeObject, podcastObject, slimPodcastObject } from '../../objects/podcast.object.js';
import { shareObject } from '../../objects/share.object.js';
import { slimAlbumObject, slimArtistObject, slimSongObject, type SlimArtist } from '../../objects/slim.object.js';
import { songObject } from '../../objects/song.object.js';
import { userSummaryObject } from '../../objects/user.object.js';
import { videoObject } from '../../objects/video.object.js';
import { pageResult, type ListParams } from '../../paging.js';
import type { NativeResult } from '../../result.js';
import { listsPage, readLists } from './reading-playlists.js';
import { readShares } from './reading-shares.js';
import { readAlbums, readArtists, readPodcasts, songReader, type Reader } from './reading.js';

/** Object table of a type, and how its objects are read. */
export interface TypeShape<T> {
  readonly table: NativeTable<T>;
  readonly read: ReadBatch<T>;
  /** False for types without counters. */
  readonly counted?: boolean;
}

/** Services that objects of any type are read with. */
export type TypeServices = HasReadModel & HasPreferences & HasSealer & HasLog & HasSmartlists & HasCommands & HasConfig;

/** Call that objects are read for. */
export type ObjectReader = Pick<CallerCall<unknown, TypeServices>, 'services' | 'viewer' | 'context'>;

/** Calls `use` with the shape of a type, complete or with names only. */
type Shaped = <R>(reader: ObjectReader, isSlim: boolean, use: <T>(shape: TypeShape<T>) => R) => R;

/** Page of a call. */
export type Page = CallerCall<Pick<ListParams, 'offset' | 'limit' | 'positions'>, TypeServices>;

/** A type of `list`, `index` and `get_indexes`. */
export interface ListedType {
  /** Kind of the list and of its objects. */
  readonly kind: NamedKind & ListKind;
  /** Conditions of the type. */
  readonly own?: readonly Condition[];
  /** Oldest version that has the type. */
  readonly since: number;
  /** Children included in an index, and their kind. */
  readonly children?: { readonly relation: Children; readonly kind: 'album' | 'song' | 'podcast_episode' };
}

/** A type of objects, by its name in requests. */
export interface NativeType {
  readonly shaped: Shaped;
  /** Objects with names only in `get_indexes`, where they differ from those of a search. */
  readonly indexed?: Shaped;
  /** Page of objects that include their children. */
  readonly expanded?: (call: Page, list: IdList) => Promise<NativeResult>;
  /** How `list`, `index` and `get_indexes` list the type; absent: they do not. */
  readonly listed?: ListedType;
}

type Read<T> = (reader: ObjectReader) => ReadBatch<T>;

const shapeOf =
  <T>(table: NativeTable<T>, read: Read<T>, slim: NativeTable<T> = table): Shaped =>
  (reader, isSlim, use) =>
    use({ table: isSlim ? slim : table, read: read(reader) });

const byIds =
  <T>(read: (db: ReadDatabase, ids: ArrayLike<number>, viewer: Viewer) => Promise<T[]>): Read<T> =>
  ({ services, viewer }) =>
  (ids) =>
    read(services.db, ids, viewer);

const inBatches =
  <T>(read: (reader: ObjectReader, ids: ArrayLike<number>) => Promise<T[]>): Read<T> =>
  (reader) =>
  (ids) =>
    read(reader, ids);

// A search does not include album names, unlike `get_indexes`.
const readArtistNames = async ({ services, viewer }: Reader, ids: ArrayLike<number>): Promise<SlimArtist[]> =>
  (await namesByIds(services.db, 'artist', ids, viewer)).map((view) => ({ view, albumNames: [] }));

/** Artists with the names of their albums, with three queries. */
const readSlimArtists = async (reader: Reader, ids: ArrayLike<number>): Promise<SlimArtist[]> => {
  const { services, viewer } = reader;
  const [artists, albumIdsOf] = await Promise.all([
    namesByIds(services.db, 'artist', ids, viewer),
    childIds(services.db, kinds.artist.children.albums, ids, viewer),
  ]);
  const albumIds = new Set(Array.from(ids).flatMap((id) => Array.from(albumIdsOf(id))));
  const albums = new Map((await namesByIds(services.db, 'album', [...albumIds], viewer)).map((album) => [album.id, album]));
  return artists.map((view) => ({ view, albumNames: Array.from(albumIdsOf(view.id)).flatMap((id) => albums.get(id) ?? []) }));
};

const artistsOr =
  (readNames: typeof readArtistNames): Shaped =>
  (reader, isSlim, use) =>
    isSlim
      ? use({ table: slimArtistObject, read: (ids) => readNames(reader, ids) })
      : use({ table: artistObject, read: (ids) => readArtists(reader, ids) });

const artist = {
  shaped: artistsOr(readArtistNames),
  indexed: artistsOr(readSlimArtists),
  expanded: (call, list) =>
    expandedResult(call, list, { table: artistObject, steps: (ids) => artistsWith(call, ids, { albums: true, songs: true }) }),
} satisfies NativeType;

const role = (name: string): readonly Condition[] => [{ name, value: '1' }];
const albums = (relation: Children) => ({ relation, kind: 'album' }) as const;
const songs = (relation: Children) => ({ relation, kind: 'song' }) as const;
const slimInXml = <T>({ format }: Page, slim: T, whole: T): T => (format === 'xml' ? slim : whole);
const genre = { shaped: shapeOf(genreObject, byIds(kinds.genre.read)) };

/** All types. Errors name the listed ones in this order. */
export const nativeTypes = {
  song: { shaped: shapeOf(songObject, songReader, slimSongObject), listed: { kind: 'song', since: 4 } },
  album: {
    shaped: shapeOf(albumObject, inBatches(readAlbums), slimAlbumObject),
    expanded: (call, list) => expandedResult(call, list, { table: albumObject, steps: (ids) => albumsWithSongs(call, ids) }),
    listed: { kind: 'album', since: 4, children: songs(kinds.album.children.songs) },
  },
  album_disk: {
    shaped: shapeOf(
      albumDiskObject,
      byIds(async (db, ids, viewer) => (await kinds.album_disk.read(db, ids, viewer)).map((view) => ({ view, tracks: [] }))),
    ),
    listed: { kind: 'album_disk', since: 8, children: songs(kinds.album_disk.children.songs) },
  },
  artist: { ...artist, listed: { kind: 'artist', since: 4, children: albums(kinds.artist.children.albums) } },
  album_artist: {
    ...artist,
    listed: { kind: 'artist', own: role('album_artist'), since: 4, children: albums(kinds.artist.children.albumsAsAlbumArtist) },
  },
  song_artist: {
    ...artist,
    listed: { kind: 'artist', own: role('song_artist'), since: 4, children: albums(kinds.artist.children.albumsAsSongArtist) },
  },
  catalog: { shaped: shapeOf(catalogObject, byIds(kinds.catalog.read)), listed: { kind: 'catalog', since: 4 } },
  video: { shaped: shapeOf(videoObject, byIds(kinds.video.read)), listed: { kind: 'video', since: 4 } },
  share: { shaped: shapeOf(shareObject, inBatches(readShares)), listed: { kind: 'share', since: 4 } },
  live_stream: { shaped: shapeOf(liveStreamObject, byIds(kinds.live_stream.read)), listed: { kind: 'live_stream', since: 4 } },
  podcast: {
    shaped: shapeOf(podcastObject, inBatches(readPodcasts), slimPodcastObject),
    expanded: (call, list) =>
      expandedResult(call, list, {
        table: slimInXml(call, slimPodcastObject, podcastObject),
        steps: (ids) => podcastsWithEpisodes(call, ids),
      }),
    listed: { kind: 'podcast', since: 4, children: { relation: kinds.podcast.children.episodes, kind: 'podcast_episode' } },
  },
  podcast_episode: { shaped: shapeOf(episodeObject, byIds(kinds.podcast_episode.read)), listed: { kind: 'podcast_episode', since: 4 } },
  playlist: {
    shaped: shapeOf(playlistObject, inBatches(readLists), slimPlaylistObject),
    expanded: (call, list) => listsPage(call, list, { expanded: true, table: slimInXml(call, slimPlaylistObject, playlistObject) }),
    // Without smartlists if the caller hides them, see `listScope`.
    listed: { kind: 'playlist_search', since: 4, children: songs(kinds.playlist.children.songs) },
  },
  genre,
  tag: genre,
  label: { shaped: shapeOf(labelObject, byIds(kinds.label.read)) },
  user: {
    shaped: ({ services }, _isSlim, use) => use({ table: userSummaryObject, read: (ids) => usersByIds(services.db, ids), counted: false }),
  },
  collection: { shaped: shapeOf(collectionObject, byIds(collectionsByIds)) },
} as const satisfies Readonly<Record<string, NativeType>>;

/** A page of whole objects of a type. */
export const pageOf = (call: Page, type: keyof typeof nativeTypes, list: IdList): Promise<NativeResult> =>
  nativeTypes[type].shaped(call, false, (shape) => pageResult(call, list, shape));
