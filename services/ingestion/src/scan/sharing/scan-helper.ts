import { randomUUID } from 'node:crypto';
import { askQuery, hearAnnouncements, NotWanted, whileWanted } from '@continuo/chassis';
import {
  SCAN_OFFER_SUBJECT,
  scanOffer,
  scanPartQuery,
  type FolderPlan,
  type HelperAnswer,
  type HelperMessage,
  type ScanOffer,
} from '@continuo/contracts';
import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import { CatalogScan, type ScanDependencies } from '../catalog-scan.js';
import { zeroCounts } from '../scan.decider.js';
import { ScanTally } from '../scan-tally.js';

export interface HelperDependencies extends ScanDependencies {
  readonly nats: NatsConnection;
  readonly log: Logger;
}

/** Time after which a silent worker of a scan counts as gone, ms. */
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

  constructor(private readonly deps: HelperDependencies) {}

  start(): void {
    this.#subscription = hearAnnouncements(this.deps, SCAN_OFFER_SUBJECT, scanOffer, (offer) => this.#hear(offer));
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

  #hear(offer: ScanOffer): void {
    if (this.#own.size > 0 || this.#helping.size > 0 || this.#abort.signal.aborted) return;
    const helping = this.#help(offer)
      .catch((err: unknown) => this.deps.log.warn({ err, scanId: offer.scanId }, 'helping a scan failed'))
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
    const tally = new ScanTally(zeroCounts);
    const { catalog, mode, context, knowsSomething } = offer;
    const helper = this.#helper;
    try {
      // Asking whether the part is still wanted also says that this worker lives.
      const position = await whileWanted({
        work: (signal) => CatalogScan.record(this.deps, { catalog, mode, context, tally, signal }, { plans, knowsSomething }),
        isWanted: () => this.#isWanted(offer, part),
        everyMs: ALIVE_INTERVAL_MS,
        signal: this.#abort.signal,
        onFault: (err) => this.deps.log.warn({ err, scanId: offer.scanId }, 'failed to ask whether a part is wanted'),
      });
      const answer = await this.#say(offer, { say: 'done', helper, part, work: tally.work(), position });
      return answer?.goOn ?? false;
    } catch (err) {
      if (!(err instanceof NotWanted) && !this.#abort.signal.aborted)
        this.deps.log.warn({ err, scanId: offer.scanId }, 'scanning folders for another worker failed');
      await this.#say(offer, { say: 'failed', helper, part });
      return false;
    }
  }

  async #isWanted(offer: ScanOffer, part: string): Promise<boolean> {
    return (await this.#say(offer, { say: 'alive', helper: this.#helper, part }))?.goOn === true;
  }

  /** Undefined when nobody answers: the worker of the scan is gone, or the message server. */
  async #say({ subject }: ScanOffer, message: HelperMessage): Promise<HelperAnswer | undefined> {
    try {
      return await askQuery(this.deps.nats, scanPartQuery, message, { subject, timeout: ANSWER_MS });
    } catch (err) {
      this.deps.log.debug({ err }, 'worker of the scan does not answer');
      return undefined;
    }
  }
}
