import type { Telemetry } from './telemetry.js';
import {
  INVALID_SPAN_CONTEXT,
  SpanStatusCode,
  trace,
  type Attributes,
  type Span,
  type SpanKind,
  type TimeInput,
  type Tracer,
} from '@opentelemetry/api';
import { Rejection } from '@continuo/contracts';
import { currentWork, inWork } from './current-work.js';
import { contextFrom, isSampled, traceparentOf } from './traceparent.js';

/** Tracing that goes nowhere but hands `traceparent` on. */
export const noTelemetry: Telemetry = { tracer: trace.getTracer('continuo'), isOn: false, stop: () => Promise.resolve() };

const NO_SPAN: Span = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

/** Endpoint of spans, and the share of traces. */
export interface TelemetrySettings {
  /** Tracing is off without it. */
  readonly endpoint: string | undefined;
  /** Share of the traces begun here that are kept, 0 to 1; default all. */
  readonly sampleRatio?: number;
}

/**
 * Starts tracing to an OTLP collector over HTTP when an endpoint is given. The kit is loaded only then, and each service gets a provider of its
 * own, so that several services can share a process.
 */
export const startTelemetry = async (service: string, { endpoint, sampleRatio = 1 }: TelemetrySettings): Promise<Telemetry> => {
  if (!endpoint) return noTelemetry;
  const { startOtlp } = await import('./otlp.js');
  return startOtlp(service, endpoint, sampleRatio);
};

/** Name and parent of a span. */
export interface SpanSpec {
  readonly name: string;
  readonly kind: SpanKind;
  /** The sender's trace context. */
  readonly traceparent?: string | undefined;
  readonly attributes?: Attributes;
}

/** Refusals that are nobody's mistake but the server's. */
const OWN_FAULTS: ReadonlySet<string> = new Set(['internal', 'unavailable', 'conflict']);

/**
 * Runs work inside a span. The work gets the trace context to hand on in its own messages.
 * A failure marks the span and is thrown on; a refusal that the caller has earned is named, and no failure.
 */
export const inSpan = async <T>(
  tracer: Tracer,
  spec: SpanSpec,
  work: (traceparent: string | undefined, span: Span) => Promise<T>,
): Promise<T> => {
  const parent = contextFrom(spec.traceparent);
  if (tracer === noTelemetry.tracer) return work(traceparentOf(trace.getSpanContext(parent)), NO_SPAN);
  const span = tracer.startSpan(spec.name, { kind: spec.kind, ...(spec.attributes && { attributes: spec.attributes }) }, parent);
  const traceparent = traceparentOf(span.spanContext());
  const around = currentWork();
  const run = (): Promise<T> => work(traceparent, span);
  try {
    return await (around ? inWork({ ...around, traceparent, tracer }, run) : run());
  } catch (error) {
    tellFailure(span, error);
    throw error;
  } finally {
    span.end();
  }
};

const tellFailure = (span: Span, error: unknown): void => {
  if (error instanceof Rejection) span.setAttribute('continuo.refused', error.code);
  if (error instanceof Rejection && !OWN_FAULTS.has(error.code)) return;
  span.setStatus({ code: SpanStatusCode.ERROR });
  if (error instanceof Error) span.recordException(error);
};

/** Something that was done at once for many causes, as a span below each of them. */
export interface SharedSpan extends Pick<SpanSpec, 'name' | 'kind' | 'attributes'> {
  readonly startTime: TimeInput;
  /** Trace contexts of the causes; those that are not traced are passed over. */
  readonly causes: Iterable<string | undefined>;
}

/** So many spans for one thing done; the rest would tell the same once more. */
const MOST_CAUSES = 50;

/** Ends a span for each of the different causes of something that has just been done. */
export const spanForEach = (tracer: Tracer, { causes, name, kind, attributes, startTime }: SharedSpan): void => {
  const different = new Set<string>();
  for (const cause of causes) if (isSampled(cause) && different.size < MOST_CAUSES) different.add(cause);
  for (const cause of different) tracer.startSpan(name, { kind, startTime, ...(attributes && { attributes }) }, contextFrom(cause)).end();
};
