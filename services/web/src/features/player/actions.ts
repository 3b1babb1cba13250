import { FastForward, Pause, Play, Repeat, Repeat1, Rewind, Shuffle, SkipBack, SkipForward, Volume1, Volume2 } from 'lucide-react';
import type { Song } from '../../lib/api.js';
import { t } from '../../messages/index.js';
import { announceFailure, type Action } from '../../ui/action.js';
import { player, sharedQueue } from './instance.js';
import { otherSound } from './other-sound.js';
import { albumEnd } from './queue.js';
import type { Command } from './shared-queue.js';
import { upcoming } from './upcoming.js';

const REPEAT_NAMES = { off: t.repeatOff, all: t.repeatAll, one: t.repeatOne } as const;
const VOLUME_STEP = 0.1;
const JUMP_S = 10;

/** Tells the device that plays elsewhere, or this one when none does. */
const either = (command: Command, here: () => unknown): void => {
  if (sharedQueue.remote()) void sharedQueue.steer(command).catch(announceFailure);
  else here();
};

/** Goes to a position in the song, s, where it plays. */
export const seekTo = (positionS: number): void => either({ action: 'seek', positionS }, () => player.engine.seek(positionS));

/** Position in the song where it plays, here or on another device, s. */
export const positionNowS = (): number => {
  const remote = sharedQueue.remote();
  if (!remote) return player.engine.playback().positionS;
  return remote.positionS + (remote.plays ? Math.max(0, Date.now() - remote.atMs) / 1000 : 0);
};

const jump = (byS: number) => () => {
  const other = otherSound();
  if (other) other.seekBy(byS);
  else seekTo(Math.max(0, positionNowS() + byS));
};

/** Adds songs that play once the album of the current song is over. @throws ApiError */
export const playAfterAlbum = async (songs: readonly Song[]): Promise<void> =>
  player.enqueue(songs, { afterIndex: await albumEnd(player.state().queue, upcoming) });

/** Playback actions, named by the present state of the player. */
export const playbackActions = () => {
  const { queue, volume } = player.state();
  const { state } = player.engine.playback();
  const other = otherSound();
  const plays = other?.plays() ?? sharedQueue.remote()?.plays ?? (state === 'playing' || state === 'loading');
  return {
    shuffle: { name: t.shuffle, icon: Shuffle, key: 's', isOn: queue.context?.seed !== undefined, run: () => player.toggleShuffle() },
    previous: { name: t.previous, icon: SkipBack, key: 'p', run: () => either({ action: 'previous' }, () => player.previous()) },
    toggle: {
      name: plays ? t.pause : t.play,
      icon: plays ? Pause : Play,
      key: ' ',
      run: () => (other ? other.toggle() : either({ action: plays ? 'pause' : 'resume' }, () => player.toggle())),
    },
    back: { name: t.backBy(JUMP_S), icon: Rewind, key: 'arrowleft', run: jump(-JUMP_S) },
    forward: { name: t.forwardBy(JUMP_S), icon: FastForward, key: 'arrowright', run: jump(JUMP_S) },
    next: { name: t.next, icon: SkipForward, key: 'n', run: () => either({ action: 'next' }, () => player.next()) },
    repeat: {
      name: REPEAT_NAMES[queue.repeat],
      icon: queue.repeat === 'one' ? Repeat1 : Repeat,
      key: 'r',
      isOn: queue.repeat !== 'off',
      run: () => player.toggleRepeat(),
    },
    louder: { name: t.louder, icon: Volume2, key: '+', run: () => player.setVolume(Math.min(1, volume + VOLUME_STEP)) },
    quieter: { name: t.quieter, icon: Volume1, key: '-', run: () => player.setVolume(Math.max(0, volume - VOLUME_STEP)) },
  } satisfies Readonly<Record<string, Action>>;
};
