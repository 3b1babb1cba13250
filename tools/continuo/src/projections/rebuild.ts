import { rebuildSubject, type RebuildReport, type RebuildRequest } from '@continuo/chassis';
import { errors } from '@nats-io/transport-node';
import { z } from 'zod';
import { CliError } from '../connect/cli-error.js';
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
      compared: z.boolean(),
      differing: z.array(z.string()),
      digests: z.record(z.string(), z.string()),
    }),
  }),
  z.object({ ok: z.literal(false), message: z.string() }),
]);

/**
 * Asks the owner of a projection to fill fresh tables from the log, and to keep (`replace`) or only compare them (`verify`).
 * @throws CliError when no service owns the projection or the rebuild failed.
 */
export const requestRebuild = async (
  { nats }: Pick<Session, 'nats'>,
  projection: string,
  mode: RebuildRequest['mode'],
): Promise<RebuildReport> => {
  const request = JSON.stringify({ mode } satisfies RebuildRequest);
  const reply = await nats.request(rebuildSubject(projection), request, { timeout: PATIENCE_MS }).catch((cause: unknown) => {
    if (cause instanceof errors.RequestError && cause.isNoResponders()) {
      throw new CliError(`nobody keeps the projection ${projection} at the moment`, 'start the service that owns it', { cause });
    }
    throw new CliError(`the rebuild of ${projection} gave no answer`, 'look at "continuo projections status" and the log', { cause });
  });
  const answer = answerSchema.parse(reply.json());
  if (!answer.ok) throw new CliError(`${projection} was not rebuilt: ${answer.message}`, 'the log of the service has the details');
  return answer.report;
};
