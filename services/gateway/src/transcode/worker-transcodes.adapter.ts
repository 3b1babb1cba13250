import { workHeaders } from '@continuo/chassis';
import {
  isErrorCode,
  Rejection,
  transcodeAnswer,
  transcodeWish,
  transcodeWorkerSubject,
  type TranscodeStanding,
  type TranscodeTicket,
  type TranscodeWish,
} from '@continuo/contracts';
import { errors, type NatsConnection } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import type { ByteRange } from '../media/byte-range.js';
import { askWorkers } from './ask-workers.js';
import { NoLongerThere, WorkerUnreachable, workerBytes, type WorkerBytes } from './fetch-bytes.js';
import type { FinishedTranscode, GrowingTranscode, Transcodes } from './transcodes.js';
import { inOrder, refusalOf, type AbleStanding } from './worker-choice.js';
import { followWorkers, jsonOf, WorkerRoster } from './worker-roster.js';

/** A worker that has promised a place answers at once. */
const TICKET_MS = 2000;
/** How often everybody is asked again after what was found has vanished. */
const ROUNDS = 3;

/** The workers' side of {@link Transcodes}. */
export interface WorkerTranscodes extends Transcodes {
  close(): void;
}

/** Finds transcodes over NATS and fetches their bytes over HTTP. */
export const workerTranscodes = (nats: NatsConnection, log: Logger): WorkerTranscodes => {
  const roster = new WorkerRoster(() => performance.now());
  const signs = followWorkers(nats, roster);
  const bytes = workerBytes();
  const finder = new Finder(nats, roster, bytes, log);
  return {
    open: (source, target) => finder.open(transcodeWish.parse({ source, target })),
    prepare: (source, target) => finder.prepare(transcodeWish.parse({ source, target, ahead: true })),
    close: () => {
      signs.unsubscribe();
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

  async open(wish: TranscodeWish): Promise<FinishedTranscode | GrowingTranscode> {
    for (let round = 1; ; round += 1) {
      const standings = await askWorkers(this.nats, this.roster, wish);
      const refusals: TranscodeStanding[] = standings.filter(({ state }) => state === 'busy' || state === 'unable');
      let vanished = false;
      for (const standing of this.#inOrder(standings, wish)) {
        const outcome = await this.#take(standing, wish);
        if (outcome === 'vanished') vanished = true;
        else if ('workerId' in outcome) refusals.push(outcome);
        else return outcome;
      }
      // Whoever has answered would say the same again; only behind one that has vanished things may stand differently.
      if (vanished && round < ROUNDS) continue;
      if (refusals.length === 0) this.log.warn({ round, answers: standings.length }, 'no transcoding worker takes the wish');
      throw refusalOf(refusals);
    }
  }

  /** Asks one worker; whoever is refused asks again when somebody listens. */
  async prepare(wish: TranscodeWish): Promise<void> {
    const standings = await askWorkers(this.nats, this.roster, wish);
    const [best] = this.#inOrder(standings, wish);
    if (!best) throw refusalOf(standings);
    if (best.state !== 'free') return;
    await this.#claim(best.workerId, wish).catch((error: unknown) => {
      throw error instanceof NoLongerThere ? new Rejection('unavailable', undefined, undefined, { cause: error }) : error;
    });
  }

  /** What the worker gives, or how it stands after all. */
  async #take(standing: AbleStanding, wish: TranscodeWish): Promise<FinishedTranscode | GrowingTranscode | TranscodeStanding | 'vanished'> {
    const { workerId } = standing;
    try {
      const ticket = standing.state === 'finished' ? standing.ticket : await this.#claim(workerId, wish);
      if (ticket.state === 'finished') return this.#finished({ workerId, ticket }, wish);
      return { state: 'growing', mime: ticket.mime, body: await this.#bytes(workerId, ticket.url) };
    } catch (error) {
      if (error instanceof NoLongerThere) {
        this.log.warn({ err: error, workerId }, 'a transcoding worker no longer has what it offered');
        return 'vanished';
      }
      if (!(error instanceof Rejection) || error.code !== 'transcode.busy') throw error;
      return { state: 'busy', workerId, retryAfterSeconds: Math.max(1, Number(error.subject) || 1) };
    }
  }

  async #claim(workerId: string, wish: TranscodeWish): Promise<TranscodeTicket> {
    const reply = await this.nats
      .request(transcodeWorkerSubject(workerId), JSON.stringify(wish), { timeout: TICKET_MS, ...workHeaders() })
      .catch((cause: unknown) => {
        if (cause instanceof errors.RequestError || cause instanceof errors.TimeoutError) this.roster.note(workerId, false);
        throw new NoLongerThere('the worker does not answer', { cause });
      });
    const answer = transcodeAnswer.parse(jsonOf(() => reply.json()));
    if (answer.ok) return answer.ticket;
    throw new Rejection(isErrorCode(answer.code) ? answer.code : 'internal', answer.message, answer.subject);
  }

  #inOrder(standings: readonly TranscodeStanding[], wish: TranscodeWish): readonly AbleStanding[] {
    return inOrder(standings, wish, (workerId) => this.roster.isAvoided(workerId));
  }

  /** @throws NoLongerThere; a worker that cannot be reached is avoided from then on */
  async #bytes(workerId: string, url: string, range?: ByteRange): ReturnType<WorkerBytes['fetch']> {
    try {
      return await this.bytes.fetch(url, range);
    } catch (error) {
      if (error instanceof WorkerUnreachable) this.roster.avoid(workerId);
      throw error;
    }
  }

  #finished({ workerId, ticket }: { readonly workerId: string; readonly ticket: FinishedTicket }, wish: TranscodeWish): FinishedTranscode {
    const { state, mime, sizeBytes, etag } = ticket;
    const open: FinishedTranscode['open'] = async (range) => {
      try {
        return await this.#bytes(workerId, ticket.url, range);
      } catch (error) {
        if (!(error instanceof NoLongerThere)) throw error;
        // It was thrown away between the answer and now, or its worker has died: another one may have it.
        const again = await this.#findFinished(wish, etag);
        return this.#bytes(again.workerId, again.ticket.url, range).catch((cause: unknown) => {
          throw new Rejection('unavailable', undefined, undefined, { cause });
        });
      }
    };
    return { state, mime, sizeBytes, etag, open };
  }

  async #findFinished(wish: TranscodeWish, etag: string): Promise<{ readonly workerId: string; readonly ticket: FinishedTicket }> {
    for (const standing of this.#inOrder(await askWorkers(this.nats, this.roster, wish), wish))
      if (standing.state === 'finished' && standing.ticket.state === 'finished' && standing.ticket.etag === etag)
        return { workerId: standing.workerId, ticket: standing.ticket };
    throw new Rejection('unavailable', 'the transcode is no longer there');
  }
}
