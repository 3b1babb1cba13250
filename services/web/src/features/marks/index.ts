export { Heart } from './components/heart.js';
export { SongHeart } from './components/heart.js';
export { Stars } from './components/stars.js';
export { rate, setFavourite } from './marking.js';
