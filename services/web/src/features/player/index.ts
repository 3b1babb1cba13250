import { lazy } from 'react';

export { playAfterAlbum, playbackActions } from './actions.js';
export { PlayerBar, type Panel } from './components/player-bar.js';
export { PlayButtons } from './components/play-buttons.js';
export { usePlayer } from './hooks.js';
export { player, soundOf, startPlayer } from './instance.js';
export { takeMediaSession } from './media-session.js';
export { steerOther, type OtherSound } from './other-sound.js';
export { isForPlayer, isPlayerKey } from './shortcuts.js';

/** The queue; loaded when it is opened. */
export const QueuePanel = lazy(() => import('./components/queue-panel.js'));
