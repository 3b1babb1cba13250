import { z } from 'zod';

/** Kinds of thing that a client can play. */
export const playableType = z.enum(['song', 'podcast_episode', 'video']);
export type PlayableType = z.infer<typeof playableType>;
