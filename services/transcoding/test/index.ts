export { ffmpeg, measureClicks, probe, type ProbedMedia } from './media.js';
