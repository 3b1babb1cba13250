import { Palette } from 'lucide-react';
import { lazyComponent } from '../../ui/lazy-component.js';
import { t } from '../../messages/index.js';
import type { Action } from '../../ui/action.js';
import { openDialog } from '../../ui/dialogs.js';

export { startLooks } from './cover-accent.js';

const LooksDialog = lazyComponent(() => import('./components/looks-dialog.js'), 'LooksDialog');

/** Opens the choice of theme, contrast and accent. */
export const chooseLooks: Action = { name: t.looks, icon: Palette, run: () => openDialog(<LooksDialog />) };
