import { lazyComponent } from '../../ui/lazy-component.js';

export { AlbumCard } from './components/album-card.js';
export { albumFilterOf } from './filter.js';
export { artistAlbumsQuery, rankedAlbumsQuery, type AlbumRanking } from './queries.js';

export const AlbumView = lazyComponent(() => import('./components/album-view.js'), 'AlbumView');
export const AlbumsView = lazyComponent(() => import('./components/albums-view.js'), 'AlbumsView');
export const AlbumGrid = lazyComponent(() => import('./components/album-grid.js'), 'AlbumGrid');
