import { eventStreams, eventSubject, type Context, type RecordedEvent } from '@continuo/contracts';
import {
  ConcurrencyConflict,
  firstNumberOf,
  type AppendMeta,
  type AppendPart,
  type EventStore,
} from '../../src/event-store/event-store.js';

/** The event log in memory, for specs; kept honest by the contract suite that also runs on JetStream. */
export class InMemoryEventStore implements EventStore {
  readonly #logs = new Map<Context, RecordedEvent[]>();

  #log(context: Context): RecordedEvent[] {
    const log = this.#logs.get(context) ?? [];
    this.#logs.set(context, log);
    return log;
  }

  append(parts: readonly AppendPart[], meta: AppendMeta): Promise<{ stream: (typeof eventStreams)[Context]; position: number }> {
    const context = parts[0]?.context;
    if (!context) return Promise.reject(new Error('an append needs at least one part'));
    const log = this.#log(context);
    const stream = eventStreams[context];
    for (const part of parts) {
      const subject = eventSubject(context, part.aggregate, part.id);
      const last = log.findLast((event) => event.subject === subject)?.position ?? 0;
      if (last !== part.expectedPosition)
        return Promise.reject(new ConcurrencyConflict(`${subject} is at ${last}, not ${part.expectedPosition}`));
    }
    const { commandId, ...envelope } = meta;
    let index = 0;
    for (const part of parts) {
      const number = firstNumberOf(part);
      for (const [nth, event] of part.events.entries()) {
        const id = `${commandId ?? meta.correlationId}:${index}`;
        index += 1;
        log.push({
          ...envelope,
          ...event,
          id,
          stream,
          subject: eventSubject(context, part.aggregate, part.id),
          position: log.length + 1,
          ...(number === undefined ? {} : { number: number + nth }),
        });
      }
    }
    return Promise.resolve({ stream, position: log.length });
  }

  read(context: Context, aggregate: string, id: string | number, afterPosition = 0): Promise<RecordedEvent[]> {
    const subject = eventSubject(context, aggregate, id);
    return Promise.resolve(this.#log(context).filter((event) => event.subject === subject && event.position > afterPosition));
  }

  lastPosition(context: Context): Promise<number> {
    return Promise.resolve(this.#log(context).length);
  }
}
