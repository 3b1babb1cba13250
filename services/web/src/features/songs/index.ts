export { OtherSongActions, type ChosenSongs, type SongAction } from './actions.js';
export { SongTable } from './components/song-table.js';
