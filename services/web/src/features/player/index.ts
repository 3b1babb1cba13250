export { PlayerBar } from './components/player-bar.js';
export { PlayButtons } from './components/play-buttons.js';
export { QueuePanel } from './components/queue-panel.js';
export { usePlayer } from './hooks.js';
export { player, startPlayer } from './instance.js';
