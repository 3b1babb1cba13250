import { z } from 'zod';
import { defineCommand } from '../define.js';
import { operationPerformed, operatorWorkFailed, operatorWorkFinished, operatorWorkStarted } from '../events/operation.events.js';

/**
 * Puts on record what an operator does: start and end of long work, and what leaves no other event. What is on record already is not recorded again.
 * Refused as `conflict` for an end without a start.
 */
export const recordOperation = defineCommand(
  'social',
  'record-operation',
  z.discriminatedUnion('type', [
    operatorWorkStarted.schema.extend({ type: z.literal('start') }),
    operatorWorkFinished.schema.extend({ type: z.literal('finish') }),
    operatorWorkFailed.schema.extend({ type: z.literal('fail') }),
    operationPerformed.schema.extend({ type: z.literal('perform') }),
  ]),
  z.object({}),
);
