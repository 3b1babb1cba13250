import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { PoolGauges } from './persistence/pool-metrics.js';
import { ProjectionLag } from './projections/projection-lag.js';

/** The Prometheus instruments that every service has; services add their own to `registry`. */
export interface Metrics {
  readonly registry: Registry;
  /** Registries of the other services of the same process, when one of them reports for all. */
  readonly beside?: readonly Registry[];
  readonly commandSeconds: Histogram<'subject' | 'outcome'>;
  readonly appendConflicts: Counter<'aggregate'>;
  readonly projectionPosition: Gauge<'projection'>;
  /** Lag of the projections of this process, in events and in seconds. */
  readonly projectionLag: ProjectionLag;
  readonly projectionEvents: Counter<'projection'>;
  readonly jobs: Counter<'subject' | 'outcome'>;
  /** Time from taking a job or an event to its end, however that came. */
  readonly jobSeconds: Histogram<'subject'>;
  readonly natsReconnects: Counter;
  /** Requests to other servers, by purpose; outcome is `2xx` to `5xx`, or why there was no answer. */
  readonly outboundRequests: Counter<'purpose' | 'outcome'>;
  /** Time to the head of the answer. */
  readonly outboundSeconds: Histogram<'purpose'>;
  /** Connections of the service to Postgres. */
  readonly pools: PoolGauges;
}

const outboundMetrics = (registers: Registry[]): Pick<Metrics, 'outboundRequests' | 'outboundSeconds'> => ({
  outboundRequests: new Counter({
    name: 'continuo_outbound_requests_total',
    help: 'Requests to servers elsewhere, by what they are for and what came of them',
    labelNames: ['purpose', 'outcome'],
    registers,
  }),
  outboundSeconds: new Histogram({
    name: 'continuo_outbound_request_seconds',
    help: 'Time until servers elsewhere began to answer, seconds',
    labelNames: ['purpose'],
    buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  }),
});

/** Creates the instruments in a registry of their own, so that several services can share a process. */
export const createMetrics = (service: string): Metrics => {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  const registers = [registry];
  return {
    registry,
    commandSeconds: new Histogram({
      name: 'continuo_command_seconds',
      help: 'Time to answer a command, seconds',
      labelNames: ['subject', 'outcome'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    }),
    appendConflicts: new Counter({
      name: 'continuo_append_conflicts_total',
      help: 'Appends refused because the aggregate had moved on',
      labelNames: ['aggregate'],
      registers,
    }),
    projectionPosition: new Gauge({
      name: 'continuo_projection_position',
      help: 'Stream position that the projection has committed',
      labelNames: ['projection'],
      registers,
    }),
    projectionLag: new ProjectionLag(registry),
    projectionEvents: new Counter({
      name: 'continuo_projection_events_total',
      help: 'Events committed by the projection',
      labelNames: ['projection'],
      registers,
    }),
    jobs: new Counter({ name: 'continuo_jobs_total', help: 'Jobs by how they ended', labelNames: ['subject', 'outcome'], registers }),
    jobSeconds: new Histogram({
      name: 'continuo_job_seconds',
      help: 'Time from taking a job or an event to its end, seconds',
      labelNames: ['subject'],
      buckets: [0.01, 0.05, 0.25, 1, 5, 15, 60, 300, 1800, 7200],
      registers,
    }),
    natsReconnects: new Counter({
      name: 'continuo_nats_reconnects_total',
      help: 'Times that the connection to NATS was lost and came back',
      registers,
    }),
    ...outboundMetrics(registers),
    pools: new PoolGauges(registry),
  };
};

/** Each look at the event loop wakes the process up: one a second is enough to see, over minutes, what callers would notice. */
const EVENT_LOOP_LOOK_MS = 1000;

/** Tells of the process beside its service: memory, event loop, garbage collection. Once per process and registry. */
export const measureProcess = ({ registry }: Pick<Metrics, 'registry'>): void =>
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_LOOK_MS });

/** Metrics as scraped: the service's own and those beside it, distinguished by the label `service`. */
export const metricsText = async ({ registry, beside = [] }: Metrics): Promise<string> => {
  if (beside.length === 0) return registry.metrics();
  const all = await Promise.all([registry, ...beside].map((one) => one.getMetricsAsJSON()));
  return AggregatorRegistry.aggregate(all).metrics();
};
