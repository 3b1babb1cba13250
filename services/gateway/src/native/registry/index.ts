import type { MethodRow } from '../method.js';
import { actionAliases, type ActionName } from './actions.js';
import { albumMethods } from './album.methods.js';
import { artistMethods } from './artist.methods.js';
import { catalogMethods } from './catalog.methods.js';
import { genreMethods } from './genre.methods.js';
import { mediaMethods } from './media.methods.js';
import { missingMethods } from './missing.methods.js';
import { playbackMethods } from './playback.methods.js';
import { ratingMethods } from './rating.methods.js';
import { sessionMethods } from './session.methods.js';
import { songMethods } from './song.methods.js';
import { userMethods } from './user.methods.js';

const served = {
  ...albumMethods,
  ...artistMethods,
  ...catalogMethods,
  ...genreMethods,
  ...mediaMethods,
  ...playbackMethods,
  ...ratingMethods,
  ...sessionMethods,
  ...songMethods,
  ...userMethods,
};

/** Actions that are served and still listed as missing: there must be none, and the compiler names the first that is. */
type ListedTwice = Extract<keyof typeof served, keyof typeof missingMethods>;
type OnceOnly = [ListedTwice] extends [never] ? object : ListedTwice;

/** Every action of the native API. A forgotten one does not compile, nor does one that is served and listed as missing. */
export const methods = { ...served, ...(missingMethods satisfies OnceOnly) } satisfies Record<ActionName, MethodRow>;

/** The row of an action under its own name or one of its other spellings; undefined for an unknown one. */
export const methodNamed = (action: string): MethodRow | undefined => {
  const name = Object.hasOwn(actionAliases, action) ? actionAliases[action] : action;
  return name !== undefined && Object.hasOwn(methods, name) ? methods[name as ActionName] : undefined;
};
