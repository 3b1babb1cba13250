import { type Tracer } from '@opentelemetry/api';

/** Makes spans; does nothing and costs next to nothing while tracing is off. */
export interface Telemetry {
  readonly tracer: Tracer;
  readonly isOn: boolean;
  /** Sends what is still buffered and releases the exporter. */
  stop(): Promise<void>;
}
