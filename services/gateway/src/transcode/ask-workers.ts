import { TRANSCODE_ASK_SUBJECT, transcodeStanding, type TranscodeStanding, type TranscodeWish } from '@continuo/contracts';
import { createInbox, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { jsonOf, type WorkerRoster } from './worker-roster.js';

/** How long to wait for workers that have not answered, once somebody could take the wish. */
const PATIENCE_MS = 80;
/** How long to wait for somebody better once anybody has answered. */
const WAIT_MS = 1500;
/** How long to wait for anybody at all. A worker whose machine is busy answers late, and nobody else is there to take the wish. */
const WAIT_FOR_ANYBODY_MS = 6000;
/** What the server sends in place of an answer when nobody listens. */
const NO_RESPONDERS = 503;

const isFree = ({ state }: TranscodeStanding): boolean => state === 'free';
const holds = ({ state }: TranscodeStanding): boolean => state === 'finished' || state === 'growing';

/**
 * Asks all workers how they stand to a wish. The answer is there as soon as one of them has it or makes it, or as all that are known have answered; a
 * worker that says nothing costs a moment, as long as another one speaks. One that is avoided is no reason not to hear the others. Empty when nobody listens.
 */
export const askWorkers = (nats: NatsConnection, roster: WorkerRoster, wish: TranscodeWish): Promise<readonly TranscodeStanding[]> =>
  new Promise((resolve) => {
    const standings: TranscodeStanding[] = [];
    const silent = new Set(roster.present());
    const inbox = createInbox();
    const finish = (): void => {
      subscription.unsubscribe();
      clearTimeout(patience);
      clearTimeout(wait);
      resolve(standings);
    };
    const take = (message: Msg): void => {
      if (message.headers?.code === NO_RESPONDERS) return finish();
      const standing = transcodeStanding.safeParse(jsonOf(() => message.json()));
      if (!standing.success) return;
      standings.push(standing.data);
      silent.delete(standing.data.workerId);
      roster.note(standing.data.workerId, true);
      const isBest = holds(standing.data) && !roster.isAvoided(standing.data.workerId);
      if (isBest || (known && silent.size === 0) || (late && isFree(standing.data)) || isOverdue) finish();
    };
    // Whoever knows of nobody, as after its own start, hears everybody out.
    const known = silent.size > 0;
    let late = false;
    let isOverdue = false;
    const subscription = nats.subscribe(inbox, { callback: (error, message) => (error ? finish() : take(message)) });
    const patience = setTimeout(() => {
      late = true;
      if (standings.some(isFree) || (!known && standings.length > 0)) finish();
    }, PATIENCE_MS);
    let wait = setTimeout(() => {
      if (standings.length > 0) return finish();
      isOverdue = true;
      wait = setTimeout(finish, WAIT_FOR_ANYBODY_MS - WAIT_MS);
    }, WAIT_MS);
    nats.publish(TRANSCODE_ASK_SUBJECT, JSON.stringify(wish), { reply: inbox });
  });
