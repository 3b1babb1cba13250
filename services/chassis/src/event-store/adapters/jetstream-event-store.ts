import { randomUUID } from 'node:crypto';
import { eventStreams, eventSubject, Rejection, type Context, type EventStreamName, type RecordedEvent } from '@continuo/contracts';
import type { JetStreamManager } from '@nats-io/jetstream';
import { type MsgHdrs, type NatsConnection } from '@nats-io/transport-node';
import { SpanKind, type Tracer } from '@opentelemetry/api';
import { randomPauses, retry } from '../../retry.js';
import { inSpan } from '../../telemetry/tracing.js';
import { isFullLog, logIsFull } from '../../persistence/full-storage.js';
import { upcastPublished } from '../catalogue.js';
import { ConcurrencyConflict, firstNumberOf, type Appended, type AppendMeta, type AppendPart, type EventStore } from '../event-store.js';
import { Turns } from '../../turns.js';
import { GroupCommit, type Groupable, type Written } from '../group-commit.js';
import { isEventStoreUnavailable, isAppendRefused } from '../event-store-unavailable.js';
import type { AppendGuard } from '../log-writes.js';
import { decodeEvent, encodeEnvelope } from '../headers.js';
import { isNotFound } from '../not-found.js';
import { streamState } from '../streams.js';

/** Wrong last sequence: of a single message, within a batch, and a message id that the duplicate window has seen. */
const CONFLICT_CODES = new Set([10_071, 10_164, 10_201]);
/** The server has forgotten the batch because it restarted, or holds too many open ones: nothing was written. */
const LOST_BATCH_CODES = new Set([10_176, 10_210]);
/** Limits of one atomic batch: the server's number of messages, and our size of one event. */
const MAX_BATCH_EVENTS = 1000;
const MAX_EVENT_BYTES = 512 * 1024;
const READ_BATCH = 256;
/** The server takes 50 open batches of a stream and refuses what is beyond: so many leave room for three replicas. */
const MAX_OPEN_BATCHES = 16;
/** A batch that the server has dropped is sent again, by and by; nothing of it was written. */
const LOST_BATCH_TRIES = 5;
const LOST_BATCH_PAUSE_MS = 40;

/** A batch of which nothing was written. */
class LostBatch extends Error {
  override readonly name = 'LostBatch';
}

interface PublishAnswer {
  readonly stream?: string;
  readonly seq?: number;
  readonly duplicate?: boolean;
  readonly error?: { code?: number; err_code?: number; description?: string };
}

interface PreparedEvent {
  readonly subject: string;
  readonly payload: Uint8Array;
  readonly headers: MsgHdrs;
}

interface PreparedAppend extends Groupable {
  readonly events: readonly PreparedEvent[];
}

/** Contexts with many writers at the same time, each to something of its own: listeners, and the folders of a scan. */
const SHARED: ReadonlySet<Context> = new Set(['playback', 'library']);

/** Removes the batch headers of an earlier attempt: the server would take a single message with them for the beginning of a batch. */
const withoutBatch = ({ headers }: PreparedEvent): void => {
  for (const name of ['Nats-Batch-Id', 'Nats-Batch-Sequence', 'Nats-Batch-Commit']) headers.delete(name);
};

const groupable = (events: readonly PreparedEvent[], isPatient: boolean): PreparedAppend => ({
  events,
  isPatient,
  size: events.length,
  subjects: [...new Set(events.map(({ subject }) => subject))],
});

/** Options of the event store. */
export interface EventStoreOptions {
  /** Absent while tracing is off. */
  readonly tracer?: Tracer | undefined;
  /** Every append goes through it. */
  readonly guard?: AppendGuard | undefined;
}

const encoder = new TextEncoder();

/**
 * The event log on JetStream. Several events go as one atomic batch whose headers are written here, because the client's helper leaves out
 * expectations. Only the first event of a subject carries the expectation: the server refuses a second one within a batch.
 */
export class JetStreamEventStore implements EventStore {
  readonly #nats: NatsConnection;
  readonly #manager: JetStreamManager;
  readonly #timeoutMs: number;
  readonly #tracer: Tracer | undefined;
  readonly #guard: AppendGuard | undefined;
  readonly #batches = new Turns(MAX_OPEN_BATCHES);
  readonly #groups = new Map<Context, GroupCommit<PreparedAppend>>();

  /** @param timeoutMs for each message; a caller that waits five seconds for its command still hears why it failed */
  constructor(nats: NatsConnection, manager: JetStreamManager, timeoutMs = 4500, { tracer, guard }: EventStoreOptions = {}) {
    this.#nats = nats;
    this.#manager = manager;
    this.#timeoutMs = timeoutMs;
    this.#tracer = tracer;
    this.#guard = guard;
  }

