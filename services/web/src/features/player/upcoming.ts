import type { Song } from '../../lib/api.js';
import { songsAt } from '../../lib/song-sources.js';
import { positionOf, type Context } from './queue.js';

/** Songs of the list that are shown ahead. */
const SHOWN = 20;

/** The next songs of a list, in the order of playing. @throws ApiError */
export const upcoming = async (context: Context): Promise<readonly Song[]> => {
  const count = Math.min(SHOWN, context.total - context.index - 1);
  if (count <= 0) return [];
  const positions = Array.from({ length: count }, (_, at) => positionOf(context, context.index + 1 + at));
  return songsAt(context.source, positions);
};
