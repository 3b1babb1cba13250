import { lazyRouteComponent } from '@tanstack/react-router';

export const LabelView = lazyRouteComponent(() => import('./components/labels-view.js'), 'LabelView');
export const LabelsView = lazyRouteComponent(() => import('./components/labels-view.js'), 'LabelsView');
