import type { MethodRow } from '../method.js';
import { actionAliases, type ActionName } from './actions.js';
import { accountMethods } from './account.methods.js';
import { albumDiskMethods } from './album-disk.methods.js';
import { albumMethods } from './album.methods.js';
import { artistMethods } from './artist.methods.js';
import { bookmarkMethods } from './bookmark.methods.js';
import { browseMethods } from './browse.methods.js';
import { catalogMethods } from './catalog.methods.js';
import { collectionMethods } from './collection.methods.js';
import { deletedMethods } from './deleted.methods.js';
import { democraticMethods } from './democratic.methods.js';
import { folderMethods } from './folder.methods.js';
import { genreMethods } from './genre.methods.js';
import { labelMethods } from './label.methods.js';
import { licenseMethods } from './license.methods.js';
import { listingMethods } from './listing.methods.js';
import { liveStreamMethods } from './live-stream.methods.js';
import { localplayMethods } from './localplay.methods.js';
import { externalMethods } from './external.methods.js';
import { lyricsMethods } from './lyrics.methods.js';
import { maintenanceMethods } from './maintenance.methods.js';
import { mediaMethods } from './media.methods.js';
import { missingMethods } from './missing.methods.js';
import { playbackMethods } from './playback.methods.js';
import { playlistEditingMethods } from './playlist-editing.methods.js';
import { playlistMethods } from './playlist.methods.js';
import { playlistFolderMethods } from './playlist-folder.methods.js';
import { playlistGenerateMethods } from './playlist-generate.methods.js';
import { podcastMethods } from './podcast.methods.js';
import { preferenceMethods } from './preference.methods.js';
import { randomMethods } from './random.methods.js';
import { ratingMethods } from './rating.methods.js';
import { searchMethods } from './search.methods.js';
import { sessionMethods } from './session.methods.js';
import { shareMethods } from './share.methods.js';
import { similarMethods } from './similar.methods.js';
import { smartlistMethods } from './smartlist.methods.js';
import { sociableMethods } from './sociable.methods.js';
import { songMethods } from './song.methods.js';
import { sonicMethods } from './sonic.methods.js';
import { statisticsMethods } from './statistics.methods.js';
import { strangerMethods } from './stranger.methods.js';
import { tagMethods } from './tag.methods.js';
import { uploadMethods } from './upload.methods.js';
import { userMethods } from './user.methods.js';
import { videoMethods } from './video.methods.js';

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
  ...listingMethods,
  ...liveStreamMethods,
  ...localplayMethods,
  ...externalMethods,
  ...lyricsMethods,
  ...maintenanceMethods,
  ...mediaMethods,
  ...playbackMethods,
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
  ...sociableMethods,
  ...songMethods,
  ...sonicMethods,
  ...statisticsMethods,
  ...strangerMethods,
  ...tagMethods,
  ...uploadMethods,
  ...userMethods,
  ...videoMethods,
};

/** Actions that are served and still listed as missing: there must be none, and the compiler names the first that is. */
type ListedTwice = Extract<keyof typeof served, keyof typeof missingMethods>;
type OnceOnly = [ListedTwice] extends [never] ? object : ListedTwice;

/** Every action of the native API. A forgotten one does not compile, nor does one that is served and listed as missing. */
export const methods: Readonly<Record<ActionName, MethodRow>> = { ...served, ...(missingMethods satisfies OnceOnly) };

/** The row of an action under its own name or one of its other spellings; undefined for an unknown one. */
export const methodNamed = (action: string): MethodRow | undefined => {
  const name = actionNamed(action);
  return name && methods[name];
};

/** The action that a name, or another spelling of it, means; undefined for an unknown one. */
export const actionNamed = (action: string): ActionName | undefined => {
  const name = Object.hasOwn(actionAliases, action) ? actionAliases[action] : action;
  return name !== undefined && Object.hasOwn(methods, name) ? (name as ActionName) : undefined;
};
