import { z } from 'zod';
import { defineCommand } from '../define.js';
import { genreId } from '../ids.js';

const nothing = z.object({});

/** Takes a genre out of the lists of genres; songs keep it. */
export const hideGenre = defineCommand('library', 'hide-genre', z.object({ genreId }), nothing);

/** Puts a hidden genre back into the lists. */
export const showGenre = defineCommand('library', 'show-genre', z.object({ genreId }), nothing);

/**
 * Lets songs whose tags name a genre, now or later, carry others instead; replaces what it was merged into before. Refused when a genre is unknown
 * or would lead back to itself.
 */
export const mergeGenre = defineCommand(
  'library',
  'merge-genre',
  z.object({ genreId, intoIds: z.array(genreId).min(1).max(100) }),
  nothing,
);

/** Lets songs carry a merged genre again as their tags name it. */
export const unmergeGenre = defineCommand('library', 'unmerge-genre', z.object({ genreId }), nothing);
