import { z } from 'zod';
import type { WorkRecord } from '../../../features/operations/long-work.js';
import { time, timeText, timeTextOrNull } from './times.js';

/** How far long work is. */
export const progress = z
  .object({ done: z.number(), total: z.number().nullable().meta({ description: 'Null while nobody knows' }), unit: z.string() })
  .meta({ id: 'Progress' });

/** State of long work. */
export const workState = z.enum(['queued', 'running', 'done', 'failed', 'cancelled']);

/** Fields of everything that is long work. */
export const workFields = {
  id: z.string(),
  state: workState,
  progress: progress.nullable(),
  startedAt: time,
  endedAt: time.nullable(),
  problem: z.string().nullable().meta({ description: 'Why it failed' }),
};

/** The fields of {@link workFields} of a record. */
export const shownWork = ({ id, state, progress: far, startedAtMs, endedAtMs, problem }: WorkRecord) => ({
  id,
  state,
  progress: far,
  startedAt: timeText(startedAtMs),
  endedAt: timeTextOrNull(endedAtMs),
  problem,
});
