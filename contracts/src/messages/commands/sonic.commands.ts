import { z } from 'zod';
import { defineCommand } from '../define.js';
import { catalogId, songId } from '../ids.js';
import { sonicMatch, sonicRunId } from '../sonic.js';

/** Catalogs whose songs may be answered. */
const catalogs = z.union([z.literal('all'), z.array(z.int().positive())]);

/** Songs that one answer names at most. */
export const MAX_SONIC_MATCHES = 500;
const count = z.int().min(0).max(MAX_SONIC_MATCHES);

/** Asks what can be told of sounds. `plugin` is null where no sonic plug-in is switched on, or none that runs. */
export const sonicStatus = defineCommand(
  'sonic',
  'status',
  z.object({}),
  z.object({
    plugin: z
      .object({
        name: z.string(),
        title: z.string(),
        /** Null for a back end elsewhere, which analyses for itself. */
        model: z.string().nullable(),
      })
      .nullable(),
    /** Why there is none, for operators. */
    problem: z.string().nullable(),
    /** Songs that can be compared here. */
    songs: z.int().nonnegative(),
  }),
);

/** Asks for the songs that sound most like one, the likest first, itself not among them. `isKnown` is false when the song was not analysed. */
export const findSimilarSounds = defineCommand(
  'sonic',
  'find-similar',
  z.object({ songId, catalogs, count }),
  z.object({ isKnown: z.boolean(), matches: z.array(sonicMatch) }),
);

/** Asks for songs on the way from one sound to another, both included; each is compared with the first. */
export const findSoundPath = defineCommand(
  'sonic',
  'find-path',
  z.object({ fromSongId: songId, toSongId: songId, catalogs, count }),
  z.object({ isKnown: z.boolean(), matches: z.array(sonicMatch) }),
);

/** Has what is not known yet analysed. While a run goes on for the same songs that one is answered. */
export const startSonicRun = defineCommand(
  'sonic',
  'start-run',
  z.object({ catalogId: catalogId.optional(), again: z.boolean().default(false) }),
  z.object({ runId: sonicRunId }),
);

/** Analyses nothing more for a run; what is known stays. Nothing when it has ended. */
export const cancelSonicRun = defineCommand('sonic', 'cancel-run', z.object({ runId: sonicRunId }), z.object({}));
