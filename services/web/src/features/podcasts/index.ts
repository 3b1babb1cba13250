import { lazyRouteComponent } from '@tanstack/react-router';

export const PodcastsView = lazyRouteComponent(() => import('./components/podcasts-view.js'), 'PodcastsView');
export const PodcastView = lazyRouteComponent(() => import('./components/podcast-view.js'), 'PodcastView');
