export { SongTable } from './components/song-table.js';
