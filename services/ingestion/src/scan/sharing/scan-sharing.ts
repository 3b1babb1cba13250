import { randomUUID } from 'node:crypto';
import type { LogPosition } from '@continuo/contracts';
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import type { ScanTally } from '../scan-tally.js';
import type { FolderWork } from './folder-work.js';
import { SCAN_OFFER_SUBJECT, type HelperAnswer, type HelperMessage, type ScanOffer } from './sharing-messages.js';

const OFFER_INTERVAL_MS = 500;

/** What of a scan is offered: everything but where to ask. */
export type OfferedScan = Omit<ScanOffer, 'subject' | 'knowsSomething'>;

export interface SharingTools {
  readonly nats: NatsConnection;
  readonly log: Logger;
}

/**
 * Shares the work of one scan with other workers. While more waits than this one does, it says so twice a second; helpers ask for parts, say that they live, and
 * tell what came of each. Nothing is kept: a helper that dies loses its part back to the scan, a scan that dies leaves helpers without answer, and they stop.
 */
export class ScanSharing {
  readonly #subject = `scan.parts.${randomUUID()}`;
  readonly #subscription: Subscription;
  readonly #timer: NodeJS.Timeout;
  #last: LogPosition | undefined;
  #partsDone = 0;

  constructor(
    private readonly tools: SharingTools,
    private readonly scan: OfferedScan & { readonly knowsSomething: () => boolean; readonly tally: ScanTally },
    private readonly work: FolderWork,
  ) {
    this.#subscription = tools.nats.subscribe(this.#subject, {
      callback: (error, message) => {
        if (error) tools.log.error({ err: error, scanId: scan.scanId }, 'helpers of a scan cannot be heard');
        else this.#answer(message);
      },
    });
    this.#timer = setInterval(() => this.#beat(), OFFER_INTERVAL_MS);
  }

  /** The furthest place in the library's log that helpers have written. */
  get lastPosition(): LogPosition | undefined {
    return this.#last;
  }

  /** Parts that helpers have done. */
  get partsDone(): number {
    return this.#partsDone;
  }

  /** Helpers get no answer any more. */
  stop(): void {
    clearInterval(this.#timer);
    this.#subscription.unsubscribe();
  }

  #beat(): void {
    const { nats, log } = this.tools;
    const back = this.work.reclaim();
    if (back > 0) log.warn({ scanId: this.scan.scanId, parts: back }, 'a helper of a scan is gone; its folders are done here');
    if (!this.work.hasSurplus || nats.isClosed()) return;
    const { scanId, catalog, mode, context } = this.scan;
    const offer: ScanOffer = { scanId, catalog, mode, context, knowsSomething: this.scan.knowsSomething(), subject: this.#subject };
    nats.publish(SCAN_OFFER_SUBJECT, JSON.stringify(offer));
  }

  #answer(message: Msg): void {
    const said = message.json<HelperMessage>();
    message.respond(JSON.stringify(this.#reply(said)));
  }

  #reply(said: HelperMessage): HelperAnswer {
    switch (said.say) {
      case 'give': {
        const given = this.work.take(said.helper);
        return given ? { ...given, goOn: true } : { goOn: false };
      }
      case 'alive':
        return { goOn: this.work.keep(said.part, said.helper) };
      case 'done':
        this.#done(said);
        return { goOn: true };
      case 'failed':
        this.work.giveBack(said.part, said.helper);
        return { goOn: false };
    }
  }

  #done({ part, helper, work, position }: Extract<HelperMessage, { say: 'done' }>): void {
    // What was taken back meanwhile counts where it is done again; the records themselves say the same twice.
    this.scan.tally.elsewhere(work);
    if (position && position.position > (this.#last?.position ?? 0)) this.#last = position;
    if (this.work.done(part, helper)) this.#partsDone += 1;
  }
}
