import type { MethodRow, ServicesOf } from '../method.js';
import { actionAliases } from './action-aliases.js';
import { accountMethods } from './people/account.methods.js';
import { albumDiskMethods } from './library/album-disk.methods.js';
import { albumMethods } from './library/album.methods.js';
import { artistMethods } from './library/artist.methods.js';
import { bookmarkMethods } from './playing/bookmark.methods.js';
import { browseMethods } from './library/browse.methods.js';
import { catalogMethods } from './library/catalog.methods.js';
import { collectionMethods } from './playlists/collection.methods.js';
import { deletedMethods } from './library/deleted.methods.js';
import { democraticMethods } from './playing/democratic.methods.js';
import { folderMethods } from './library/folder.methods.js';
import { genreMethods } from './library/genre.methods.js';
import { initialMethods } from './library/initial.methods.js';
import { labelMethods } from './library/label.methods.js';
import { listeningMethods } from './people/listening.methods.js';
import { licenseMethods } from './library/license.methods.js';
import { listingMethods } from './lists/listing.methods.js';
import { liveStreamMethods } from './playing/live-stream.methods.js';
import { localplayMethods } from './playing/localplay.methods.js';
import { externalMethods } from './library/external.methods.js';
import { lyricsMethods } from './library/lyrics.methods.js';
import { maintenanceMethods } from './people/maintenance.methods.js';
import { mediaMethods } from './playing/media.methods.js';
import { playbackMethods } from './playing/playback.methods.js';
import { playQueueMethods } from './playing/play-queue.methods.js';
import { playlistEditingMethods } from './playlists/playlist-editing.methods.js';
import { playlistMethods } from './playlists/playlist.methods.js';
import { playlistFolderMethods } from './playlists/playlist-folder.methods.js';
import { playlistGenerateMethods } from './playlists/playlist-generate.methods.js';
import { podcastMethods } from './playing/podcast.methods.js';
import { preferenceMethods } from './people/preference.methods.js';
import { randomMethods } from './library/random.methods.js';
import { ratingMethods } from './people/rating.methods.js';
import { searchMethods } from './lists/search.methods.js';
import { sessionMethods } from './people/session.methods.js';
import { shareMethods } from './playlists/share.methods.js';
import { similarMethods } from './library/similar.methods.js';
import { smartlistMethods } from './playlists/smartlist.methods.js';
import { socialMethods } from './people/social.methods.js';
import { songMethods } from './library/song.methods.js';
import { sonicMethods } from './library/sonic.methods.js';
import { statisticsMethods } from './library/statistics.methods.js';
import { unauthenticatedMethods } from './people/unauthenticated.methods.js';
import { tagMethods } from './library/tag.methods.js';
import { uploadMethods } from './people/upload.methods.js';
import { userMethods } from './people/user.methods.js';
import { videoMethods } from './library/video.methods.js';
import { yearMethods } from './library/year.methods.js';

const served = {
  ...accountMethods,
  ...albumDiskMethods,
  ...albumMethods,
  ...artistMethods,
  ...bookmarkMethods,
  ...browseMethods,
  ...catalogMethods,
  ...collectionMethods,
  ...deletedMethods,
  ...democraticMethods,
  ...folderMethods,
  ...genreMethods,
  ...labelMethods,
  ...licenseMethods,
  ...listeningMethods,
  ...listingMethods,
  ...liveStreamMethods,
  ...localplayMethods,
  ...externalMethods,
  ...lyricsMethods,
  ...maintenanceMethods,
  ...mediaMethods,
  ...playbackMethods,
  ...playQueueMethods,
  ...playlistEditingMethods,
  ...playlistFolderMethods,
  ...playlistGenerateMethods,
  ...playlistMethods,
  ...podcastMethods,
  ...preferenceMethods,
  ...randomMethods,
  ...ratingMethods,
  ...searchMethods,
  ...sessionMethods,
  ...shareMethods,
  ...similarMethods,
  ...smartlistMethods,
  ...socialMethods,
  ...songMethods,
  ...sonicMethods,
  ...statisticsMethods,
  ...unauthenticatedMethods,
  ...tagMethods,
  ...uploadMethods,
  ...userMethods,
  ...videoMethods,
  ...yearMethods,
  ...initialMethods,
};

/** An action of the native API in any version. */
export type ActionName = keyof typeof served;

/** Services that the handlers of all actions are given. */
export type MethodServices = ServicesOf<(typeof served)[ActionName]>;

/** Rows of all actions. */
export const methods: Readonly<Record<ActionName, MethodRow<MethodServices>>> = served;

const isAction = (name: string): name is ActionName => Object.hasOwn(methods, name);

/** Every action of the native API in any version. */
export const actionNames: readonly ActionName[] = Object.keys(methods).filter(isAction).toSorted();

/** Row of an action or alias; undefined when unknown. */
export const methodNamed = (action: string): MethodRow<MethodServices> | undefined => {
  const name = actionNamed(action);
  return name && methods[name];
};

const aliases: Readonly<Record<string, ActionName>> = actionAliases;

/** Action of a name or alias; undefined when unknown. */
export const actionNamed = (action: string): ActionName | undefined => {
  if (isAction(action)) return action;
  return Object.hasOwn(aliases, action) ? aliases[action] : undefined;
};
