import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Telemetry } from './tracing.js';

/** Starts a tracer that sends its spans in batches to `<endpoint>/v1/traces`. */
export const startOtlp = (service: string, endpoint: string): Telemetry => {
  const exporter = new OTLPTraceExporter({ url: new URL('v1/traces', endpoint.endsWith('/') ? endpoint : `${endpoint}/`).href });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': `continuo-${service}` }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  return { tracer: provider.getTracer('continuo'), stop: () => provider.shutdown() };
};
