import { player } from './player.js';

/** Tells the system what plays, for lock screens and media keys, and obeys theirs. */
export const followMediaSession = (): void => {
  if (!('mediaSession' in navigator)) return;
  const { mediaSession } = navigator;
  const handlers: readonly (readonly [MediaSessionAction, MediaSessionActionHandler])[] = [
    ['play', () => void player.toggle()],
    ['pause', () => void player.toggle()],
    ['nexttrack', () => void player.next()],
    ['previoustrack', () => void player.previous()],
    ['seekto', ({ seekTime }) => seekTime !== undefined && player.engine.seek(seekTime)],
  ];
  for (const [action, handler] of handlers) mediaSession.setActionHandler(action, handler);
  let shown = '';
  player.subscribe(() => {
    const { current } = player.state().queue;
    if (!current || current.id === shown) return;
    shown = current.id;
    mediaSession.metadata = new MediaMetadata({
      title: current.title,
      artist: current.artist.name,
      album: current.album.name,
      artwork: current.has_art ? [{ src: `${current.art}&size=256x256`, sizes: '256x256' }] : [],
    });
  });
  player.engine.subscribe(() => {
    const { state, positionS, durationS } = player.engine.playback();
    mediaSession.playbackState = state === 'playing' || state === 'loading' ? 'playing' : state === 'paused' ? 'paused' : 'none';
    if (Number.isFinite(durationS)) mediaSession.setPositionState({ duration: durationS, position: Math.min(positionS, durationS) });
  });
};
