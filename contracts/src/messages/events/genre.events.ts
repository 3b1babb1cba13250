import { z } from 'zod';
import { defineEvent, type EventOf } from '../define.js';
import { genreId } from '../ids.js';

/** An administrator took a genre out of the lists; songs keep it. */
export const genreHidden = defineEvent('GenreHidden', z.object({ genreId }));

/** A genre is back in the lists. */
export const genreShown = defineEvent('GenreShown', z.object({ genreId }));

/**
 * From now on songs whose tags name the genre carry these others instead, whatever it was merged into before. A target may be merged itself: its
 * songs then carry that one's targets.
 */
export const genreMerged = defineEvent('GenreMerged', z.object({ genreId, intoIds: z.array(genreId).min(1) }));

/** Songs whose tags name the genre carry it again. */
export const genreUnmerged = defineEvent('GenreUnmerged', z.object({ genreId }));

/** Decisions of administrators about genres; one aggregate for all of them, because merges may not go in circles. */
export type GenreEvent = EventOf<typeof genreHidden | typeof genreShown | typeof genreMerged | typeof genreUnmerged>;
