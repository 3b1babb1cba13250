import { randomUUID } from 'node:crypto';
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import { CatalogScan, type ScanTools } from '../catalog-scan.js';
import { noCounts } from '../scan.decider.js';
import { ScanTally } from '../scan-tally.js';
import type { FolderPlan } from '../folder-plan.js';
import { SCAN_OFFER_SUBJECT, type HelperAnswer, type HelperMessage, type ScanOffer } from './sharing-messages.js';

export interface HelperTools extends ScanTools {
  readonly nats: NatsConnection;
  readonly log: Logger;
}

/** How long the worker of a scan may take to answer before it counts as gone, ms. */
const ANSWER_MS = 3000;
const ALIVE_INTERVAL_MS = 1000;
/** Parts that are worked on at the same time, so that reading does not wait for answers. */
const PARTS_AT_ONCE = 2;

/** Takes part in the scans of other workers: whatever they offer, as long as they have something to give. */
export class ScanHelper {
  readonly #helper = randomUUID();
  readonly #own = new Set<string>();
  readonly #helping = new Map<string, Promise<void>>();
  readonly #abort = new AbortController();
  #subscription: Subscription | undefined;

  constructor(private readonly tools: HelperTools) {}

  start(): void {
    this.#subscription = this.tools.nats.subscribe(SCAN_OFFER_SUBJECT, {
      callback: (error, message) => {
        if (error) this.tools.log.error({ err: error }, 'offers of scans cannot be heard');
        else this.#hear(message);
      },
    });
  }

  /** Ends what is under way and gives it back. */
  async stop(): Promise<void> {
    this.#subscription?.unsubscribe();
    this.#abort.abort(new Error('the worker stops'));
    await Promise.all(this.#helping.values());
  }

  /** Runs a scan of this worker's own: meanwhile it helps nobody. */
  async busyWith<T>(scanId: string, work: () => Promise<T>): Promise<T> {
    this.#own.add(scanId);
    try {
      return await work();
    } finally {
      this.#own.delete(scanId);
    }
  }

  #hear(message: Msg): void {
    const offer = message.json<ScanOffer>();
    if (this.#own.size > 0 || this.#helping.size > 0 || this.#abort.signal.aborted) return;
    const helping = this.#help(offer)
      .catch((err: unknown) => this.tools.log.warn({ err, scanId: offer.scanId }, 'helping a scan has failed'))
      .finally(() => this.#helping.delete(offer.scanId));
    this.#helping.set(offer.scanId, helping);
  }

  async #help(offer: ScanOffer): Promise<void> {
    await Promise.all(Array.from({ length: PARTS_AT_ONCE }, () => this.#takeParts(offer)));
  }

  async #takeParts(offer: ScanOffer): Promise<void> {
    while (!this.#abort.signal.aborted && this.#own.size === 0) {
      const answer = await this.#say(offer, { say: 'give', helper: this.#helper });
      if (answer?.part === undefined || answer.plans === undefined) return;
      if (!(await this.#do(offer, answer.part, answer.plans))) return;
    }
  }

  /** True when the part is done and its worker is there. */
  async #do(offer: ScanOffer, part: string, plans: readonly FolderPlan[]): Promise<boolean> {
    const { helper, stop, signal } = this.#alive(offer, part);
    const tally = new ScanTally(noCounts);
    const { catalog, mode, context, knowsSomething } = offer;
    try {
      const position = await CatalogScan.record(this.tools, { catalog, mode, context, tally, signal }, { plans, knowsSomething });
      const answer = await this.#say(offer, { say: 'done', helper, part, work: tally.work(), position });
      return answer?.goOn ?? false;
    } catch (err) {
      if (!signal.aborted) this.tools.log.warn({ err, scanId: offer.scanId }, 'folders of a scan could not be done here');
      await this.#say(offer, { say: 'failed', helper, part });
      return false;
    } finally {
      stop();
    }
  }

  /** Says that this worker lives while it is at a part; stops the work when nobody answers, or the part is not its any more. */
  #alive(offer: ScanOffer, part: string): { helper: string; stop: () => void; signal: AbortSignal } {
    const lost = new AbortController();
    const helper = this.#helper;
    const timer = setInterval(() => {
      void this.#isWanted(offer, part).then((isWanted) => isWanted || lost.abort(new Error('the scan needs this no more')));
    }, ALIVE_INTERVAL_MS);
    return { helper, stop: () => clearInterval(timer), signal: AbortSignal.any([lost.signal, this.#abort.signal]) };
  }

  async #isWanted(offer: ScanOffer, part: string): Promise<boolean> {
    return (await this.#say(offer, { say: 'alive', helper: this.#helper, part }))?.goOn === true;
  }

  /** Undefined when nobody answers: the worker of the scan is gone, or the message server. */
  async #say({ subject }: ScanOffer, message: HelperMessage): Promise<HelperAnswer | undefined> {
    try {
      const reply = await this.tools.nats.request(subject, JSON.stringify(message), { timeout: ANSWER_MS });
      return reply.json<HelperAnswer>();
    } catch (err) {
      this.tools.log.debug({ err }, 'the worker of a scan does not answer');
      return undefined;
    }
  }
}
