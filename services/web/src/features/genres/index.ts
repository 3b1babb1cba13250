import { lazyComponent } from '../../ui/lazy-component.js';

export { genresQuery } from './queries.js';

export const GenreView = lazyComponent(() => import('./components/genre-view.js'), 'GenreView');
export const GenresView = lazyComponent(() => import('./components/genres-view.js'), 'GenresView');
