import { createHashHistory, createRootRoute, createRoute, createRouter, useParams, type RouteComponent } from '@tanstack/react-router';
import type { ComponentType, ReactNode } from 'react';
import { albumFilterOf } from '../features/albums/index.js';
import { HomeView, prefetchHome } from '../features/home/index.js';
import { ManageView } from '../features/manage/index.js';
import { videoFilterOf } from '../features/videos/index.js';
import { songOrders, songsQuery } from '../lib/song-sources.js';
import { textIn, yearOf } from '../lib/address.js';
import { client } from '../lib/client.js';
import { isThere } from '../lib/session.js';
import { t } from '../messages/index.js';
import { Failure, Notice, View } from '../ui/view.js';
import { lazyComponent } from '../ui/lazy-component.js';
import { favouriteKinds, sourceOf, type SongFilter } from './filters.js';
import { LibraryView } from './places.js';
import { Shell } from './shell.js';

const root = createRootRoute({ component: Shell, notFoundComponent: () => <View title={t.notHere} /> });
const at = <P extends string>(path: P, component: RouteComponent) => createRoute({ getParentRoute: () => root, path, component });

/** A module with a view of a name. */
type Load<N extends string, Props> = () => Promise<Readonly<Record<N, ComponentType<Props>>>>;

/** A view whose script is loaded when it is first shown. */
const view = <P extends string, N extends string>(path: P, load: Load<NoInfer<N>, object>, name: N) => at(path, lazyComponent(load, name));

const WithId = ({ of: Shown }: { readonly of: ComponentType<{ readonly id: string }> }): ReactNode => (
  <Shown id={useParams({ strict: false }).id ?? ''} />
);
/** A view of one thing, whose id stands in its address. */
const one = <P extends string, N extends string>(path: P, load: Load<NoInfer<N>, { readonly id: string }>, name: N) => {
  const component = lazyComponent(load, name);
  return at(
    path,
    Object.assign(() => <WithId of={component} />, { preload: component.preload }),
  );
};

type Address = Readonly<Record<string, unknown>>;

/** A view whose address holds what it is asked for. */
const asked = <P extends string, S, N extends string>(
  path: P,
  validateSearch: (address: Address) => S,
  load: Load<NoInfer<N>, object>,
  name: N,
) => createRoute({ getParentRoute: () => root, path, validateSearch, component: lazyComponent(load, name) });

const songFilterOf = ({ order, name, artist }: Address): SongFilter => ({
  order: songOrders.find((known) => known === order),
  name: textIn(name),
  artist: textIn(artist),
});
const yearIn = ({ year }: Address): { year?: number | undefined } => ({ year: yearOf(year) });
const favouritesIn = ({ kind }: Address): { kind?: (typeof favouriteKinds)[number] | undefined } => ({
  kind: favouriteKinds.find((known) => known === kind),
});
const wordsIn = ({ words }: Address): { words?: string | undefined } => ({ words: textIn(words) });

const home = createRoute({ getParentRoute: () => root, path: '/', loader: prefetchHome, component: HomeView });
const songs = createRoute({
  getParentRoute: () => root,
  path: '/songs',
  validateSearch: songFilterOf,
  loaderDeps: ({ search: filter }) => filter,
  loader: ({ deps }) => void client.prefetchQuery(songsQuery(sourceOf(deps), 0)),
  component: lazyComponent(() => import('./songs-view.js'), 'SongsView'),
});

const tree = root.addChildren([
  at('/manage', ManageView),
  at('/manage/$section', ManageView),
  at('/manage/$section/$id', ManageView),
  home,
  at('/library', LibraryView),
  view('/artists', () => import('../features/artists/components/artists-view.js'), 'ArtistsView'),
  view('/genres', () => import('../features/genres/components/genres-view.js'), 'GenresView'),
  view('/labels', () => import('../features/labels/components/labels-view.js'), 'LabelsView'),
  view('/folders', () => import('../features/folders/components/folder-view.js'), 'FolderView'),
  view('/playlists', () => import('../features/playlists/components/playlists-view.js'), 'PlaylistsView'),
  view('/podcasts', () => import('../features/podcasts/components/podcasts-view.js'), 'PodcastsView'),
  one('/podcasts/$id', () => import('../features/podcasts/components/podcast-view.js'), 'PodcastView'),
  asked('/videos', videoFilterOf, () => import('../features/videos/components/videos-view.js'), 'VideosView'),
  one('/videos/$id', () => import('../features/videos/components/video-view.js'), 'VideoView'),
  view('/collections', () => import('../features/collections/components/collections-view.js'), 'CollectionsView'),
  one('/collections/$id', () => import('../features/collections/components/collection-view.js'), 'CollectionView'),
  view('/uploads', () => import('../features/uploads/components/uploads-view.js'), 'UploadsView'),
  view('/years', () => import('../features/years/components/years-view.js'), 'YearsView'),
  asked('/statistics', yearIn, () => import('../features/statistics/components/statistics-view.js'), 'StatisticsView'),
  view('/radio', () => import('../features/radio/components/radio-view.js'), 'RadioView'),
  asked('/albums', albumFilterOf, () => import('../features/albums/components/albums-view.js'), 'AlbumsView'),
  songs,
  asked('/favourites', favouritesIn, () => import('./favourites-view.js'), 'FavouritesView'),
  one('/albums/$id', () => import('../features/albums/components/album-view.js'), 'AlbumView'),
  one('/genres/$id', () => import('../features/genres/components/genre-view.js'), 'GenreView'),
  one('/labels/$id', () => import('../features/labels/components/labels-view.js'), 'LabelView'),
  one('/folders/$id', () => import('../features/folders/components/folder-view.js'), 'FolderView'),
  one('/artists/$id', () => import('../features/artists/components/artist-view.js'), 'ArtistView'),
  one('/playlists/$id', () => import('../features/playlists/components/playlist-view.js'), 'PlaylistView'),
  one('/smartlists/$id', () => import('../features/smartlists/components/smartlist-view.js'), 'SmartlistView'),
  view('/shares', () => import('../features/shares/components/shares-view.js'), 'SharesView'),
  view('/bookmarks', () => import('../features/bookmarks/components/bookmarks-view.js'), 'BookmarksView'),
  view('/offline', () => import('../features/offline/components/offline-view.js'), 'OfflineView'),
  one('/offline/$id', () => import('../features/offline/components/offline-view.js'), 'OfflineListView'),
  view('/party', () => import('../features/party/components/party-view.js'), 'PartyView'),
  view('/people', () => import('../features/people/components/people-view.js'), 'PeopleView'),
  view('/smartlists/new', () => import('../features/smartlists/components/smartlist-view.js'), 'SmartlistView'),
  asked('/search', wordsIn, () => import('../features/search/components/search-view.js'), 'SearchView'),
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
