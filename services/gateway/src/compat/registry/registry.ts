import { accountAdministrationEndpoints } from './account-administration.endpoints.js';
import { accountEndpoints } from './account.endpoints.js';
import { annotationEndpoints } from './annotation.endpoints.js';
import { bookmarkEndpoints } from './bookmark.endpoints.js';
import { browsingEndpoints } from './browsing.endpoints.js';
import { chatEndpoints } from './chat.endpoints.js';
import type { EndpointRow } from './endpoint.js';
import { favouriteEndpoints } from './favourites.endpoints.js';
import { folderEndpoints } from './folders.endpoints.js';
import { hlsEndpoints } from './hls.endpoints.js';
import { infoEndpoints } from './info.endpoints.js';
import { jukeboxEndpoints } from './jukebox.endpoints.js';
import { listEndpoints } from './lists.endpoints.js';
import { lyricsEndpoints } from './lyrics.endpoints.js';
import { mediaEndpoints } from './media.endpoints.js';
import type { OperationName } from './names.js';
import { playingEndpoints } from './playing.endpoints.js';
import { playlistEndpoints } from './playlist.endpoints.js';
import { podcastEndpoints } from './podcast.endpoints.js';
import { radioEndpoints } from './radio.endpoints.js';
import { scanningEndpoints } from './scanning.endpoints.js';
import { searchEndpoints } from './search.endpoints.js';
import { shareEndpoints } from './share.endpoints.js';
import { topSongsEndpoints } from './top-songs.endpoints.js';
import { transcodingEndpoints } from './transcoding.endpoints.js';
import { sonicEndpoints } from './sonic.endpoints.js';
import { systemEndpoints } from './system.endpoints.js';
import { videoEndpoints } from './video.endpoints.js';

/** Every operation of the protocol: how it is answered, or why it is not. A forgotten one does not compile. */
export const registry = {
  ...systemEndpoints,
  ...browsingEndpoints,
  ...folderEndpoints,
  ...listEndpoints,
  ...searchEndpoints,
  ...mediaEndpoints,
  ...lyricsEndpoints,
  ...infoEndpoints,
  ...jukeboxEndpoints,
  ...annotationEndpoints,
  ...favouriteEndpoints,
  ...accountEndpoints,
  ...accountAdministrationEndpoints,
  ...playingEndpoints,
  ...topSongsEndpoints,
  ...scanningEndpoints,
  ...playlistEndpoints,
  ...shareEndpoints,
  ...bookmarkEndpoints,
  ...chatEndpoints,
  ...videoEndpoints,
  ...hlsEndpoints,
  ...transcodingEndpoints,
  ...podcastEndpoints,
  ...radioEndpoints,
  ...sonicEndpoints,
} as const satisfies Record<OperationName, EndpointRow>;

/** The row of an operation. */
export const endpointOf = (name: OperationName): EndpointRow => registry[name];
