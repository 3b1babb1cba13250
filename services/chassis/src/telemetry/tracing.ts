import { context, SpanStatusCode, trace, type Span, type SpanKind, type Tracer } from '@opentelemetry/api';
import { contextFrom, traceparentOf } from './traceparent.js';

/** Makes spans; does nothing and costs next to nothing while tracing is off. */
export interface Telemetry {
  readonly tracer: Tracer;
  /** Sends what is still buffered and releases the exporter. */
  stop(): Promise<void>;
}

/** Tracing that goes nowhere but hands `traceparent` on. */
export const noTelemetry: Telemetry = { tracer: trace.getTracer('continuo'), stop: () => Promise.resolve() };

/**
 * Starts tracing to an OTLP collector over HTTP when an endpoint is given. The kit is loaded only then, and each service gets a provider of its
 * own, so that several services can share a process.
 */
export const startTelemetry = async (service: string, endpoint: string | undefined): Promise<Telemetry> => {
  if (!endpoint) return noTelemetry;
  const { startOtlp } = await import('./otlp.js');
  return startOtlp(service, endpoint);
};

/** What a span is called and hangs under. */
export interface SpanSpec {
  readonly name: string;
  readonly kind: SpanKind;
  /** The sender's trace context. */
  readonly traceparent?: string | undefined;
}

/**
 * Runs work inside a span. The work gets the trace context to hand on in its own messages.
 * A failure marks the span and is thrown on.
 */
export const inSpan = async <T>(
  tracer: Tracer,
  spec: SpanSpec,
  work: (traceparent: string | undefined, span: Span) => Promise<T>,
): Promise<T> => {
  const parent = contextFrom(spec.traceparent);
  const span = tracer.startSpan(spec.name, { kind: spec.kind }, parent);
  try {
    return await context.with(trace.setSpan(parent, span), () => work(traceparentOf(span.spanContext()), span));
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR });
    if (error instanceof Error) span.recordException(error);
    throw error;
  } finally {
    span.end();
  }
};
