import type {
  CatalogEvent,
  CollectionEvent,
  FolderEvent,
  LiveStreamEvent,
  PlaylistEvent,
  PlaylistTerms,
  PublicEventType,
  SmartlistEvent,
  VideoEvent,
} from '@continuo/contracts';
import { bySystem, type Draft, type DraftFamily, type Drafting } from '../draft.js';

type FolderData<T extends FolderEvent['type']> = Extract<FolderEvent, { type: T }>['data'];
type VideoData<T extends VideoEvent['type']> = Extract<VideoEvent, { type: T }>['data'];
type CatalogData<T extends CatalogEvent['type']> = Extract<CatalogEvent, { type: T }>['data'];
type SmartlistData<T extends SmartlistEvent['type']> = Extract<SmartlistEvent, { type: T }>['data'];
type CollectionData<T extends CollectionEvent['type']> = Extract<CollectionEvent, { type: T }>['data'];
type LiveStreamData<T extends LiveStreamEvent['type']> = Extract<LiveStreamEvent, { type: T }>['data'];
type PlaylistData<T extends PlaylistEvent['type']> = Extract<PlaylistEvent, { type: T }>['data'];

interface Place {
  readonly folderId: number;
  readonly catalogId: number;
}

/** A change of a media folder goes to everybody who sees its catalog. Paths are left out. */
const inFolder = (type: PublicEventType, { folderId, catalogId }: Place, data: Draft['data']): readonly Draft[] => [
  {
    type,
    object: { kind: 'folder', id: folderId },
    actor: bySystem,
    data: { catalogId: String(catalogId), ...data },
    audience: { owners: [], others: { are: 'everybody' }, catalogIds: [catalogId] },
  },
];

const songIds = (songs: readonly { readonly songId: number }[]): Draft['data'] => ({ songIds: songs.map(({ songId }) => String(songId)) });
const videoIds = (videos: readonly { readonly videoId: number }[]): Draft['data'] => ({
  videoIds: videos.map(({ videoId }) => String(videoId)),
});

/** Songs, by folder, as a scan finds them: one notification for all that changed in it. */
export const folderFamily: DraftFamily = {
  aggregate: 'folder',
  types: ['library.songs_added', 'library.songs_changed', 'library.songs_moved', 'library.songs_removed'],
  drafts: {
    TracksAdded: ((data) => inFolder('library.songs_added', data, songIds(data.tracks))) satisfies Drafting<FolderData<'TracksAdded'>>,
    TracksChanged: ((data) => inFolder('library.songs_changed', data, songIds(data.tracks))) satisfies Drafting<
      FolderData<'TracksChanged'>
    >,
    // The other folder may lie in a catalog that not everybody sees who sees this one.
    TracksMovedIn: ((data) => inFolder('library.songs_moved', data, { ...songIds(data.tracks), direction: 'in' })) satisfies Drafting<
      FolderData<'TracksMovedIn'>
    >,
    TracksMovedOut: ((data) => inFolder('library.songs_moved', data, { ...songIds(data.songs), direction: 'out' })) satisfies Drafting<
      FolderData<'TracksMovedOut'>
    >,
    TracksRemoved: ((data) => inFolder('library.songs_removed', data, songIds(data.songs))) satisfies Drafting<FolderData<'TracksRemoved'>>,
  },
};

/** Videos, in the same way. */
export const videoFamily: DraftFamily = {
  aggregate: 'video-folder',
  types: ['library.videos_added', 'library.videos_changed', 'library.videos_moved', 'library.videos_removed'],
  drafts: {
    VideosAdded: ((data) => inFolder('library.videos_added', data, videoIds(data.videos))) satisfies Drafting<VideoData<'VideosAdded'>>,
    VideosChanged: ((data) => inFolder('library.videos_changed', data, videoIds(data.videos))) satisfies Drafting<
      VideoData<'VideosChanged'>
    >,
    VideosMovedIn: ((data) => inFolder('library.videos_moved', data, { ...videoIds(data.videos), direction: 'in' })) satisfies Drafting<
      VideoData<'VideosMovedIn'>
    >,
    VideosMovedOut: ((data) => inFolder('library.videos_moved', data, { ...videoIds(data.videos), direction: 'out' })) satisfies Drafting<
      VideoData<'VideosMovedOut'>
    >,
    VideosRemoved: ((data) => inFolder('library.videos_removed', data, videoIds(data.videos))) satisfies Drafting<
      VideoData<'VideosRemoved'>
    >,
  },
};

const catalog = (type: PublicEventType, id: number, data: Draft['data'] = {}): readonly Draft[] => [
  {
    type,
    object: { kind: 'catalog', id },
    actor: bySystem,
    data,
    audience: { owners: [], others: { are: 'everybody' }, catalogIds: [id] },
  },
];

/** Catalogs. */
export const catalogFamily: DraftFamily = {
  aggregate: 'catalog',
  types: ['catalog.added', 'catalog.removed'],
  drafts: {
    CatalogAdded: (({ catalogId, name, gatherTypes }) =>
      catalog('catalog.added', catalogId, { name, gathers: gatherTypes })) satisfies Drafting<CatalogData<'CatalogAdded'>>,
    CatalogRemoved: (({ catalogId }) => catalog('catalog.removed', catalogId)) satisfies Drafting<CatalogData<'CatalogRemoved'>>,
  },
};

const ADMINISTRATOR = 100;

type ListKind = 'playlist' | 'smartlist' | 'collection';
type ListTerms = Partial<Pick<PlaylistTerms, 'name' | 'isPublic'>>;

