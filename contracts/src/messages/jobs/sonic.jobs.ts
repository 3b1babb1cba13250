import { z } from 'zod';
import { defineJob } from '../define.js';
import { sonicRunId } from '../sonic.js';

/** One part of a run; repeated after a crash, it goes on with what is not known yet. */
export const analyseSounds = defineJob('sonic', 'analyse-sounds', z.object({ runId: sonicRunId, part: z.int().nonnegative() }));
