import { lazyRouteComponent } from '@tanstack/react-router';

export { FileDrop } from './components/file-drop.js';
export { useMayUpload } from './use-may-upload.js';

export const UploadsView = lazyRouteComponent(() => import('./components/uploads-view.js'), 'UploadsView');
