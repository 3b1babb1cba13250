export { LyricsPanel } from './components/lyrics-panel.js';
