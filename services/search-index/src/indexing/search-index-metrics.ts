import { Counter, Gauge, type Registry } from 'prom-client';

/** The instruments of the indexers of one process. */
export interface SearchIndexMetrics {
  /** 1 while the index is kept by this process and works. */
  readonly up: Gauge<'index'>;
  readonly position: Gauge<'index'>;
  readonly lagEvents: Gauge<'index'>;
  readonly entries: Counter<'index' | 'operation'>;
  readonly rebuilds: Counter<'index'>;
  readonly faults: Counter<'index'>;
}

/** Creates them; once per registry. */
export const searchIndexMetrics = (registry: Registry): SearchIndexMetrics => {
  const registers = [registry];
  const gauge = (name: string, help: string): Gauge<'index'> => new Gauge({ name, help, labelNames: ['index'], registers });
  const counter = (name: string, help: string): Counter<'index'> => new Counter({ name, help, labelNames: ['index'], registers });
  return {
    up: gauge('continuo_search_index_up', 'Whether this process keeps the search index and the last write succeeded'),
    position: gauge('continuo_search_index_position', 'Stream position that the search index reflects'),
    lagEvents: gauge('continuo_search_index_lag_events', 'Events that the search index has yet to reflect'),
    entries: new Counter({
      name: 'continuo_search_index_entries_total',
      help: 'Entries written to the search index',
      labelNames: ['index', 'operation'],
      registers,
    }),
    rebuilds: counter('continuo_search_index_rebuilds_total', 'Times that the search index was built anew'),
    faults: counter('continuo_search_index_faults_total', 'Times that keeping the search index failed'),
  };
};
