import { readData } from '@continuo/chassis';
import { availabilityQuery, TRANSCODE_ASK_SUBJECT, type TranscodeRequest } from '@continuo/contracts';
import { errors, type NatsConnection } from '@nats-io/transport-node';

/** Time to wait for silent workers, ms. */
const WAIT_MS = 300;
/** Pause after an answer in which no other one came. */
const STALL_MS = 60;

/** Looks whether another worker has a transcode in its cache already, and how large it is there; undefined when none says so. */
export type FindInOtherCaches = (request: TranscodeRequest) => Promise<{ readonly sizeBytes: number } | undefined>;

const isNobody = (error: unknown): boolean =>
  error instanceof errors.NoRespondersError || (error instanceof errors.RequestError && error.isNoResponders());

/** Asks over NATS, as gateways do (see the contracts' `transcode-workers`). */
export const askOtherWorkers =
  (nats: NatsConnection): FindInOtherCaches =>
  async (request) => {
    try {
      const answers = await nats.requestMany(TRANSCODE_ASK_SUBJECT, JSON.stringify(request), {
        strategy: 'stall',
        maxWait: WAIT_MS,
        stall: STALL_MS,
      });
      for await (const answer of answers) {
        const availability = answer instanceof Error ? undefined : readData(answer, availabilityQuery.answer);
        if (availability?.state === 'finished' && availability.ticket.state === 'finished')
          return { sizeBytes: availability.ticket.sizeBytes };
      }
    } catch (error) {
      // Nobody is there to ask: right after a start not even this worker itself is.
      if (!isNobody(error)) throw error;
    }
    return undefined;
  };
