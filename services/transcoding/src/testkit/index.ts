export { ffmpeg, heardIn, probe, type Probed } from './media.js';
