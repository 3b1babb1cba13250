import { heardPosition, keepHeardPosition, reportPlayback } from '../../lib/heard-positions.js';
import { useWatched } from '../../lib/watched.js';
import { announceFailure } from '../../ui/action.js';
import type { Schemas } from '../../lib/api.js';
import { player, steerOther, type OtherSound } from '../player/index.js';
import { ProgrammePlayer, type Programme, type ProgrammeState } from './programme-player.js';

const report = ({ kind, id }: Programme, state: 'play' | 'stop', playedS: number): void => {
  if (kind === 'podcast_episode') reportPlayback(kind, id, state, playedS).catch(announceFailure);
};

/** The player of programmes of this page. */
export const programmes = new ProgrammePlayer({
  element: new Audio(),
  storage: localStorage,
  onPosition: ({ id }, at) => void keepHeardPosition('podcast_episode', id, at).catch(announceFailure),
});

/** State of the playback of programmes; changes some times a second. */
export const useProgrammes = (): ProgrammeState => useWatched({ subscribe: programmes.subscribe, current: programmes.state });

/** The programme that the server was told of. */
let reported: Programme | undefined;

/** Tells the server once of each programme when it begins to sound, and when it is closed. */
const followReports = (): void => {
  const { programme, state, positionS } = programmes.state();
  if (programme === reported || (programme && state !== 'playing')) return;
  if (reported) report(reported, 'stop', 0);
  reported = programme;
  if (programme) report(programme, 'play', positionS);
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

/** Plays an episode from where it was left. @throws ApiError */
export const playEpisode = async ({ id, title, podcast, url, art, has_art: hasArt, time }: Schemas['PodcastEpisode']): Promise<void> => {
  const address = new URL(url);
  // Fetching counts as no play: the page says itself what is heard.
  address.searchParams.set('cache', '1');
  const shown = { from: podcast.name, art: hasArt ? art : undefined };
  await playProgramme({ kind: 'podcast_episode', id, title, url: address.href, durationS: time, ...shown });
};

/** Plays a radio station. */
export const playStation = ({ id, name, url }: Pick<Schemas['LiveStream'], 'id' | 'name' | 'url'>): Promise<void> =>
  playProgramme({ kind: 'live_stream', id, title: name, from: '', url, art: undefined, durationS: 0 });