  append(parts: readonly AppendPart[], meta: AppendMeta): Promise<Appended> {
    if (!this.#tracer) return this.#append(parts, meta);
    const [part] = parts;
    const name = `append ${part ? eventStreams[part.context] : ''}`;
    // Its own span is the cause of the events, so that what follows from them hangs below it.
    return inSpan(this.#tracer, { name, kind: SpanKind.PRODUCER, traceparent: meta.traceparent }, async (traceparent, span) => {
      const appended = await this.#append(parts, { ...meta, ...(traceparent ? { traceparent } : {}) });
      span.setAttributes({ 'continuo.aggregate': part?.aggregate ?? '', 'continuo.position': appended.position });
      return appended;
    });
  }

  async appendPastLoss(parts: readonly AppendPart[], meta: AppendMeta): Promise<Appended> {
    const [part] = parts;
    if (!part) throw new Error('an append concerns at least one aggregate');
    const { lastPosition } = await streamState(this.#manager, eventStreams[part.context]);
    for (const { context, aggregate, id, expectedPosition } of parts) {
      const [newer] = await this.read(context, aggregate, id, expectedPosition);
      if (newer) throw new ConcurrencyConflict(`${aggregate} ${id} is at ${newer.position}, not at ${expectedPosition}`);
    }
    return this.#append(parts, meta, lastPosition);
  }

  /** @param expectedEnd the last position of the log, expected in place of those of the aggregates */
  async #append(parts: readonly AppendPart[], meta: AppendMeta, expectedEnd?: number): Promise<Appended> {
    const context = parts[0]?.context;
    if (!context || parts.some((part) => part.context !== context))
      throw new Error('an append concerns at least one aggregate, all of one context');
    const events = prepare(parts, meta, expectedEnd);
    if (events.length === 0 || events.length > MAX_BATCH_EVENTS)
      throw new Error(`an append takes 1 to ${MAX_BATCH_EVENTS} events, not ${events.length}`);
    const stream = eventStreams[context];
    const write = (): Promise<Written> =>
      SHARED.has(context) && expectedEnd === undefined
        ? this.#group(context).append(groupable(events, meta.withoutMessageIds === true))
        : this.#write(events);
    return { stream, ...(await (this.#guard ? this.#guard.run(stream, write) : write())) };
  }

  async read(context: Context, aggregate: string, id: string | number, afterPosition = 0): Promise<RecordedEvent[]> {
    const stream = eventStreams[context];
    const subject = eventSubject(context, aggregate, id);
    const events: RecordedEvent[] = [];
    let next = afterPosition + 1;
    for (;;) {
      const found = await this.#readBatch(stream, subject, next);
      events.push(...found.events);
      if (found.pending <= 0) return events;
      next = (found.events.at(-1)?.position ?? next) + 1;
    }
  }

  async lastOf(context: Context, aggregate: string, id: string | number): Promise<number> {
    try {
      const last = await this.#manager.streams.getMessage(eventStreams[context], { last_by_subj: eventSubject(context, aggregate, id) });
      return last?.seq ?? 0;
    } catch (error) {
      if (isNotFound(error)) return 0;
      throw isEventStoreUnavailable(error) ? unavailable(error) : error;
    }
  }

  async lastPosition(context: Context): Promise<number> {
    return (await streamState(this.#manager, eventStreams[context])).lastReadable;
  }

  async #readBatch(stream: EventStreamName, subject: string, from: number): Promise<{ events: RecordedEvent[]; pending: number }> {
    const events: RecordedEvent[] = [];
    let pending = 0;
    try {
      const messages = await this.#manager.direct.getBatch(stream, {
        seq: from,
        batch: READ_BATCH,
        next_by_subj: subject,
      });
      for await (const message of messages) {
        events.push(decodeEvent(stream, message, upcastPublished));
        pending = message.pending;
      }
    } catch (error) {
      if (isEventStoreUnavailable(error)) throw unavailable(error);
      if (!isNotFound(error)) throw error;
      pending = 0;
    }
    return { events, pending };
  }

  async #publish(event: PreparedEvent): Promise<Written> {
    withoutBatch(event);
    return outcomeOf(await this.#request(event));
  }

  /** @throws Rejection `unavailable` when the log does not answer; the event may have been written all the same. */
  async #request(event: PreparedEvent): Promise<PublishAnswer | undefined> {
    try {
      const reply = await this.#nats.request(event.subject, event.payload, {
        headers: event.headers,
        timeout: this.#timeoutMs,
      });
      return reply.data.length > 0 ? reply.json<PublishAnswer>() : undefined;
    } catch (error) {
      throw unavailable(error);
    }
  }

  /** Appends of a context go to one stream, and so can share batches. */
  #group(context: Context): GroupCommit<PreparedAppend> {
    const known = this.#groups.get(context);
    if (known) return known;
    const group = new GroupCommit<PreparedAppend>(
      {
        alone: ({ events }) => this.#write(events),
        together: (appends) => this.#batches.run(() => this.#publishBatch(appends.flatMap(({ events }) => events))),
        isRefusal: (error) => error instanceof ConcurrencyConflict || error instanceof LostBatch,
      },
      Date.now,
    );
    this.#groups.set(context, group);
    return group;
  }

  #write(events: readonly PreparedEvent[]): Promise<Written> {
    const [first] = events;
    return events.length === 1 && first ? this.#publish(first) : this.#insistOnBatch(events);
  }

  #insistOnBatch(events: readonly PreparedEvent[]): Promise<Written> {
    const isTransient = (error: unknown): boolean => error instanceof LostBatch;
    const publish = (): Promise<Written> => this.#batches.run(() => this.#publishBatch(events));
    return retry(publish, { pauseMs: randomPauses(LOST_BATCH_PAUSE_MS), tries: LOST_BATCH_TRIES, isTransient }).catch((error: unknown) => {
      throw error instanceof LostBatch ? unavailable(error) : error;
    });
  }

  async #publishBatch(events: readonly PreparedEvent[]): Promise<Written> {
    const batch = randomUUID();
    const last = events.length - 1;
    for (const [index, event] of events.entries()) {
      withoutBatch(event);
      event.headers.set('Nats-Batch-Id', batch);
      event.headers.set('Nats-Batch-Sequence', String(index + 1));
      if (index === last) event.headers.set('Nats-Batch-Commit', '1');
      if (index !== 0 && index !== last) {
        this.#nats.publish(event.subject, event.payload, { headers: event.headers });
        continue;
      }
      // The first message opens the batch and may be refused at once; the last one commits it and carries the outcome.
      const answer = await this.#request(event);
      if (index === last) return outcomeOf(answer);
      if (answer) outcomeOf(answer);
    }
    throw new Error('an atomic batch ended without its commit');
  }
}

