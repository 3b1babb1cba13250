import { lazyRouteComponent } from '@tanstack/react-router';

export const YearsView = lazyRouteComponent(() => import('./components/years-view.js'), 'YearsView');
