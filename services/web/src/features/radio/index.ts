import { lazyRouteComponent } from '@tanstack/react-router';

export const RadioView = lazyRouteComponent(() => import('./components/radio-view.js'), 'RadioView');
