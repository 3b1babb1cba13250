import { lazyComponent } from '../../ui/lazy-component.js';

export const YearsView = lazyComponent(() => import('./components/years-view.js'), 'YearsView');
