import { lazyComponent } from '../../ui/lazy-component.js';

export const FolderView = lazyComponent(() => import('./components/folder-view.js'), 'FolderView');
