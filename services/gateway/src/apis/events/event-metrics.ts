import type { Metrics } from '@continuo/chassis';
import { Counter, Gauge } from 'prom-client';

/** Metrics of event streams. */
export interface EventMetrics {
  /** Open streams. */
  readonly open: Gauge;
  /** Events written to streams, by type. */
  readonly told: Counter<'type'>;
  /** Ended streams, by reason: `left`, `slow`, `ended`. */
  readonly closed: Counter<'reason'>;
}

/** Registers the metrics; `open` returns the number of open streams. */
export const createEventMetrics = ({ registry }: Pick<Metrics, 'registry'>, open: () => number): EventMetrics => {
  const registers = [registry];
  return {
    open: new Gauge({
      name: 'continuo_event_streams',
      help: 'Event streams that are open',
      registers,
      collect() {
        this.set(open());
      },
    }),
    told: new Counter({
      name: 'continuo_event_stream_events_total',
      help: 'Events written to event streams',
      labelNames: ['type'],
      registers,
    }),
    closed: new Counter({
      name: 'continuo_event_streams_closed_total',
      help: 'Event streams that ended',
      labelNames: ['reason'],
      registers,
    }),
  };
};
