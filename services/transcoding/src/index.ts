export { transcodingService } from './transcoding.service.js';
