import { api, content } from '../../lib/api.js';
import { heardPosition, keepHeardPosition } from '../../lib/heard-positions.js';
import { announceFailure } from '../../ui/announcements.js';
import { player, steerOther, type OtherSound } from '../player/index.js';
import { ProgrammePlayer, type Programme } from './programme-player.js';

const report = async ({ kind, id }: Programme, state: 'play' | 'stop', playedS: number): Promise<void> => {
  if (kind !== 'podcast_episode') return;
  const body = { state, time: String(Math.floor(playedS)) };
  await content(api.POST('/podcast-episodes/{episode_id}/playback', { params: { path: { episode_id: id } }, body, keepalive: true }));
};

/** The player of programmes of this page. */
export const programmes = new ProgrammePlayer({
  element: new Audio(),
  storage: localStorage,
  onPosition: ({ id }, at) => void keepHeardPosition('podcast_episode', id, at).catch(announceFailure),
});

/** The programme that the server was told of. */
let reported: Programme | undefined;

/** Tells the server once of each programme when it begins to sound, and when it is closed. */
const followReports = (): void => {
  const { programme, state, positionS } = programmes.state();
  if (programme === reported || (programme && state !== 'playing')) return;
  if (reported) report(reported, 'stop', 0).catch(announceFailure);
  reported = programme;
  if (programme) report(programme, 'play', positionS).catch(announceFailure);
};

const SOUND: OtherSound = {
  plays: () => ['playing', 'loading'].includes(programmes.state().state),
  toggle: () => programmes.toggle(),
  seekBy: (byS) => programmes.seekBy(byS),
};

const volumeChanged = (): void => programmes.setVolume(player.state().volume);

/** Connects the player of programmes with that of the queue, so that one of them sounds and keys steer it, and with the server. */
const connect = (): void => {
  volumeChanged();
  player.subscribe(volumeChanged);
  player.engine.subscribe(() => {
    if (programmes.state().programme && player.engine.playback().state === 'playing') programmes.close();
  });
  programmes.subscribe(followReports);
  programmes.subscribe(() => steerOther(programmes.state().programme && SOUND));
  addEventListener('pagehide', () => programmes.keep());
};
connect();

/** Plays a programme, an episode from where it was left. */
export const playProgramme = async (programme: Programme): Promise<void> => {
  player.engine.pause();
  const { programme: current } = programmes.state();
  if (current?.kind === programme.kind && current.id === programme.id) return programmes.toggle();
  const fromS = programme.kind === 'podcast_episode' ? await heardPosition('podcast_episode', programme.id) : 0;
  await programmes.play(programme, fromS);
};
