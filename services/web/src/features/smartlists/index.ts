import { ListFilter } from 'lucide-react';
import { lazyComponent } from '../../ui/lazy-component.js';
import { t } from '../../messages/index.js';
import type { Action } from '../../ui/action.js';

export const WhyDialog = lazyComponent(() => import('./components/why-dialog.js'), 'WhyDialog');

/** Opens a new smartlist. @param goTo opens a view */
export const newSmartlist = (goTo: (view: string) => unknown): Action => ({
  name: t.newSmartlist,
  icon: ListFilter,
  run: () => goTo('/smartlists/new'),
});
