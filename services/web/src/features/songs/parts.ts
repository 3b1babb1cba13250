export { ListTools } from './components/list-tools.js';
export { SongTable } from './components/song-table.js';
