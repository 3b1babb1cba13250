import { z } from 'zod';
import { defineEvent, type EventOf } from '../define.js';
import { transcodeBatchId, userId } from '../ids.js';
import { transcodeItem, transcodeItemOutcome, transcodeProfile } from '../transcode-batch.js';

/** Media shall be brought into another form. The place of a medium in `items` names it from then on. */
export const transcodeBatchRequested = defineEvent(
  'TranscodeBatchRequested',
  z.object({
    batchId: transcodeBatchId,
    title: z.string(),
    requestedBy: userId.optional(),
    profile: transcodeProfile,
    items: z.array(transcodeItem),
  }),
);

/** One medium of a batch is done with. */
export const transcodeItemEnded = defineEvent(
  'TranscodeItemEnded',
  z.object({
    batchId: transcodeBatchId,
    /** Place in the batch, from 0 on. */
    index: z.int().nonnegative(),
    outcome: transcodeItemOutcome,
    /** Which worker did it. */
    workerId: z.string(),
    durationMs: z.int().nonnegative(),
    /** Of the result; 0 where there is none. */
    sizeBytes: z.int().nonnegative(),
    /** Why it failed. */
    reason: z.string().max(300).optional(),
  }),
);

/** Every medium of a batch is done with. */
export const transcodeBatchFinished = defineEvent('TranscodeBatchFinished', z.object({ batchId: transcodeBatchId }));

/** Nothing more is made of a batch. */
export const transcodeBatchCancelled = defineEvent('TranscodeBatchCancelled', z.object({ batchId: transcodeBatchId }));

export type TranscodeBatchEvent = EventOf<
  typeof transcodeBatchRequested | typeof transcodeItemEnded | typeof transcodeBatchFinished | typeof transcodeBatchCancelled
>;
