import { api, content, isSessionOver, type Song } from '../../lib/api.js';
import { reportPlayback } from '../../lib/heard-positions.js';
import { live } from '../../lib/live.js';
import { claimPlayback } from '../../lib/media-session.js';
import { session, SignedOutError } from '../../lib/session.js';
import { catalog } from './catalog.js';
import { trackOf, type Form } from './form.js';
import { canSetVolume } from './device.js';
import { followMediaSession } from './media-session.js';
import { PlayReport } from './play-report.js';
import { Player } from './player.js';
import { SharedQueue } from './shared-queue.js';

const probe = new Audio();

/** The player of this page. */
export const player = new Player({
  catalog,
  storage: localStorage,
  canSetVolume: canSetVolume(probe),
  canPlay: (mime) => probe.canPlayType(mime) !== '',
  onTrouble: (error) => error instanceof SignedOutError && session.signIn(),
});

/** The form in which this browser plays a song, as loud as it is, and the address of its sound. */
export const soundOf = (song: Song): Form & { readonly url: string } => {
  // The gain depends on the list in which it is heard.
  const form = player.formOf(song, 1);
  return { ...form, url: trackOf(song, form, 1).url };
};

const report = new PlayReport((id, state, playedS) => reportPlayback('song', id, state, playedS));

/** The queue that this account's devices share. */
export const sharedQueue = new SharedQueue(player, {
  storage: localStorage,
  read: (limit) => content(api.GET('/play_queue', { params: { query: { limit } } })),
  write: async (body) => void (await content(api.PATCH('/play_queue', { body, keepalive: true }))),
  onTrouble: (error) => {
    if (error instanceof SignedOutError) session.signIn();
    // Somebody who signs out while the queue is on its way has lost nothing; else the next try says what is wrong.
    else if (!isSessionOver(error)) console.error(error);
  },
});

/** Takes up what the last visit has left, and connects the player with the keyboard, the system and the server. */
export const startPlayer = async (): Promise<void> => {
  claimPlayback();
  followMediaSession(player);
  player.engine.subscribe(() => report.follow(player.engine.playback()));
  addEventListener('pagehide', () => {
    player.savePosition();
    sharedQueue.leave();
    report.stop();
  });
  await player.restore();
  await sharedQueue.start();
  live.subscribe(({ type }) => {
    if (type === 'queue.changed') sharedQueue.note();
  });
};
