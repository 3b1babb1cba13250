import { lazyRouteComponent } from '@tanstack/react-router';

export const PeopleView = lazyRouteComponent(() => import('./components/people-view.js'), 'PeopleView');
