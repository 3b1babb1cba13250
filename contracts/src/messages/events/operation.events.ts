import { z } from 'zod';
import { defineEvent, type EventOf } from '../define.js';

/** Long work that a gateway does for an operator. */
export const operatorWorkKind = z.enum(['projection-rebuild', 'search-index-rebuild', 'backup', 'backup-verification', 'log-verification']);
export type OperatorWorkKind = z.infer<typeof operatorWorkKind>;

/** Tokens of a subject, which ids of work and of what operations are about become. */
const tokens = z.string().regex(/^[\w-]{1,128}(?:\.[\w-]{1,128}){0,3}$/);

const work = { kind: operatorWorkKind, workId: tokens };

/** An operator has started long work; `subject` is the name of what it is done to. */
export const operatorWorkStarted = defineEvent('OperatorWorkStarted', z.object({ ...work, subject: z.string().max(200) }));
/** The work ended well. */
export const operatorWorkFinished = defineEvent('OperatorWorkFinished', z.object(work));
/** The work failed, or the gateway that did it is gone. */
export const operatorWorkFailed = defineEvent('OperatorWorkFailed', z.object({ ...work, problem: z.string() }));
/** An operator did what leaves no other event: an operation of the management API by its name, and the id of what it was done to. */
export const operationPerformed = defineEvent(
  'OperationPerformed',
  z.object({ operation: z.string().regex(/^[A-Za-z]{1,64}$/), target: tokens.nullable() }),
);

export type OperationEvent = EventOf<
  typeof operatorWorkStarted | typeof operatorWorkFinished | typeof operatorWorkFailed | typeof operationPerformed
>;
