import type { Schemas } from '../../lib/api.js';
import { playProgramme } from './instance.js';

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
