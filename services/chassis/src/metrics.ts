import { AggregatorRegistry, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** The Prometheus instruments that every service has; services add their own to `registry`. */
export interface Metrics {
  readonly registry: Registry;
  /** Registries of the other services of the same process, where one of them tells for all. */
  readonly beside?: readonly Registry[];
  readonly commandSeconds: Histogram<'subject' | 'outcome'>;
  readonly appendConflicts: Counter<'aggregate'>;
  readonly projectionPosition: Gauge<'projection'>;
  readonly projectionLagEvents: Gauge<'projection'>;
  readonly projectionEvents: Counter<'projection'>;
  readonly jobs: Counter<'subject' | 'outcome'>;
}

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
    projectionLagEvents: new Gauge({
      name: 'continuo_projection_lag_events',
      help: 'Events that the projection has yet to commit',
      labelNames: ['projection'],
      registers,
    }),
    projectionEvents: new Counter({
      name: 'continuo_projection_events_total',
      help: 'Events committed by the projection',
      labelNames: ['projection'],
      registers,
    }),
    jobs: new Counter({ name: 'continuo_jobs_total', help: 'Jobs by how they ended', labelNames: ['subject', 'outcome'], registers }),
  };
};

/** What is told to who scrapes: the service's own metrics and those beside it, told apart by the label `service`. */
export const metricsText = async ({ registry, beside = [] }: Metrics): Promise<string> => {
  if (beside.length === 0) return registry.metrics();
  const all = await Promise.all([registry, ...beside].map((one) => one.getMetricsAsJSON()));
  return AggregatorRegistry.aggregate(all).metrics();
};
