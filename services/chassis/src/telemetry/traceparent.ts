import { INVALID_SPAN_CONTEXT, isSpanContextValid, ROOT_CONTEXT, trace, type Context, type SpanContext } from '@opentelemetry/api';

/** Message header of the W3C trace context. */
export const TRACEPARENT = 'traceparent';

const PATTERN = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;

/** Reads a `traceparent` (W3C Trace Context, section 3.2); anything unusable gives a context without a parent. */
export const contextFrom = (traceparent: string | undefined): Context => {
  const [, traceId, spanId, flags] = PATTERN.exec(traceparent ?? '') ?? [];
  if (!traceId || !spanId || !flags) return ROOT_CONTEXT;
  const parent: SpanContext = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return isSpanContextValid(parent) ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
};

/** Writes a span context as `traceparent`; undefined when there is nothing to pass on. */
export const traceparentOf = (span: SpanContext = INVALID_SPAN_CONTEXT): string | undefined =>
  isSpanContextValid(span) ? `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, '0')}` : undefined;

/** True for a trace context whose spans are kept. */
export const isSampled = (traceparent: string | undefined): traceparent is string =>
  (Number.parseInt(PATTERN.exec(traceparent ?? '')?.[3] ?? '0', 16) & 1) === 1;
