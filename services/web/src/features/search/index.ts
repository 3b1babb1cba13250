import { lazyComponent } from '../../ui/lazy-component.js';

export { useFound } from './use-found.js';

export const SearchView = lazyComponent(() => import('./components/search-view.js'), 'SearchView');
