import { lazyRouteComponent } from '@tanstack/react-router';

export const StatisticsView = lazyRouteComponent(() => import('./components/statistics-view.js'), 'StatisticsView');
