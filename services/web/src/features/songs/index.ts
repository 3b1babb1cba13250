export { SongTable } from './components/song-table.js';
export { songsOf, type SongSource } from './sources.js';
