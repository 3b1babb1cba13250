import { Counter, Histogram, type Registry } from 'prom-client';

/** Metrics of plug-ins. */
export interface PluginMetrics {
  readonly answers: Counter<'plugin' | 'part' | 'outcome'>;
  readonly seconds: Histogram<'plugin' | 'part'>;
}

/** Makes the instruments, or finds those that the registry has. */
export const pluginMetrics = (registry: Registry): PluginMetrics => {
  const answers = registry.getSingleMetric('continuo_plugin_answers_total') as PluginMetrics['answers'] | undefined;
  const seconds = registry.getSingleMetric('continuo_plugin_seconds') as PluginMetrics['seconds'] | undefined;
  const registers = [registry];
  return {
    answers:
      answers ??
      new Counter({
        name: 'continuo_plugin_answers_total',
        help: 'Questions to plug-ins by what came of them',
        labelNames: ['plugin', 'part', 'outcome'],
        registers,
      }),
    seconds:
      seconds ??
      new Histogram({
        name: 'continuo_plugin_seconds',
        help: 'Time that plug-ins took, seconds',
        labelNames: ['plugin', 'part'],
        buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300],
        registers,
      }),
  };
};
