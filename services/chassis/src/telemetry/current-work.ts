import { AsyncLocalStorage } from 'node:async_hooks';
import type { Tracer } from '@opentelemetry/api';

/** The request, command, job or event that the code at hand works for. */
export interface CurrentWork {
  /** The same through everything that one request causes, in all services. */
  readonly correlationId: string;
  readonly actor?: string;
  /** W3C trace context under which spans of this work hang. */
  readonly traceparent?: string | undefined;
  /** Absent while tracing is off. */
  readonly tracer?: Tracer | undefined;
}

const storage = new AsyncLocalStorage<CurrentWork>();

/** Runs something for a piece of work: whatever it starts, and whatever that awaits, finds the work by {@link currentWork}. */
export const inWork = <T>(work: CurrentWork, run: () => T): T => storage.run(work, run);

/** Returns the request or message being processed; undefined for the service's own work. */
export const currentWork = (): CurrentWork | undefined => storage.getStore();
