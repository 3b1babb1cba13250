import { eventStreams, type Context, type RecordedEvent } from '@continuo/contracts';
import type { Appended, AppendMeta, AppendPart, EventStore } from '../event-store.js';
import type { Gap } from '../integrity/gaps.js';
import type { LogWatch } from '../integrity/log-watch.js';

/** Event log that refuses reads and writes while events are missing: decisions on an incomplete log would be wrong. */
export class WholeEventStore implements EventStore {
  readonly #store: Required<Omit<EventStore, 'acceptedLoss'>>;
  readonly #watch: Pick<LogWatch, 'assertWhole' | 'acceptedLoss'>;

  constructor(store: Required<Omit<EventStore, 'acceptedLoss'>>, watch: Pick<LogWatch, 'assertWhole' | 'acceptedLoss'>) {
    this.#store = store;
    this.#watch = watch;
  }

  async append(parts: readonly AppendPart[], meta: AppendMeta): Promise<Appended> {
    const [part] = parts;
    if (part) await this.#watch.assertWhole(eventStreams[part.context]);
    return this.#store.append(parts, meta);
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
