import type { Song } from '../../lib/api.js';
import { setMediaHandlers } from '../../lib/media-session.js';
import type { Player } from './player.js';

const JUMP_S = 10;

const handlersOf = (player: Player): Parameters<typeof setMediaHandlers>[0] => {
  const { engine } = player;
  const seekBy = (byS: number): void => engine.seek(Math.max(0, engine.playback().positionS + byS));
  return {
    play: () => void player.resume(),
    pause: () => engine.pause(),
    stop: () => engine.pause(),
    nexttrack: () => void player.next(),
    previoustrack: () => void player.previous(),
    seekbackward: ({ seekOffset }) => seekBy(-(seekOffset ?? JUMP_S)),
    seekforward: ({ seekOffset }) => seekBy(seekOffset ?? JUMP_S),
    seekto: ({ seekTime }) => seekTime !== undefined && engine.seek(seekTime),
  };
};

const metadataOf = ({ title, artist, album, art, has_art: hasArt }: Song): MediaMetadata =>
  new MediaMetadata({
    title,
    artist: artist.name,
    album: album.name,
    artwork: hasArt ? [{ src: `${art}&size=256x256`, sizes: '256x256' }] : [],
  });

/** Lets media keys and lock screens steer this player and show its song. */
export const takeMediaSession = (player: Player): void => {
  if (!('mediaSession' in navigator)) return;
  const { current } = player.state().queue;
  setMediaHandlers(handlersOf(player));
  navigator.mediaSession.metadata = current ? metadataOf(current) : null;
};

/** Tells the system what plays, for lock screens and media keys, and obeys theirs. */
export const followMediaSession = (player: Player): void => {
  if (!('mediaSession' in navigator)) return;
  const { mediaSession } = navigator;
  takeMediaSession(player);
  let shown: string | undefined;
  player.subscribe(() => {
    const { current } = player.state().queue;
    if (current?.id === shown) return;
    shown = current?.id;
    mediaSession.metadata = current ? metadataOf(current) : null;
  });
  player.engine.subscribe(() => {
    const { state, positionS, durationS } = player.engine.playback();
    mediaSession.playbackState = state === 'empty' ? 'none' : state === 'paused' ? 'paused' : 'playing';
    if (durationS > 0) mediaSession.setPositionState({ duration: durationS, position: Math.min(positionS, durationS) });
  });
};
