import { lazyRouteComponent } from '@tanstack/react-router';

export const FolderView = lazyRouteComponent(() => import('./components/folder-view.js'), 'FolderView');
