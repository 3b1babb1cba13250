import { accountAdministrationEndpoints } from './people/account-administration.endpoints.js';
import { accountEndpoints } from './people/account.endpoints.js';
import { annotationEndpoints } from './people/annotation.endpoints.js';
import { bookmarkEndpoints } from './playing/bookmark.endpoints.js';
import { browsingEndpoints } from './library/browsing.endpoints.js';
import { chatEndpoints } from './people/chat.endpoints.js';
import type { EndpointRow, ServicesOf } from './endpoint.js';
import { favouriteEndpoints } from './people/favourites.endpoints.js';
import { folderEndpoints } from './library/folders.endpoints.js';
import { hlsEndpoints } from './playing/hls.endpoints.js';
import { infoEndpoints } from './library/info.endpoints.js';
import { jukeboxEndpoints } from './playing/jukebox.endpoints.js';
import { listEndpoints } from './library/lists.endpoints.js';
import { lyricsEndpoints } from './library/lyrics.endpoints.js';
import { mediaEndpoints } from './playing/media.endpoints.js';
import { playingEndpoints } from './playing/playing.endpoints.js';
import { playlistEndpoints } from './people/playlist.endpoints.js';
import { podcastEndpoints } from './playing/podcast.endpoints.js';
import { radioEndpoints } from './playing/radio.endpoints.js';
import { scanningEndpoints } from './library/scanning.endpoints.js';
import { searchEndpoints } from './library/search.endpoints.js';
import { shareEndpoints } from './people/share.endpoints.js';
import { topSongsEndpoints } from './library/top-songs.endpoints.js';
import { transcodingEndpoints } from './playing/transcoding.endpoints.js';
import { sonicEndpoints } from './library/sonic.endpoints.js';
import { systemEndpoints } from './system.endpoints.js';
import { videoEndpoints } from './library/video.endpoints.js';

/** Row of every operation. */
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
} as const satisfies Record<string, EndpointRow<never>>;

/** Services that the handlers of all operations are given. */
export type EndpointServices = ServicesOf<(typeof registry)[keyof typeof registry]>;

/** The row of an operation. */
export const endpointOf = (name: keyof typeof registry): EndpointRow<EndpointServices> => registry[name];
