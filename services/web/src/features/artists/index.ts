import { lazyComponent } from '../../ui/lazy-component.js';

export const ArtistView = lazyComponent(() => import('./components/artist-view.js'), 'ArtistView');
export const ArtistsView = lazyComponent(() => import('./components/artists-view.js'), 'ArtistsView');
export const ArtistList = lazyComponent(() => import('./components/artists-view.js'), 'ArtistList');
