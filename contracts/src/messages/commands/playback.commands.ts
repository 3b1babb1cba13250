import { z } from 'zod';
import { defineCommand } from '../define.js';
import { songId, userId } from '../ids.js';
import { epochMs } from '../track.js';

/** Records plays of songs by one user, in the order given. The same song by the same client at the same time counts once. */
export const recordPlays = defineCommand(
  'playback',
  'record-plays',
  z.object({
    userId,
    client: z.string().max(255),
    plays: z
      .array(z.object({ songId, playedAtMs: epochMs }))
      .min(1)
      .max(1000),
  }),
  z.object({ recorded: z.int() }),
);
