import { inMessageWork, type Running, type ServiceDependencies } from '@continuo/chassis';
import {
  Rejection,
  TRANSCODE_ASK_SUBJECT,
  TRANSCODE_SIGN_INTERVAL_MS,
  TRANSCODE_SIGN_SUBJECT,
  transcodeWish,
  transcodeWorkerSubject,
  type TranscodeAnswer,
  type TranscodeSign,
  type TranscodeStanding,
  type TranscodeTicket,
  type TranscodeWish,
} from '@continuo/contracts';
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import type { SignedAddresses } from '../http/signed-address.js';
import type { KnownWish, Transcoder, WishState } from '../work/transcoder.js';

/** What a worker answers wishes with. */
export interface WishTools {
  readonly nats: NatsConnection;
  readonly log: Logger;
  readonly transcoder: Transcoder;
  readonly addresses: SignedAddresses;
  /** Absent while tracing is off. */
  readonly tracer?: ServiceDependencies['tracer'] | undefined;
  /** Lower-case letters, digits and dashes. */
  readonly workerId: string;
}

/** First digits of a key in an entity tag: enough to tell any two apart. */
const TAG_DIGITS = 24;

type Answer = (wish: unknown, message: Msg) => Promise<object>;

/** Tells gateways how this worker stands to their wishes, and takes those that are sent to it (see the contracts' `transcode-workers`). */
export const serveWishes = (tools: WishTools): Running => {
  const { nats, workerId } = tools;
  const serving = new Set<Promise<void>>();
  const accept = (message: Msg, answer: Answer): void => {
    const reply = respond(tools, message, answer).finally(() => serving.delete(reply));
    serving.add(reply);
  };
  const serve = (subject: string, answer: Answer): Subscription =>
    nats.subscribe(subject, {
      callback: (error, message) => {
        if (error) tools.log.error({ err: error, subject }, 'a subscription has failed');
        else accept(message, answer);
      },
    });
  const subscriptions = [
    serve(TRANSCODE_ASK_SUBJECT, (wish) => standingTo(tools, wish)),
    // A wish that is taken belongs to the request that it comes from.
    serve(transcodeWorkerSubject(workerId), (wish, { headers }) =>
      inMessageWork({ headers, tracer: tools.tracer, name: 'transcode ask' }, () => ticketFor(tools, wish)),
    ),
  ];
  const sign = (takes: boolean): void => {
    if (!nats.isClosed()) nats.publish(TRANSCODE_SIGN_SUBJECT, JSON.stringify({ workerId, takes } satisfies TranscodeSign));
  };
  sign(true);
  const signs = setInterval(() => sign(true), TRANSCODE_SIGN_INTERVAL_MS);
  return {
    stop: async () => {
      clearInterval(signs);
      sign(false);
      for (const subscription of subscriptions) subscription.unsubscribe();
      await Promise.all(serving);
    },
  };
};

const respond = async ({ log }: WishTools, message: Msg, answer: Answer): Promise<void> => {
  try {
    message.respond(JSON.stringify(await answer(parsed(message), message)));
  } catch (err) {
    log.error({ err, subject: message.subject }, 'a wish could not be answered');
  }
};

const parsed = (message: Msg): unknown => {
  try {
    return message.json();
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

const wishOf = (value: unknown): TranscodeWish => {
  const wish = transcodeWish.safeParse(value);
  if (!wish.success) throw new Rejection('input.invalid', wish.error.issues.map(({ message }) => message).join('; '));
  return wish.data;
};

const standingTo = async ({ transcoder, workerId, addresses, log }: WishTools, value: unknown): Promise<TranscodeStanding> => {
  try {
    const wish = await transcoder.look(wishOf(value));
    const state = await transcoder.stateOf(wish);
    return state.state === 'finished' ? { state: 'finished', workerId, ticket: ticketOf(addresses, wish, state) } : { ...state, workerId };
  } catch (error) {
    return { state: 'unable', workerId, ...refusal(error, log) };
  }
};

const ticketFor = async (tools: WishTools, value: unknown): Promise<TranscodeAnswer> => {
  const { transcoder, addresses, log } = tools;
  try {
    const said = wishOf(value);
    const wish = await transcoder.look(said);
    const state = said.ahead ? await beginAhead(tools, wish) : await transcoder.begin(wish);
    return { ok: true, ticket: ticketOf(addresses, wish, state) };
  } catch (error) {
    return { ok: false, ...refusal(error, log) };
  }
};

/** Begins what nobody waits for; nobody hears what becomes of it. */
const beginAhead = async (
  { transcoder, log }: WishTools,
  wish: KnownWish,
): Promise<Extract<WishState, { state: 'finished' | 'growing' }>> => {
  const state = await transcoder.stateOf(wish);
  if (state.state === 'finished' || state.state === 'growing') return state;
  if (state.state === 'busy') throw new Rejection('transcode.busy', undefined, String(state.retryAfterSeconds));
  transcoder.prepare(wish).catch((err: unknown) => log.debug({ err, key: wish.key }, 'something was not made ahead'));
  return { state: 'growing' };
};

const ticketOf = (
  addresses: SignedAddresses,
  { key, mime }: KnownWish,
  state: Extract<WishState, { state: 'finished' | 'growing' }>,
): TranscodeTicket => {
  const url = addresses.sign(key);
  if (state.state === 'growing') return { state: 'growing', url, mime };
  const { sizeBytes } = state;
  return { state: 'finished', url, mime, sizeBytes, etag: `"${key.slice(0, TAG_DIGITS)}-${sizeBytes.toString(16)}"` };
};

const refusal = (error: unknown, log: Logger): { code: string; message: string; subject?: string } => {
  if (error instanceof Rejection)
    return { code: error.code, message: error.message, ...(error.subject === undefined ? {} : { subject: error.subject }) };
  log.error({ err: error }, 'a wish has failed');
  return { code: 'internal', message: 'the transcoding worker has failed' };
};
