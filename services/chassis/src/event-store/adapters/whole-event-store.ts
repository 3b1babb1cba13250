import { eventStreams, type Context, type RecordedEvent } from '@continuo/contracts';
import { ConcurrencyConflict, type Appended, type AppendMeta, type AppendPart, type EventStore } from '../event-store.js';
import type { Gap } from '../integrity/gaps.js';
import type { LogWatch } from '../integrity/log-watch.js';

/** Event log that may hold messages that nobody can read. */
interface LossyEventStore extends Required<Omit<EventStore, 'acceptedLoss'>> {
  /**
   * Appends to aggregates whose last event is lost: the server still counts it, and refuses whatever is expected of it. The end of the whole log is expected in its place.
   * @throws ConcurrencyConflict when an aggregate has events beyond its expected position, or the log has got others meanwhile
   */
  appendPastLoss(parts: readonly AppendPart[], meta: AppendMeta): Promise<Appended>;
}

/** Event log that refuses reads and writes while events are missing: decisions on an incomplete log would be wrong. */
export class WholeEventStore implements EventStore {
  readonly #store: LossyEventStore;
  readonly #watch: Pick<LogWatch, 'assertWhole' | 'acceptedLoss'>;

  constructor(store: LossyEventStore, watch: Pick<LogWatch, 'assertWhole' | 'acceptedLoss'>) {
    this.#store = store;
    this.#watch = watch;
  }

  async append(parts: readonly AppendPart[], meta: AppendMeta): Promise<Appended> {
    const [part] = parts;
    if (part) await this.#watch.assertWhole(eventStreams[part.context]);
    return this.#store.append(parts, meta).catch((error: unknown) => {
      const lost = part ? this.#watch.acceptedLoss(eventStreams[part.context]) : [];
      const isPerhapsLost = parts.some(({ expectedPosition }) => lost.some(({ to }) => to >= expectedPosition));
      if (error instanceof ConcurrencyConflict && isPerhapsLost) return this.#store.appendPastLoss(parts, meta);
      throw error;
    });
  }

  async read(context: Context, aggregate: string, id: string | number, afterPosition?: number): Promise<RecordedEvent[]> {
    await this.#watch.assertWhole(eventStreams[context]);
    return this.#store.read(context, aggregate, id, afterPosition);
  }

  async lastOf(context: Context, aggregate: string, id: string | number): Promise<number> {
    await this.#watch.assertWhole(eventStreams[context]);
    return this.#store.lastOf(context, aggregate, id);
  }

  lastPosition(context: Context): Promise<number> {
    return this.#store.lastPosition(context);
  }

  acceptedLoss(context: Context): Promise<readonly Gap[]> {
    return Promise.resolve(this.#watch.acceptedLoss(eventStreams[context]));
  }
}
