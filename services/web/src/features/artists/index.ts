import { lazyRouteComponent } from '@tanstack/react-router';

export const ArtistView = lazyRouteComponent(() => import('./components/artist-view.js'), 'ArtistView');
export const ArtistsView = lazyRouteComponent(() => import('./components/artists-view.js'), 'ArtistsView');
export const ArtistList = lazyRouteComponent(() => import('./components/artists-view.js'), 'ArtistList');
