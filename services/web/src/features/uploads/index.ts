import { lazyComponent } from '../../ui/lazy-component.js';

export { FileDrop } from './components/file-drop.js';
export { useMayUpload } from './use-may-upload.js';

export const UploadsView = lazyComponent(() => import('./components/uploads-view.js'), 'UploadsView');
