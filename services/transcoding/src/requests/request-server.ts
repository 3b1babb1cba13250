import { answerQuery, every, inMessageWork, type Running, type ServiceDependencies } from '@continuo/chassis';
import {
  availabilityQuery,
  Rejection,
  ticketQuery,
  TRANSCODE_ASK_SUBJECT,
  TRANSCODE_HEARTBEAT_INTERVAL_MS,
  TRANSCODE_HEARTBEAT_SUBJECT,
  TRANSCODE_WORKERS_SUBJECT,
  transcodeWorkersQuery,
  transcodeWorkerSubject,
  type WorkerHeartbeat,
  type WorkerAvailability,
  type TranscodeTicket,
  type TranscodeRequest,
  type TranscodeWorkerState,
} from '@continuo/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import type { SignedAddresses } from '../http/signed-address.js';
import type { ResolvedRequest, Transcoder, TranscodeState } from '../work/transcoder.js';

/** Dependencies of {@link serveTranscodeRequests}. */
export interface RequestServerDependencies {
  readonly nats: NatsConnection;
  readonly log: Logger;
  readonly transcoder: Transcoder;
  readonly addresses: SignedAddresses;
  /** Absent while tracing is off. */
  readonly tracer?: ServiceDependencies['tracer'] | undefined;
  /** Lower-case letters, digits and dashes. */
  readonly workerId: string;
  /** State of this worker, for operators. */
  readonly describe: () => TranscodeWorkerState;
}

/** First digits of a key in an entity tag: enough to tell any two apart. */
const TAG_DIGITS = 24;

/** Answers gateways with the availability of this worker, and takes the requests that are sent to it (see the contracts' `transcode-workers`). */
export const serveTranscodeRequests = (deps: RequestServerDependencies): Running => {
  const { nats, log, workerId } = deps;
  const served = [
    answerQuery({
      nats,
      log,
      subject: TRANSCODE_ASK_SUBJECT,
      query: availabilityQuery,
      answer: (request) => availabilityFor(deps, request),
      refuse: (error) => ({ state: 'unable' as const, workerId, ...refusal(error, log) }),
    }),
    answerQuery({ nats, log, subject: TRANSCODE_WORKERS_SUBJECT, query: transcodeWorkersQuery, answer: deps.describe }),
    answerQuery({
      nats,
      log,
      subject: transcodeWorkerSubject(workerId),
      query: ticketQuery,
      // The work belongs to the trace of the client request that it comes from.
      answer: (request, { headers }) =>
        inMessageWork({ headers, tracer: deps.tracer, name: 'transcode ask' }, () => ticketFor(deps, request)),
      refuse: (error) => ({ ok: false as const, ...refusal(error, log) }),
    }),
  ];
  const announce = (takes: boolean): void => {
    if (!nats.isClosed()) nats.publish(TRANSCODE_HEARTBEAT_SUBJECT, JSON.stringify({ workerId, takes } satisfies WorkerHeartbeat));
  };
  announce(true);
  const endHeartbeats = every(TRANSCODE_HEARTBEAT_INTERVAL_MS, () => announce(true));
  return {
    stop: async () => {
      endHeartbeats();
      announce(false);
      await Promise.all(served.map((one) => one.stop()));
    },
  };
};

const availabilityFor = async (
  { transcoder, workerId, addresses }: RequestServerDependencies,
  asked: TranscodeRequest,
): Promise<WorkerAvailability> => {
  const request = await transcoder.look(asked);
  const state = await transcoder.stateOf(request);
  return state.state === 'finished' ? { state: 'finished', workerId, ticket: ticketOf(addresses, request, state) } : { ...state, workerId };
};

const ticketFor = async (deps: RequestServerDependencies, asked: TranscodeRequest): Promise<{ ok: true; ticket: TranscodeTicket }> => {
  const { transcoder, addresses } = deps;
  const request = await transcoder.look(asked);
  const state = asked.ahead ? await beginAhead(deps, request) : await transcoder.begin(request);
  return { ok: true, ticket: ticketOf(addresses, request, state) };
};

/** Begins a transcode that nobody waits for; its failure is only logged. */
const beginAhead = async (
  { transcoder, log }: RequestServerDependencies,
  request: ResolvedRequest,
): Promise<Extract<TranscodeState, { state: 'finished' | 'growing' }>> => {
  const state = await transcoder.stateOf(request);
  if (state.state === 'finished' || state.state === 'growing') return state;
  if (state.state === 'busy') throw new Rejection('transcode.busy', undefined, String(state.retryAfterSeconds));
  transcoder.prepare(request).catch((err: unknown) => log.debug({ err, key: request.key }, 'transcode ahead of time failed'));
  return { state: 'growing' };
};

const ticketOf = (
  addresses: SignedAddresses,
  { key, mime }: ResolvedRequest,
  state: Extract<TranscodeState, { state: 'finished' | 'growing' }>,
): TranscodeTicket => {
  const url = addresses.sign(key);
  if (state.state === 'growing') return { state: 'growing', url, mime };
  const { sizeBytes } = state;
  return { state: 'finished', url, mime, sizeBytes, etag: `"${key.slice(0, TAG_DIGITS)}-${sizeBytes.toString(16)}"` };
};

const refusal = (error: unknown, log: Logger): { code: string; message: string; subject?: string } => {
  if (error instanceof Rejection)
    return { code: error.code, message: error.message, ...(error.subject === undefined ? {} : { subject: error.subject }) };
  log.error({ err: error }, 'transcode request failed');
  return { code: 'internal', message: 'the transcoding worker has failed' };
};
