import { SpanKind, type Attributes, type Tracer } from '@opentelemetry/api';
import { headers as newHeaders, type MsgHdrs } from '@nats-io/transport-node';
import { currentWork, inWork } from './current-work.js';
import { contextFrom, TRACEPARENT } from './traceparent.js';
import { inSpan, noTelemetry } from './tracing.js';

const CORRELATION = 'Continuo-Correlation';

/** Headers that carry the present work with a request over NATS; for queries that are no commands. */
export const workHeaders = (): { headers?: MsgHdrs } => {
  const work = currentWork();
  if (!work) return {};
  const headers = newHeaders();
  headers.set(CORRELATION, work.correlationId);
  if (work.traceparent) headers.set(TRACEPARENT, work.traceparent);
  return { headers };
};

/** A question that has arrived. */
export interface AskedMessage {
  readonly headers: MsgHdrs | undefined;
  /** Absent while tracing is off. */
  readonly tracer: Tracer | undefined;
  /** Of the span. */
  readonly name: string;
}

/** Answers a question as a part of the work that its headers name; just answers it when they name none. */
export const inMessageWork = <T>({ headers, tracer, name }: AskedMessage, run: () => Promise<T>): Promise<T> => {
  const correlationId = headers?.get(CORRELATION);
  if (!headers || !correlationId) return run();
  const traceparent = headers.get(TRACEPARENT) || undefined;
  return inWork({ correlationId, traceparent, tracer }, () =>
    inSpan(tracer ?? noTelemetry.tracer, { name, kind: SpanKind.SERVER, traceparent }, run),
  );
};

/** A span that outlasts whoever began it. */
export interface OpenSpan {
  end(attributes?: Attributes): void;
}

/** Begins a span of the work at hand; undefined while nothing is traced. */
export const beginSpan = (name: string): OpenSpan | undefined => {
  const work = currentWork();
  const span = work?.tracer?.startSpan(name, { kind: SpanKind.INTERNAL }, contextFrom(work.traceparent));
  return span && { end: (attributes = {}) => span.setAttributes(attributes).end() };
};
