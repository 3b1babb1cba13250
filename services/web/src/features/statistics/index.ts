import { lazyComponent } from '../../ui/lazy-component.js';

export const StatisticsView = lazyComponent(() => import('./components/statistics-view.js'), 'StatisticsView');
