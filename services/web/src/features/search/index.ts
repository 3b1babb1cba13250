import { lazyRouteComponent } from '@tanstack/react-router';

export { useFound } from './use-found.js';

export const SearchView = lazyRouteComponent(() => import('./components/search-view.js'), 'SearchView');
