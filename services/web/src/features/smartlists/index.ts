import { lazyRouteComponent } from '@tanstack/react-router';

export const SmartlistView = lazyRouteComponent(() => import('./components/smartlist-view.js'), 'SmartlistView');
export const SearchSentences = lazyRouteComponent(() => import('./components/search-sentences.js'), 'SearchSentences');
export const WhyDialog = lazyRouteComponent(() => import('./components/why-dialog.js'), 'WhyDialog');
