import { lazyRouteComponent } from '@tanstack/react-router';

export { videoFilterOf } from './filter.js';

export const VideosView = lazyRouteComponent(() => import('./components/videos-view.js'), 'VideosView');
export const VideoView = lazyRouteComponent(() => import('./components/video-view.js'), 'VideoView');
