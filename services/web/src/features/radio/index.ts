import { lazyComponent } from '../../ui/lazy-component.js';

export { stationsQuery } from './queries.js';

export const RadioView = lazyComponent(() => import('./components/radio-view.js'), 'RadioView');
