import type { EventStreamName } from './subjects.js';

/** An event as a decider returns it: a fact with a frozen shape under its type and schema version. */
export interface DomainEvent<T extends string = string, D = unknown> {
  readonly type: T;
  readonly v: number;
  readonly data: D;
}

/** Actor of what the server's operator does, who is no account: the command line, proven by the server's secret. */
export const operatorActor = 'continuo-cli';

/** Actor of a message and the request it belongs to; travels in headers from edge to event. */
export interface MessageContext {
  /** `user:<id>`, `system`, or the name of a service. */
  readonly actor: string;
  /** Constant through everything that one outside request causes; returned to the client. */
  readonly correlationId: string;
  /** The id of the message that directly caused this one. */
  readonly causationId: string;
  /** W3C trace context, when tracing is on. */
  readonly traceparent?: string;
}

/** An event as the log keeps it. */
export interface RecordedEvent<E extends DomainEvent = DomainEvent> extends MessageContext {
  readonly id: string;
  readonly type: E['type'];
  readonly v: number;
  readonly data: E['data'];
  /** When it was decided, epoch milliseconds. */
  readonly at: number;
  readonly stream: EventStreamName;
  readonly subject: string;
  /** Sequence in the stream, from 1. */
  readonly position: number;
  /** Number of the event within its aggregate, from 1. Absent in events of releases that did not number: these are counted. */
  readonly number?: number;
}

/** Versions of aggregates that a conditional command rests on. */
export interface Precondition {
  /** Position of the last event by subject of an aggregate; 0 for one without events. */
  readonly positions: Readonly<Record<string, number>>;
  /** Ids of earlier commands of the same request: their events do not break it. */
  readonly ownCommandIds: readonly string[];
}

/** A command on the wire. `id` stays the same through every retry, which makes retries harmless. */
export interface CommandMessage<D = unknown> extends MessageContext {
  readonly id: string;
  /** When it was issued, epoch milliseconds. Deciders take it as their clock. */
  readonly at: number;
  readonly data: D;
  /** It is refused with `precondition.failed` when one of these aggregates has changed since. */
  readonly precondition?: Precondition;
}

/** Position of the log after a command: the reader waits for this position to see its own write. */
export interface LogPosition {
  readonly stream: EventStreamName;
  readonly position: number;
}

/** Answer to a command. `positions` tell where readers see it; empty when there is nothing to wait for. */
export type CommandReply<R = unknown> =
  | { readonly ok: true; readonly positions: readonly LogPosition[]; readonly result: R }
  | {
      readonly ok: false;
      readonly code: string;
      readonly message: string;
      readonly subject?: string;
    };
