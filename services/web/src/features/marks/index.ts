export { Heart } from './components/heart.js';
export { SongHeart } from './components/song-heart.js';
export { RATINGS, Stars } from './components/stars.js';
export { useMarks } from './use-marks.js';
