import { createHashHistory, createRootRoute, createRoute, createRouter, type RouteComponent } from '@tanstack/react-router';
import { AlbumView, AlbumsView, albumFilterOf } from '../features/albums/index.js';
import { ArtistView, ArtistsView } from '../features/artists/index.js';
import { FolderView } from '../features/folders/index.js';
import { GenreView, GenresView } from '../features/genres/index.js';
import { HomeView } from '../features/home/index.js';
import { LabelView, LabelsView } from '../features/labels/index.js';
import { ManageView } from '../features/manage/index.js';
import { PodcastsView, PodcastView } from '../features/podcasts/index.js';
import { RadioView } from '../features/radio/index.js';
import { PlaylistView, PlaylistsView } from '../features/playlists/index.js';
import { SearchView } from '../features/search/index.js';
import { StatisticsView } from '../features/statistics/index.js';
import { YearsView } from '../features/years/index.js';
import { CollectionsView, CollectionView } from '../features/collections/index.js';
import { UploadsView } from '../features/uploads/index.js';
import { VideosView, VideoView, videoFilterOf } from '../features/videos/index.js';
import { songOrders, songsQuery } from '../lib/song-sources.js';
import { BookmarksView } from '../features/bookmarks/index.js';
import { OfflineListView, OfflineView } from '../features/offline/index.js';
import { PartyView } from '../features/party/index.js';
import { PeopleView } from '../features/people/index.js';
import { SharesView } from '../features/shares/index.js';
import { SmartlistView } from '../features/smartlists/index.js';
import { textIn, yearOf } from '../lib/address.js';
import { isThere } from '../lib/session.js';
import { t } from '../messages/index.js';
import { Failure, Notice } from '../ui/states.js';
import { View } from '../ui/view.js';
import { client } from './client.js';
import { favouriteKinds, sourceOf, type SongFilter } from './filters.js';
import { LibraryView } from './places.js';
import { Shell } from './shell.js';
import { lazyComponent } from '../ui/lazy-component.js';

const root = createRootRoute({ component: Shell, notFoundComponent: () => <View title={t.notHere} /> });
const at = <P extends string>(path: P, component: RouteComponent) => createRoute({ getParentRoute: () => root, path, component });

const SongsView = lazyComponent(() => import('./lists.js'), 'SongsView');
const FavouritesView = lazyComponent(() => import('./lists.js'), 'FavouritesView');

const album = createRoute({ getParentRoute: () => root, path: '/albums/$id', component: () => <AlbumView id={album.useParams().id} /> });
const artist = createRoute({
  getParentRoute: () => root,
  path: '/artists/$id',
  component: () => <ArtistView id={artist.useParams().id} />,
});
const playlist = createRoute({
  getParentRoute: () => root,
  path: '/playlists/$id',
  component: () => <PlaylistView id={playlist.useParams().id} />,
});
const genre = createRoute({ getParentRoute: () => root, path: '/genres/$id', component: () => <GenreView id={genre.useParams().id} /> });
const label = createRoute({ getParentRoute: () => root, path: '/labels/$id', component: () => <LabelView id={label.useParams().id} /> });
const folder = createRoute({
  getParentRoute: () => root,
  path: '/folders/$id',
  component: () => <FolderView id={folder.useParams().id} />,
});

const collection = createRoute({
  getParentRoute: () => root,
  path: '/collections/$id',
  component: () => <CollectionView id={collection.useParams().id} />,
});
const video = createRoute({ getParentRoute: () => root, path: '/videos/$id', component: () => <VideoView id={video.useParams().id} /> });
const offlineList = createRoute({
  getParentRoute: () => root,
  path: '/offline/$list',
  component: () => <OfflineListView list={offlineList.useParams().list} />,
});
const podcast = createRoute({
  getParentRoute: () => root,
  path: '/podcasts/$id',
  component: () => <PodcastView id={podcast.useParams().id} />,
});
const smartlist = createRoute({
  getParentRoute: () => root,
  path: '/smartlists/$id',
  component: () => <SmartlistView id={smartlist.useParams().id} />,
});

type Address = Readonly<Record<string, unknown>>;

const albums = createRoute({ getParentRoute: () => root, path: '/albums', validateSearch: albumFilterOf, component: AlbumsView });
const songs = createRoute({
  getParentRoute: () => root,
  path: '/songs',
  validateSearch: ({ order, name, artist: artistId }: Address): SongFilter => ({
    order: songOrders.find((known) => known === order),
    name: textIn(name),
    artist: textIn(artistId),
  }),
  loaderDeps: ({ search: filter }) => filter,
  loader: ({ deps }) => void client.prefetchQuery(songsQuery(sourceOf(deps), 0)),
  component: SongsView,
});
const videos = createRoute({ getParentRoute: () => root, path: '/videos', validateSearch: videoFilterOf, component: VideosView });
const statistics = createRoute({
  getParentRoute: () => root,
  path: '/statistics',
  validateSearch: ({ year }: Address): { year?: number | undefined } => ({ year: yearOf(year) }),
  component: StatisticsView,
});
const favourites = createRoute({
  getParentRoute: () => root,
  path: '/favourites',
  validateSearch: ({ kind }: Address): { kind?: (typeof favouriteKinds)[number] | undefined } => ({
    kind: favouriteKinds.find((known) => known === kind),
  }),
  component: FavouritesView,
});
const search = createRoute({
  getParentRoute: () => root,
  path: '/search',
  validateSearch: ({ words }: Address): { words?: string | undefined } => ({ words: textIn(words) }),
  component: SearchView,
});

const tree = root.addChildren([
  at('/manage', ManageView),
  at('/manage/$section', ManageView),
  at('/manage/$section/$id', ManageView),
  at('/', HomeView),
  at('/library', LibraryView),
  at('/artists', ArtistsView),
  at('/genres', GenresView),
  at('/labels', LabelsView),
  at('/folders', () => <FolderView />),
  at('/playlists', PlaylistsView),
  at('/podcasts', PodcastsView),
  podcast,
  videos,
  video,
  at('/collections', CollectionsView),
  collection,
  at('/uploads', UploadsView),
  at('/years', YearsView),
  statistics,
  at('/radio', RadioView),
  albums,
  songs,
  favourites,
  album,
  genre,
  label,
  folder,
  artist,
  playlist,
  smartlist,
  at('/shares', SharesView),
  at('/bookmarks', BookmarksView),
  at('/offline', OfflineView),
  offlineList,
  at('/party', PartyView),
  at('/people', PeopleView),
  at('/smartlists/new', () => <SmartlistView />),
  search,
]);

/** Loads the page anew, if the server answers: otherwise the browser would show that it cannot. */
const reloadOnceThere = async (): Promise<void> => {
  if (await isThere()) location.reload();
};

/** The views and their addresses. They stand behind a `#`: the page works below any path of a proxy, and from a folder, without rules for rewriting. */
export const router = createRouter({
  routeTree: tree,
  history: createHashHistory(),
  // Shown while the script of a view is on its way.
  defaultPendingComponent: () => <Notice>{t.loading}</Notice>,
  defaultPendingMinMs: 0,
  // A view that failed, or whose script could not be loaded: browsers do not ask for that again.
  defaultErrorComponent: ({ error }) => <Failure error={error} onRetry={() => void reloadOnceThere()} />,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
