import { lazyComponent } from '../ui/lazy-component.js';

export const ShortcutsDialog = lazyComponent(() => import('./shortcuts-dialog.js'), 'ShortcutsDialog');
export const CommandPalette = lazyComponent(() => import('./command-palette.js'), 'CommandPalette');
