import { lazyRouteComponent } from '@tanstack/react-router';

export { AlbumCard } from './components/album-card.js';
export { albumFilterOf } from './filter.js';
export { artistAlbumsQuery, rankedAlbumsQuery, type AlbumRanking } from './queries.js';

export const AlbumView = lazyRouteComponent(() => import('./components/album-view.js'), 'AlbumView');
export const AlbumsView = lazyRouteComponent(() => import('./components/albums-view.js'), 'AlbumsView');
export const AlbumGrid = lazyRouteComponent(() => import('./components/album-grid.js'), 'AlbumGrid');
