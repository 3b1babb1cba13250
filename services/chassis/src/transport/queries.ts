import type { QueryDefinition } from '@continuo/contracts';
import { errors, type Msg, type NatsConnection, type RequestOptions, type Subscription } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { Running } from '../running.js';
import { decodeData } from './message.js';

/** A query that one process answers. */
export interface AnsweredQuery<Q, A> {
  readonly nats: NatsConnection;
  readonly log: Logger;
  readonly subject: string;
  readonly query: QueryDefinition<Q, A>;
  readonly answer: (question: Q, message: Msg) => A | Promise<A>;
  /** The answer instead of an error, a question that cannot be read included; without it nothing is answered then. */
  readonly refuse?: (error: unknown) => A;
}

/** Answers a query until it is stopped; what has arrived by then is answered before that ends. */
export const answerQuery = <Q, A>(options: AnsweredQuery<Q, A>): Running => {
  const { nats, log, subject } = options;
  const serving = new Set<Promise<void>>();
  const serve = (message: Msg): void => {
    const reply = respond(options, message).finally(() => serving.delete(reply));
    serving.add(reply);
  };
  const subscription = nats.subscribe(subject, {
    callback: (error, message) => (error ? log.error({ err: error, subject }, 'the subscription of a query failed') : serve(message)),
  });
  return {
    stop: async () => {
      subscription.unsubscribe();
      await Promise.all(serving);
    },
  };
};

const respond = async <Q, A>(options: AnsweredQuery<Q, A>, message: Msg): Promise<void> => {
  const { log, query, answer, refuse } = options;
  try {
    const answered = async (): Promise<A> => answer(decodeData(message.data, query.schema), message);
    message.respond(JSON.stringify(await (refuse ? answered().catch(refuse) : answered())));
  } catch (err) {
    log.error({ err, subject: message.subject }, 'failed to answer a query');
  }
};

/** Asks one process a query. @throws when nobody answers in time, or not in the shape of the answer */
export const askQuery = async <Q, A>(
  nats: NatsConnection,
  query: QueryDefinition<Q, A>,
  question: Q,
  { subject, ...options }: RequestOptions & { readonly subject: string },
): Promise<A> => decodeData((await nats.request(subject, JSON.stringify(question), options)).data, query.answer);

/** Time in which everybody answers who is there, and pause after an answer behind which nobody else is expected, ms. */
const ASKED = { strategy: 'stall', maxWait: 1500, stall: 300 } as const;

/** Asks everybody who listens; answers of another shape, as of another release, are skipped. Nobody listening is an empty list. */
export const askEverybody = async <Q, A>(
  nats: NatsConnection,
  query: QueryDefinition<Q, A>,
  question: Q,
  { subject }: { readonly subject: string },
): Promise<A[]> => {
  const answers: A[] = [];
  try {
    for await (const message of await nats.requestMany(subject, JSON.stringify(question), ASKED)) {
      const answer = readData(message, query.answer);
      if (answer !== undefined) answers.push(answer);
    }
  } catch (error) {
    if (!(error instanceof errors.NoRespondersError || (error instanceof errors.RequestError && error.isNoResponders()))) throw error;
  }
  return answers;
};

/** Hears what other processes announce; messages of another shape, as of another release, are skipped. */
export const hearAnnouncements = <T>(
  { nats, log }: { readonly nats: NatsConnection; readonly log: Logger },
  subject: string,
  schema: z.ZodType<T>,
  hear: (announcement: T) => void,
): Subscription =>
  nats.subscribe(subject, {
    callback: (error, message) => {
      if (error) return log.error({ err: error, subject }, 'a subscription to announcements failed');
      const announcement = readData(message, schema);
      if (announcement !== undefined) hear(announcement);
    },
  });

/** Data of a message; undefined when it is not of this shape. */
export const readData = <T>(message: Msg, schema: z.ZodType<T>): T | undefined => {
  try {
    return decodeData(message.data, schema);
  } catch {
    return undefined;
  }
};
