import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Telemetry } from './telemetry.js';

/** Starts a tracer that sends its spans in batches to `<endpoint>/v1/traces`. Of the traces that begin here a share is kept; whoever goes on with one does as it began. */
export const startOtlp = (service: string, endpoint: string, sampleRatio: number): Telemetry => {
  const exporter = new OTLPTraceExporter({ url: new URL('v1/traces', endpoint.endsWith('/') ? endpoint : `${endpoint}/`).href });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': `continuo-${service}`, 'service.namespace': 'continuo' }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampleRatio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  return { tracer: provider.getTracer('continuo'), isOn: true, stop: () => provider.shutdown() };
};
