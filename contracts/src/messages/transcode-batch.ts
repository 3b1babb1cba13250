import { z } from 'zod';
import { transcodeTarget } from './transcode-target.js';

/** Media that one batch may hold; it is one event. */
export const MAX_BATCH_ITEMS = 10_000;

/** Profile for every medium of a batch: a target that means the whole of it. */
export const transcodeProfile = transcodeTarget.pick({
  format: true,
  bitrateKbps: true,
  sampleRateHz: true,
  channels: true,
  picture: true,
});
export type TranscodeProfile = z.infer<typeof transcodeProfile>;

/** A medium of a batch. */
export const transcodeItem = z.object({ type: z.enum(['song', 'video']), id: z.int().positive() });
export type TranscodeItem = z.infer<typeof transcodeItem>;

/** Outcome of a medium: `made` now, `present` already, or `failed`. */
export const transcodeItemOutcome = z.enum(['made', 'present', 'failed']);
export type TranscodeItemOutcome = z.infer<typeof transcodeItemOutcome>;
