import { lazyComponent } from '../../ui/lazy-component.js';

export { videoFilterOf } from './filter.js';

export const VideosView = lazyComponent(() => import('./components/videos-view.js'), 'VideosView');
export const VideoView = lazyComponent(() => import('./components/video-view.js'), 'VideoView');
