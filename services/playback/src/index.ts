export { playbackService } from './playback.service.js';
