import { lazyComponent } from '../../ui/lazy-component.js';

export const LabelView = lazyComponent(() => import('./components/labels-view.js'), 'LabelView');
export const LabelsView = lazyComponent(() => import('./components/labels-view.js'), 'LabelsView');