const list = (type: PublicEventType, kind: ListKind, id: number, data?: Draft['data']): readonly Draft[] => [
  {
    type,
    object: { kind, id },
    ...(data ? { data } : {}),
    audience: { owners: [], others: { are: 'level', level: ADMINISTRATOR }, termsOf: { kind, id } },
  },
];

const termsData = ({ name, isPublic }: ListTerms): Draft['data'] => ({
  ...(name === undefined ? {} : { name }),
  ...(isPublic === undefined ? {} : { public: isPublic }),
});

/** Builds a change of a list's members: each viewer may see other members, so only the change itself is sent. */
const playlistMembers =
  (change: 'added' | 'removed' | 'replaced' | 'moved'): Drafting<{ readonly playlistId: number }> =>
  ({ playlistId }) =>
    list('playlist.members_changed', 'playlist', playlistId, { change });

/** Playlists: private ones belong to their owners, collaborators and administrators. */
export const playlistFamily: DraftFamily = {
  aggregate: 'playlist',
  types: ['playlist.made', 'playlist.changed', 'playlist.members_changed', 'playlist.deleted'],
  drafts: {
    PlaylistCreated: ((data) => list('playlist.made', 'playlist', data.playlistId, termsData(data))) satisfies Drafting<
      PlaylistData<'PlaylistCreated'>
    >,
    PlaylistChanged: ((data) => list('playlist.changed', 'playlist', data.playlistId, termsData(data))) satisfies Drafting<
      PlaylistData<'PlaylistChanged'>
    >,
    PlaylistMembersAdded: playlistMembers('added'),
    PlaylistMembersRemoved: playlistMembers('removed'),
    PlaylistMembersReplaced: playlistMembers('replaced'),
    PlaylistMembersMovedLast: playlistMembers('moved'),
    PlaylistCleared: playlistMembers('removed'),
    PlaylistDeleted: (({ playlistId }) => list('playlist.deleted', 'playlist', playlistId)) satisfies Drafting<
      PlaylistData<'PlaylistDeleted'>
    >,
  },
};

/** Smartlists, as playlists. Changes of their matches cause no notification. */
export const smartlistFamily: DraftFamily = {
  aggregate: 'smartlist',
  types: ['smartlist.made', 'smartlist.changed', 'smartlist.deleted'],
  drafts: {
    SmartlistCreated: ((data) => list('smartlist.made', 'smartlist', data.smartlistId, termsData(data))) satisfies Drafting<
      SmartlistData<'SmartlistCreated'>
    >,
    SmartlistChanged: ((data) => list('smartlist.changed', 'smartlist', data.smartlistId, termsData(data))) satisfies Drafting<
      SmartlistData<'SmartlistChanged'>
    >,
    SmartlistDeleted: (({ smartlistId }) => list('smartlist.deleted', 'smartlist', smartlistId)) satisfies Drafting<
      SmartlistData<'SmartlistDeleted'>
    >,
  },
};

const collectionMembers =
  (change: 'added' | 'removed' | 'replaced'): Drafting<{ readonly collectionId: number }> =>
  ({ collectionId }) =>
    list('collection.members_changed', 'collection', collectionId, { change });

/** Collections, as playlists. */
export const collectionFamily: DraftFamily = {
  aggregate: 'collection',
  types: ['collection.made', 'collection.changed', 'collection.members_changed', 'collection.deleted'],
  drafts: {
    CollectionCreated: ((data) => list('collection.made', 'collection', data.collectionId, termsData(data))) satisfies Drafting<
      CollectionData<'CollectionCreated'>
    >,
    CollectionChanged: ((data) => list('collection.changed', 'collection', data.collectionId, termsData(data))) satisfies Drafting<
      CollectionData<'CollectionChanged'>
    >,
    CollectionMemberAdded: collectionMembers('added'),
    CollectionMembersRemoved: collectionMembers('removed'),
    CollectionMembersReplaced: collectionMembers('replaced'),
    CollectionDeleted: (({ collectionId }) => list('collection.deleted', 'collection', collectionId)) satisfies Drafting<
      CollectionData<'CollectionDeleted'>
    >,
  },
};

const liveStream = (type: PublicEventType, id: number, audience: Partial<Draft['audience']>, data?: Draft['data']): readonly Draft[] => [
  {
    type,
    object: { kind: 'live_stream', id },
    ...(data ? { data } : {}),
    audience: { owners: [], others: { are: 'everybody' }, ...audience },
  },
];

/** Radio stations, for everybody who sees their catalogs. Their addresses are left out: some carry a key. */
export const liveStreamFamily: DraftFamily = {
  aggregate: 'live-stream',
  types: ['live_stream.made', 'live_stream.changed', 'live_stream.deleted'],
  drafts: {
    LiveStreamCreated: (({ liveStreamId, catalogId, name }) =>
      liveStream('live_stream.made', liveStreamId, { catalogIds: [catalogId] }, { catalogId: String(catalogId), name })) satisfies Drafting<
      LiveStreamData<'LiveStreamCreated'>
    >,
    // In which catalog it is now has to be looked up.
    LiveStreamChanged: (({ liveStreamId, name }) =>
      liveStream(
        'live_stream.changed',
        liveStreamId,
        { about: { kind: 'live_stream', id: liveStreamId } },
        name === undefined ? {} : { name },
      )) satisfies Drafting<LiveStreamData<'LiveStreamChanged'>>,
    LiveStreamDeleted: (({ liveStreamId, catalogId }) =>
      liveStream('live_stream.deleted', liveStreamId, { catalogIds: [catalogId] }, { catalogId: String(catalogId) })) satisfies Drafting<
      LiveStreamData<'LiveStreamDeleted'>
    >,
  },
};
