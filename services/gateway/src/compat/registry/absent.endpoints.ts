import { absent } from './endpoint.js';

const notYet = (what: string) => absent(0, `This server does not keep ${what} yet`);
const noneExists = (what: string) => absent(70, `There is no such ${what}: this server does not keep any yet`);
const jukebox = absent(50, 'No account may play on the server itself yet');
const noSonicAnalysis = absent(30, 'There is no sonic analysis on this server', { open: true });

/** Operations that are not served, each with the reason that its callers are told. */
export const absentEndpoints = {
  addChatMessage: absent(0, 'Chat is switched off on this server'),
  changePassword: absent(0, 'Passwords cannot be changed over this API yet'),
  createBookmark: notYet('bookmarks'),
  createInternetRadioStation: notYet('radio stations'),
  createPlaylist: notYet('playlists'),
  createPodcastChannel: notYet('podcasts'),
  createShare: absent(50, 'No account may share yet'),
  createUser: absent(0, 'Accounts cannot be made over this API yet'),
  deleteBookmark: noneExists('bookmark'),
  deleteInternetRadioStation: noneExists('radio station'),
  deletePlaylist: noneExists('playlist'),
  deletePodcastChannel: noneExists('podcast'),
  deletePodcastEpisode: noneExists('podcast episode'),
  deleteShare: noneExists('share'),
  deleteUser: absent(0, 'Accounts cannot be removed over this API yet'),
  downloadPodcastEpisode: noneExists('podcast episode'),
  findSonicPath: noSonicAnalysis,
  getAvatar: absent(70, 'There is no avatar'),
  getCaptions: absent(70, 'There are no captions'),
  getNowPlaying: absent(0, 'This server does not know yet who is playing what'),
  getPlaylist: noneExists('playlist'),
  getPodcastEpisode: noneExists('podcast episode'),
  getSimilarSongs: absent(0, 'This server does not know yet which songs are alike'),
  getSimilarSongs2: absent(0, 'This server does not know yet which songs are alike'),
  getSonicSimilarTracks: noSonicAnalysis,
  getTopSongs: absent(0, 'This server does not rank songs yet'),
  getTranscodeDecision: absent(0, 'This server does not convert media yet', { open: true }),
  getTranscodeStream: absent(0, 'This server does not convert media yet', { open: true }),
  getUsers: absent(0, 'Accounts cannot be listed over this API yet'),
  getVideoInfo: absent(70, 'There is no such video'),
  'hls.m3u8': absent(0, 'This server does not convert media yet'),
  jukeboxControl: jukebox,
  refreshPodcasts: notYet('podcasts'),
  reportPlayback: absent(0, 'This server does not know yet who is playing what', { open: true }),
  savePlayQueue: notYet('play queues'),
  savePlayQueueByIndex: notYet('play queues'),
  search: absent(0, 'This kind of search was replaced long ago; use search2 or search3'),
  setRating: notYet('ratings'),
  star: notYet('favourites'),
  unstar: notYet('favourites'),
  updateInternetRadioStation: noneExists('radio station'),
  updatePlaylist: noneExists('playlist'),
  updateShare: noneExists('share'),
  updateUser: absent(0, 'Accounts cannot be changed over this API yet'),
} as const;
