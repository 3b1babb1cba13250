import { z } from 'zod';
import { defineJob } from '../define.js';
import { transcodeBatchId } from '../ids.js';
import { transcodeItem, transcodeProfile } from '../transcode-batch.js';

/** One medium of a batch; repeated after a crash, it finds what was made. */
export const transcodeOne = defineJob(
  'transcode',
  'transcode-one',
  z.object({ batchId: transcodeBatchId, index: z.int().nonnegative(), item: transcodeItem, profile: transcodeProfile }),
);
