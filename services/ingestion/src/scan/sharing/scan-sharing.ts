import { randomUUID } from 'node:crypto';
import { answerQuery, type Running } from '@continuo/chassis';
import {
  SCAN_OFFER_SUBJECT,
  scanPartQuery,
  type HelperAnswer,
  type HelperMessage,
  type LogPosition,
  type ScanOffer,
} from '@continuo/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import type { ScanTally } from '../scan-tally.js';
import type { FolderWork } from './folder-work.js';

const OFFER_INTERVAL_MS = 500;

/** Offered scan, without the subject. */
export type OfferedScan = Omit<ScanOffer, 'subject' | 'knowsSomething'>;

export interface SharingDependencies {
  readonly nats: NatsConnection;
  readonly log: Logger;
}

/**
 * Shares the work of one scan with other workers. While more waits than this one does, it says so twice a second; helpers ask for parts, say that they live, and
 * tell what came of each. Nothing is kept: a helper that dies loses its part back to the scan, a scan that dies leaves helpers without answer, and they stop.
 */
export class ScanSharing {
  readonly #subject = `scan.parts.${randomUUID()}`;
  readonly #parts: Running;
  readonly #timer: NodeJS.Timeout;
  #last: LogPosition | undefined;
  #partsDone = 0;

  constructor(
    private readonly deps: SharingDependencies,
    private readonly scan: OfferedScan & { readonly knowsSomething: () => boolean; readonly tally: ScanTally },
    private readonly work: FolderWork,
  ) {
    this.#parts = answerQuery({ ...deps, subject: this.#subject, query: scanPartQuery, answer: (said) => this.#reply(said) });
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
    void this.#parts.stop();
  }

  #beat(): void {
    const { nats, log } = this.deps;
    const back = this.work.reclaim();
    if (back > 0) log.warn({ scanId: this.scan.scanId, parts: back }, 'scan helper is gone; its folders are scanned here');
    if (!this.work.hasSurplus || nats.isClosed()) return;
    const { scanId, catalog, mode, context } = this.scan;
    const offer: ScanOffer = { scanId, catalog, mode, context, knowsSomething: this.scan.knowsSomething(), subject: this.#subject };
    nats.publish(SCAN_OFFER_SUBJECT, JSON.stringify(offer));
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
    // Work that was taken back meanwhile counts where it is done again; its records are idempotent.
    this.scan.tally.elsewhere(work);
    if (position && position.position > (this.#last?.position ?? 0)) this.#last = position;
    if (this.work.done(part, helper)) this.#partsDone += 1;
  }
}
