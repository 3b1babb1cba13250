import { askQuery, hearAnnouncements, workHeaders } from '@continuo/chassis';
import {
  isErrorCode,
  Rejection,
  ticketQuery,
  TRANSCODE_HEARTBEAT_SUBJECT,
  transcodeRequest,
  transcodeWorkerSubject,
  workerHeartbeat,
  type WorkerAvailability,
  type TranscodeTicket,
  type TranscodeRequest,
} from '@continuo/contracts';
import { errors, type NatsConnection } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import type { ByteRange } from '../server/byte-range.js';
import { askWorkers } from './ask-workers.js';
import { TranscodeGone, WorkerUnreachable, workerBytes, type WorkerBytes } from './fetch-bytes.js';
import type { FinishedTranscode, GrowingTranscode, Transcodes } from './transcodes.js';
import { orderWorkers, refusalOf, type AbleWorker } from './worker-choice.js';
import { WorkerRoster } from './worker-roster.js';

/** Timeout of a worker that has offered a slot, ms. */
const TICKET_MS = 2000;
/** Rounds of asking all workers while offered transcodes vanish. */
const ROUNDS = 3;

/** The workers' side of {@link Transcodes}. */
export interface WorkerTranscodes extends Transcodes {
  close(): void;
}

/** Finds transcodes over NATS and fetches their bytes over HTTP. */
export const workerTranscodes = (nats: NatsConnection, log: Logger): WorkerTranscodes => {
  const roster = new WorkerRoster(() => performance.now());
  const heartbeats = hearAnnouncements({ nats, log }, TRANSCODE_HEARTBEAT_SUBJECT, workerHeartbeat, ({ workerId, takes }) =>
    roster.note(workerId, takes),
  );
  const bytes = workerBytes();
  const finder = new Finder(nats, roster, bytes, log);
  return {
    open: (source, target, accountId) => finder.open(transcodeRequest.parse({ source, target }), accountId),
    prepare: (source, target) => finder.prepare(transcodeRequest.parse({ source, target, ahead: true })),
    close: () => {
      heartbeats.unsubscribe();
      bytes.close();
    },
  };
};

type FinishedTicket = Extract<TranscodeTicket, { state: 'finished' }>;

class Finder {
  constructor(
    private readonly nats: NatsConnection,
    private readonly roster: WorkerRoster,
    private readonly bytes: WorkerBytes,
    private readonly log: Logger,
  ) {}

  async open(request: TranscodeRequest, accountId?: number): Promise<FinishedTranscode | GrowingTranscode> {
    for (let round = 1; ; round += 1) {
      const availabilities = await askWorkers(this.nats, this.roster, request);
      const refusals: WorkerAvailability[] = availabilities.filter(({ state }) => state === 'busy' || state === 'unable');
      let vanished = false;
      for (const availability of this.#orderWorkers(availabilities, request)) {
        const outcome = await this.#take(availability, request, accountId);
        if (outcome === 'vanished') vanished = true;
        else if ('workerId' in outcome) refusals.push(outcome);
        else return outcome;
      }
      // Whoever has answered would say the same again; only behind one that has vanished things may stand differently.
      if (vanished && round < ROUNDS) continue;
      if (refusals.length === 0) this.log.warn({ round, answers: availabilities.length }, 'no transcoding worker takes the request');
      throw refusalOf(refusals);
    }
  }

  /** Asks one worker; whoever is refused asks again when somebody listens. */
  async prepare(request: TranscodeRequest): Promise<void> {
    const availabilities = await askWorkers(this.nats, this.roster, request);
    const [best] = this.#orderWorkers(availabilities, request);
    if (!best) throw refusalOf(availabilities);
    if (best.state !== 'free') return;
    await this.#claim(best.workerId, request).catch((error: unknown) => {
      throw error instanceof TranscodeGone ? new Rejection('unavailable', undefined, undefined, { cause: error }) : error;
    });
  }

  /** Opens the transcode on this worker; its new availability when it is busy. */
  async #take(
    availability: AbleWorker,
    request: TranscodeRequest,
    accountId: number | undefined,
  ): Promise<FinishedTranscode | GrowingTranscode | WorkerAvailability | 'vanished'> {
    const { workerId } = availability;
    try {
      const ticket = availability.state === 'finished' ? availability.ticket : await this.#claim(workerId, request);
      if (ticket.state === 'finished') return this.#finished({ workerId, ticket }, request);
      return { state: 'growing', mime: ticket.mime, body: await this.#bytes(workerId, ticket.url, { accountId }) };
    } catch (error) {
      if (error instanceof TranscodeGone) {
        this.log.warn({ err: error, workerId }, 'a transcoding worker no longer has what it offered');
        return 'vanished';
      }
      if (!(error instanceof Rejection) || error.code !== 'transcode.busy') throw error;
      return { state: 'busy', workerId, retryAfterSeconds: Math.max(1, Number(error.subject) || 1) };
    }
  }

  async #claim(workerId: string, request: TranscodeRequest): Promise<TranscodeTicket> {
    const options = { subject: transcodeWorkerSubject(workerId), timeout: TICKET_MS, ...workHeaders() };
    const answer = await askQuery(this.nats, ticketQuery, request, options).catch((cause: unknown) => {
      if (cause instanceof errors.RequestError || cause instanceof errors.TimeoutError) this.roster.note(workerId, false);
      throw new TranscodeGone('the worker does not answer', { cause });
    });
    if (answer.ok) return answer.ticket;
    throw new Rejection(isErrorCode(answer.code) ? answer.code : 'internal', answer.message, answer.subject);
  }

  #orderWorkers(availabilities: readonly WorkerAvailability[], request: TranscodeRequest): readonly AbleWorker[] {
    return orderWorkers(availabilities, request, (workerId) => this.roster.isAvoided(workerId));
  }

  /** @throws TranscodeGone; a worker that cannot be reached is avoided from then on */
  async #bytes(
    workerId: string,
    url: string,
    { range, accountId }: { readonly range?: ByteRange | undefined; readonly accountId?: number | undefined },
  ): ReturnType<WorkerBytes['fetch']> {
    try {
      return await this.bytes.fetch(url, range, accountId);
    } catch (error) {
      if (error instanceof WorkerUnreachable) this.roster.avoid(workerId);
      throw error;
    }
  }

  #finished(
    { workerId, ticket }: { readonly workerId: string; readonly ticket: FinishedTicket },
    request: TranscodeRequest,
  ): FinishedTranscode {
    const { state, mime, sizeBytes, etag } = ticket;
    const open: FinishedTranscode['open'] = async (range) => {
      try {
        return await this.#bytes(workerId, ticket.url, { range });
      } catch (error) {
        if (!(error instanceof TranscodeGone)) throw error;
        // It was thrown away between the answer and now, or its worker has died: another one may have it.
        const again = await this.#findFinished(request, etag);
        return this.#bytes(again.workerId, again.ticket.url, { range }).catch((cause: unknown) => {
          throw new Rejection('unavailable', undefined, undefined, { cause });
        });
      }
    };
    return { state, mime, sizeBytes, etag, open };
  }

  async #findFinished(request: TranscodeRequest, etag: string): Promise<{ readonly workerId: string; readonly ticket: FinishedTicket }> {
    for (const availability of this.#orderWorkers(await askWorkers(this.nats, this.roster, request), request))
      if (availability.state === 'finished' && availability.ticket.state === 'finished' && availability.ticket.etag === etag)
        return { workerId: availability.workerId, ticket: availability.ticket };
    throw new Rejection('unavailable', 'the transcode is no longer there');
  }
}
