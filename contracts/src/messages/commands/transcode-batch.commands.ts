import { z } from 'zod';
import { defineCommand } from '../define.js';
import { transcodeBatchId, userId } from '../ids.js';
import { MAX_BATCH_ITEMS, transcodeProfile, transcodeItem } from '../transcode-batch.js';

/** Has media brought into another form before anybody asks for them. The same command makes one batch, however often it is sent. */
export const startTranscodeBatch = defineCommand(
  'transcode',
  'start-batch',
  z.object({
    /** Title for people, such as the name of the album. */
    title: z.string().trim().min(1).max(200),
    /** Account that asked; absent for an operator on the server. */
    requestedBy: userId.optional(),
    profile: transcodeProfile,
    items: z.array(transcodeItem).min(1).max(MAX_BATCH_ITEMS),
  }),
  z.object({ batchId: transcodeBatchId }),
);

/** Makes nothing more of a batch; what is made stays. Nothing when it has ended. */
export const cancelTranscodeBatch = defineCommand('transcode', 'cancel-batch', z.object({ batchId: transcodeBatchId }), z.object({}));
