import { lazyRouteComponent } from '@tanstack/react-router';

export { genresQuery } from './queries.js';

export const GenreView = lazyRouteComponent(() => import('./components/genre-view.js'), 'GenreView');
export const GenresView = lazyRouteComponent(() => import('./components/genres-view.js'), 'GenresView');
