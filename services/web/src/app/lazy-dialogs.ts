import { lazyRouteComponent } from '@tanstack/react-router';

export const ShortcutsDialog = lazyRouteComponent(() => import('./shortcuts-dialog.js'), 'ShortcutsDialog');
export const CommandPalette = lazyRouteComponent(() => import('./command-palette.js'), 'CommandPalette');
