import { lazyComponent } from '../../ui/lazy-component.js';

export const PodcastsView = lazyComponent(() => import('./components/podcasts-view.js'), 'PodcastsView');
export const PodcastView = lazyComponent(() => import('./components/podcast-view.js'), 'PodcastView');
