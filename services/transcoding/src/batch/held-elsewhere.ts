import { TRANSCODE_ASK_SUBJECT, transcodeStanding, type TranscodeWish } from '@continuo/contracts';
import { errors, type NatsConnection } from '@nats-io/transport-node';

/** How long workers that stay silent are waited for. */
const WAIT_MS = 300;
/** Pause after an answer in which no other one came. */
const STALL_MS = 60;

/** Looks whether another worker has a transcode in its cache already, and how large it is there; undefined when none says so. */
export type HeldElsewhere = (wish: TranscodeWish) => Promise<{ readonly sizeBytes: number } | undefined>;

const isNobody = (error: unknown): boolean =>
  error instanceof errors.NoRespondersError || (error instanceof errors.RequestError && error.isNoResponders());

/** Asks over NATS, as gateways do (see the contracts' `transcode-workers`). */
export const askOthers =
  (nats: NatsConnection): HeldElsewhere =>
  async (wish) => {
    try {
      const answers = await nats.requestMany(TRANSCODE_ASK_SUBJECT, JSON.stringify(wish), {
        strategy: 'stall',
        maxWait: WAIT_MS,
        stall: STALL_MS,
      });
      for await (const answer of answers) {
        if (answer instanceof Error || answer.data.length === 0) continue;
        const standing = transcodeStanding.safeParse(answer.json());
        if (standing.success && standing.data.state === 'finished' && standing.data.ticket.state === 'finished')
          return { sizeBytes: standing.data.ticket.sizeBytes };
      }
    } catch (error) {
      // Nobody is there to ask: right after a start not even this worker itself is.
      if (!isNobody(error)) throw error;
    }
    return undefined;
  };
