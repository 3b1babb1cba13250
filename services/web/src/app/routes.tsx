import { createHashHistory, createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import { AlbumView, AlbumsView } from '../features/albums/index.js';
import { ArtistView, ArtistsView } from '../features/artists/index.js';
import { HomeView } from '../features/home/index.js';
import { PlaylistView, PlaylistsView } from '../features/playlists/index.js';
import { SearchView } from '../features/search/index.js';
import { t } from '../messages/index.js';
import { Notice } from '../ui/states.js';
import { FavouritesView, SongsView } from './lists.js';
import { Shell } from './shell.js';

const root = createRootRoute({ component: Shell, notFoundComponent: () => <Notice>{t.notHere}</Notice> });
const at = <P extends string>(path: P, component: () => React.ReactNode) => createRoute({ getParentRoute: () => root, path, component });

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
const search = createRoute({
  getParentRoute: () => root,
  path: '/search',
  validateSearch: ({ words }: Record<string, unknown>): { words?: string } => (words === undefined ? {} : { words: String(words) }),
  component: SearchView,
});

const tree = root.addChildren([
  at('/', HomeView),
  at('/albums', AlbumsView),
  at('/artists', ArtistsView),
  at('/songs', SongsView),
  at('/playlists', PlaylistsView),
  at('/favourites', FavouritesView),
  album,
  artist,
  playlist,
  search,
]);

/** The views and their addresses. They stand behind a `#`: the page works below any path of a proxy, and from a folder, without rules for rewriting. */
export const router = createRouter({ routeTree: tree, history: createHashHistory() });

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
