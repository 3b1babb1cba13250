import { readData } from '@continuo/chassis';
import { availabilityQuery, TRANSCODE_ASK_SUBJECT, type WorkerAvailability, type TranscodeRequest } from '@continuo/contracts';
import { createInbox, type Msg, type NatsConnection } from '@nats-io/transport-node';
import type { WorkerRoster } from './worker-roster.js';

/** Time to wait for workers that have not answered, once one could take the request, ms. */
const PATIENCE_MS = 80;
/** Time to wait for a better worker once one has answered, ms. */
const WAIT_MS = 1500;
/** Time to wait for the first answer, ms: a worker on a busy machine answers late. */
const WAIT_FOR_ANYBODY_MS = 6000;
/** Status that NATS answers when a subject has no subscriber. */
const NO_RESPONDERS = 503;

const isFree = ({ state }: WorkerAvailability): boolean => state === 'free';
const holds = ({ state }: WorkerAvailability): boolean => state === 'finished' || state === 'growing';

/**
 * Asks all workers for their availability for a request. The answer is there as soon as one of them has it or makes it, or as all that are known have answered; a
 * worker that says nothing costs a moment, as long as another one speaks. One that is avoided is no reason not to hear the others. Empty when nobody listens.
 */
export const askWorkers = (nats: NatsConnection, roster: WorkerRoster, request: TranscodeRequest): Promise<readonly WorkerAvailability[]> =>
  new Promise((resolve) => {
    const availabilities: WorkerAvailability[] = [];
    const silent = new Set(roster.present());
    const inbox = createInbox();
    const finish = (): void => {
      subscription.unsubscribe();
      clearTimeout(patience);
      clearTimeout(wait);
      resolve(availabilities);
    };
    const take = (message: Msg): void => {
      if (message.headers?.code === NO_RESPONDERS) return finish();
      const availability = readData(message, availabilityQuery.answer);
      if (availability === undefined) return;
      availabilities.push(availability);
      silent.delete(availability.workerId);
      roster.note(availability.workerId, true);
      const isBest = holds(availability) && !roster.isAvoided(availability.workerId);
      if (isBest || (known && silent.size === 0) || (late && isFree(availability)) || isOverdue) finish();
    };
    // A gateway that knows no worker yet, as after its own start, waits for all answers.
    const known = silent.size > 0;
    let late = false;
    let isOverdue = false;
    const subscription = nats.subscribe(inbox, { callback: (error, message) => (error ? finish() : take(message)) });
    const patience = setTimeout(() => {
      late = true;
      if (availabilities.some(isFree) || (!known && availabilities.length > 0)) finish();
    }, PATIENCE_MS);
    let wait = setTimeout(() => {
      // Until they give a sign of life again, nobody waits for them.
      for (const workerId of silent) roster.note(workerId, false);
      if (availabilities.length > 0) return finish();
      isOverdue = true;
      wait = setTimeout(finish, WAIT_FOR_ANYBODY_MS - WAIT_MS);
    }, WAIT_MS);
    nats.publish(TRANSCODE_ASK_SUBJECT, JSON.stringify(request), { reply: inbox });
  });