const prepare = (parts: readonly AppendPart[], meta: AppendMeta, expectedEnd?: number): PreparedEvent[] => {
  const prepared: PreparedEvent[] = [];
  for (const part of parts) {
    const subject = eventSubject(part.context, part.aggregate, part.id);
    const number = firstNumberOf(part);
    for (const [index, event] of part.events.entries()) {
      const id = meta.commandId ? `${meta.commandId}:${prepared.length}` : randomUUID();
      const headers = encodeEnvelope(event, id, meta, number === undefined ? undefined : number + index);
      if (index === 0 && expectedEnd === undefined) headers.set('Nats-Expected-Last-Subject-Sequence', String(part.expectedPosition));
      if (prepared.length === 0 && expectedEnd !== undefined) headers.set('Nats-Expected-Last-Sequence', String(expectedEnd));
      if (meta.commandId && !meta.withoutMessageIds) headers.set('Nats-Msg-Id', id);
      const payload = encoder.encode(JSON.stringify(event.data));
      if (payload.byteLength > MAX_EVENT_BYTES)
        throw new Rejection('input.too-large', `${event.type} has ${payload.byteLength} bytes; an event holds at most ${MAX_EVENT_BYTES}`);
      prepared.push({ subject, payload, headers });
    }
  }
  return prepared;
};

const outcomeOf = (answer: PublishAnswer | undefined): Written => {
  if (answer && !answer.error && answer.seq) return { position: answer.seq, ...(answer.duplicate ? { isRepeat: true } : {}) };
  const reason = answer?.error?.description ?? 'the stream gave no sequence';
  if (CONFLICT_CODES.has(answer?.error?.err_code ?? 0)) throw new ConcurrencyConflict(reason);
  if (LOST_BATCH_CODES.has(answer?.error?.err_code ?? 0)) throw new LostBatch(reason);
  if (isFullLog(answer?.error?.err_code, reason)) throw logIsFull(reason);
  if (isAppendRefused(answer?.error?.code, answer?.error?.err_code)) throw unavailable(new Error(reason));
  throw new Error(`the log refused an append: ${reason}`);
};

const unavailable = (cause: unknown): Rejection => new Rejection('unavailable', 'the event log does not answer', undefined, { cause });
