import { lazyRouteComponent } from '@tanstack/react-router';

export { useSearchShortcut } from './use-search-shortcut.js';

export const SearchView = lazyRouteComponent(() => import('./components/search-view.js'), 'SearchView');
