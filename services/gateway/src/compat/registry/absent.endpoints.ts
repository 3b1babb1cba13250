import { absent, anybody } from './endpoint.js';

const notYet = (what: string, access = anybody) => absent(0, `This server does not keep ${what} yet`, { access });
const noneExists = (what: string, access = anybody) =>
  absent(70, `There is no such ${what}: this server does not keep any yet`, { access });

const podcasters = { ...anybody, role: 'podcast' } as const;

const noSonicAnalysis = absent(30, 'There is no sonic analysis on this server', { open: true });

/** Operations that are not served, each with who might call it and the reason that its callers are told. */
export const absentEndpoints = {
  createPodcastChannel: notYet('podcasts', podcasters),
  deletePodcastChannel: noneExists('podcast', podcasters),
  deletePodcastEpisode: noneExists('podcast episode', podcasters),
  downloadPodcastEpisode: noneExists('podcast episode', podcasters),
  findSonicPath: noSonicAnalysis,
  getPodcastEpisode: noneExists('podcast episode'),
  getSonicSimilarTracks: noSonicAnalysis,
  refreshPodcasts: notYet('podcasts', podcasters),
} as const;
