import { rebuildSubject, type RebuildReport, type RebuildRequest } from '@continuo/chassis';
import { errors } from '@nats-io/transport-node';
import { z } from 'zod';
import { OperatorError } from '../connect/operator-error.js';
import type { Session } from '../connect/session.js';

/** A rebuild of millions of events takes minutes; beyond this the owner has died on it. */
const PATIENCE_MS = 2 * 3600 * 1000;

const answerSchema = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    report: z.object({
      projection: z.string(),
      position: z.number(),
      durationMs: z.number(),
      // Not said by older releases.
      builtMs: z.number().default(0),
      compared: z.boolean(),
      differing: z.array(z.string()),
      digests: z.record(z.string(), z.string()),
      lost: z.array(z.object({ table: z.string(), live: z.number(), rebuilt: z.number() })).default([]),
    }),
  }),
  z.object({ ok: z.literal(false), message: z.string() }),
]);

/**
 * Asks the owner of a projection to fill fresh tables from the log, and to keep (`replace`) or only compare them (`verify`). It refuses tables with fewer rows unless that loss is accepted.
 * @throws OperatorError when no service owns the projection or the rebuild failed.
 */
export const requestRebuild = async (
  { nats }: Pick<Session, 'nats'>,
  projection: string,
  wanted: RebuildRequest,
): Promise<RebuildReport> => {
  const request = JSON.stringify(wanted);
  const reply = await nats.request(rebuildSubject(projection), request, { timeout: PATIENCE_MS }).catch((cause: unknown) => {
    if (cause instanceof errors.RequestError && cause.isNoResponders()) {
      throw new OperatorError(`nobody keeps the projection ${projection} at the moment`, 'start the service that owns it', {
        kind: 'unavailable',
        cause,
      });
    }
    throw new OperatorError(`the rebuild of ${projection} gave no answer`, 'look at "continuo projections status" and the log', { cause });
  });
  const answer = answerSchema.parse(reply.json());
  if (!answer.ok) throw new OperatorError(`${projection} was not rebuilt: ${answer.message}`, 'the log of the service has the details');
  return answer.report;
};
