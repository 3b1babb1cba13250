import { lazyComponent } from '../../ui/lazy-component.js';

export { peopleQuery } from './queries.js';

export const PeopleView = lazyComponent(() => import('./components/people-view.js'), 'PeopleView');
