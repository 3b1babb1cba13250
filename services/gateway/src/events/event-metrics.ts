import type { Metrics } from '@continuo/chassis';
import { Counter, Gauge } from 'prom-client';

/** What is counted of event streams. */
export interface EventMetrics {
  /** Streams that are open. */
  readonly open: Gauge;
  /** Events written to streams, by type. */
  readonly told: Counter<'type'>;
  /** Streams that ended, by why: `left`, `slow`, `ended`. */
  readonly closed: Counter<'reason'>;
}

/** Creates the instruments; `open` says how many streams there are. */
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
